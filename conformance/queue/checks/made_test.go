package checks

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A made queue does what its contract says. Every second time it takes a liberty that the
// contract leaves: if a steal may find nothing beside another call, it finds nothing. It panics
// if it is called as the contract does not allow. It was written from the sentences of the
// choices. It is right under its contract, and wrong under one that promises more.
type made struct {
	set   *madeSet
	at    int
	size  int // 0: nobody knows how many it holds
	ring  []record.ID
	took  bool
	slot  record.ID
	moves []record.Move // what the owner's last call moved
	shut  bool          // it is closed
	some  *sync.Cond    // where takes wait
}

type madeSet struct {
	spec.Contract
	mu   sync.Mutex
	work []*madeCall // calls that have begun and not returned
	odd  bool
	ps   []*made

	global []record.ID // where what overflows goes, the oldest first
}

type madeCall struct {
	kind   record.Kind
	p      int
	thief  int         // whose queue a steal is for, or record.None
	beside []*madeCall // those that were at work at the same time
}

// madeBy makes sets of such queues.
func madeBy(c spec.Contract, bounded bool, face func(*made) queue.Queue) queue.Factory {
	return func(o queue.Options) (queue.Set, error) {
		s := &madeSet{Contract: c}
		size := 0
		if bounded {
			if size = o.Capacity; size == 0 {
				size = 4
			}
			power := size&(size-1) == 0
			if size < 1 || c.Sizes == spec.Powers && !power || c.Sizes == spec.PowersFromTwo && (!power || size < 2) {
				return nil, errors.New("no such size")
			}
		}
		faces := make(madeFaces, o.Ps)
		for i := range o.Ps {
			s.ps = append(s.ps, &made{set: s, at: i, size: size, some: sync.NewCond(&s.mu)})
			faces[i] = face(s.ps[i])
		}
		if c.Full == spec.Overflows {
			return madeGlobals{faces, s}, nil
		}
		return faces, nil
	}
}

type madeFaces []queue.Queue

func (s madeFaces) P(i int) queue.Queue { return s[i] }

// madeGlobals is a set with a global queue.
type madeGlobals struct {
	madeFaces
	set *madeSet
}

func (s madeGlobals) GlobalPut(id record.ID) {
	s.set.mu.Lock()
	defer s.set.mu.Unlock()
	s.set.global = append(s.set.global, id)
}

// GlobalGet takes its share: as many as there are for each P and one more, at most half of a
// ring, and what is asked for. What has no room in the ring goes back.
func (s madeGlobals) GlobalGet(p, most int) (id record.ID, ok bool) {
	s.set.mu.Lock()
	defer s.set.mu.Unlock()
	q, all := s.set.ps[p], s.set.global
	q.moves = nil
	n := min(most, len(all), len(all)/len(s.set.ps)+1, q.size/2)
	if n < 1 {
		return 0, false
	}
	fit := 1 + min(n-1, q.room())
	q.ring = append(q.ring, all[1:fit]...)
	q.moved(q.globally(), q.here(), all[1:fit]...)
	q.moved(q.globally(), q.globally(), all[fit:n]...)
	s.set.global = slices.Concat(all[n:], all[fit:n])
	return all[0], true
}

func (s madeGlobals) GlobalContents() []record.ID { return slices.Clone(s.set.global) }

// What a made queue offers.
type (
	madePlain   struct{ queue.Queue }
	madeBounded struct {
		queue.Queue
		queue.Sized
		queue.Bounded
	}
	madeBatch struct{ *made }
	madeSlot  struct{ *made }
	madeWaits struct {
		queue.Queue
		q *made
	}
)

var faces = map[string]struct {
	bounded bool
	of      func(*made) queue.Queue
}{
	"plain":   {false, func(q *made) queue.Queue { return madePlain{q} }},
	"bounded": {true, func(q *made) queue.Queue { return madeBounded{q, q, q} }},
	"batch":   {true, func(q *made) queue.Queue { return madeBatch{q} }},
	"slot":    {true, func(q *made) queue.Queue { return madeSlot{q} }},
	"global":  {true, func(q *made) queue.Queue { return madeSlot{q} }},
	"waits":   {false, func(q *made) queue.Queue { return madeWaits{q, q} }},
}

func (q madeWaits) Take() (id record.ID, ok bool) {
	q.q.do(record.Take, record.None, func(*madeCall) {
		for len(q.q.ring) == 0 && !q.q.shut {
			q.q.some.Wait()
		}
		if len(q.q.ring) > 0 {
			id, ok = q.q.take(true), true
		}
	})
	return id, ok
}

func (q madeWaits) Close() {
	q.q.do(record.CloseQueue, record.None, func(*madeCall) {
		switch q.q.shut = true; q.q.set.Closed {
		case spec.Unsaid:
			panic("a close")
		case spec.Drops:
			q.q.ring = nil
		}
		q.q.some.Broadcast()
	})
}

// do carries out a call.
func (q *made) do(kind record.Kind, thief int, act func(x *madeCall)) {
	s := q.set
	x := &madeCall{kind: kind, p: q.at, thief: thief}
	s.mu.Lock()
	for _, other := range s.work {
		if s.excludes(x, other) {
			s.mu.Unlock()
			panic(fmt.Sprintf("%v of queue %d beside %v of queue %d", x.kind, x.p, other.kind, other.p))
		}
		x.beside, other.beside = append(x.beside, other), append(other.beside, x)
	}
	if kind.Steals() && s.Steals == spec.None {
		s.mu.Unlock()
		panic("a steal")
	}
	s.work = append(s.work, x)
	s.mu.Unlock()
	s.mu.Lock()
	act(x)
	s.work = slices.DeleteFunc(slices.Clone(s.work), func(w *madeCall) bool { return w == x })
	s.mu.Unlock()
}

// excludes reports whether the contract says that two calls never overlap.
func (s *madeSet) excludes(a, b *madeCall) bool {
	if a.kind.Steals() && b.kind.Steals() {
		return s.Steals == spec.One
	}
	owner := func(x *madeCall, kind record.Kind, who string) bool { return x.kind == kind && who == spec.OwnerOnly }
	puts := func(x *madeCall) bool { return owner(x, record.Put, s.Puts) || owner(x, record.PutNext, s.Puts) }
	gets := func(x *madeCall) bool { return owner(x, record.Get, s.Gets) || owner(x, record.Take, s.Gets) }
	if late := s.ClosedPut == spec.Unsaid; late && (a.kind == record.CloseQueue && b.kind == record.Put || a.kind == record.Put && b.kind == record.CloseQueue) {
		return a.p == b.p
	}
	return a.p == b.p && (puts(a) || gets(a)) && (puts(b) || gets(b))
}

// may says whether a call takes a liberty that its contract leaves it.
func (s *madeSet) may(x *madeCall, when string) bool {
	own := func(b *madeCall) bool { return b.p == x.p || x.thief != record.None && b.p == x.thief }
	ok := slices.ContainsFunc(x.beside, func(b *madeCall) bool {
		switch when {
		case spec.Beside, spec.AtQuiet:
			return true
		case spec.BesidePut:
			return own(b) && (b.kind == record.Put || b.kind == record.PutNext)
		case spec.BesideTake:
			return own(b) && (b.kind == record.Get || b.kind.Steals())
		case spec.BesideSteal:
			return own(b) && b.kind.Steals()
		}
		return false
	}) || when == spec.Anytime || when == spec.Answered || when == spec.Unsaid
	if ok {
		s.odd = !s.odd
	}
	return ok && s.odd
}

func (q *made) Put(id record.ID) (ok bool) {
	q.do(record.Put, record.None, func(x *madeCall) {
		q.moves = nil
		if q.shut && q.set.ClosedPut == spec.Unsaid {
			panic("a put after a close")
		}
		q.some.Signal()
		if ok = !q.shut && !q.refuses(x); ok && q.spills() {
			q.set.global = append(q.set.global, id)
		} else if ok {
			q.ring = append(q.ring, id)
		}
	})
	return ok
}

// spills moves the older half of a full ring to the global queue, if there is one. It
// reports whether it did.
func (q *made) spills() bool {
	if q.set.Full != spec.Overflows || q.room() > 0 {
		return false
	}
	half := q.size / 2
	q.set.global = append(q.set.global, q.ring[:half]...)
	q.moved(q.here(), q.globally(), q.ring[:half]...)
	q.ring = slices.Clone(q.ring[half:])
	return true
}

func (q *made) here() record.Place     { return record.Place{Object: record.Ring, P: q.at} }
func (q *made) globally() record.Place { return record.Place{Object: record.Global, P: record.None} }

// refuses reports whether a put into the ring is refused.
func (q *made) refuses(x *madeCall) bool {
	c := &q.set.Contract
	return q.room() == 0 && c.Full == spec.Refuses || !(c.Bound == spec.Fresh && !q.took) && q.set.may(x, c.Refuse)
}

// room returns how many more Gs the queue holds.
func (q *made) room() int {
	if b := q.set.Bound; q.size == 0 || b == spec.Unsaid || b == spec.Grows {
		return 1 << 20
	}
	return q.size - len(q.ring)
}

// take takes a G of those that there are.
func (q *made) take(owner bool) record.ID {
	i := 0
	switch q.set.Order {
	case spec.OwnerLast:
		if owner {
			i = len(q.ring) - 1
		}
	case spec.AnyOrder:
		if q.set.odd = !q.set.odd; q.set.odd {
			i = len(q.ring) - 1
		}
	}
	id := q.ring[i]
	q.ring, q.took = slices.Delete(slices.Clone(q.ring), i, i+1), true
	return id
}

func (q *made) Get() (id record.ID, ok bool) {
	q.do(record.Get, record.None, func(x *madeCall) {
		if len(q.ring) > 0 && !q.set.may(x, q.set.GetMiss) {
			id, ok = q.take(true), true
		}
	})
	return id, ok
}

func (q *made) Steal() (id record.ID, ok bool) {
	q.do(record.Steal, record.None, func(x *madeCall) {
		if len(q.ring) > 0 && !q.set.may(x, q.set.StealMiss) {
			id, ok = q.take(false), true
		}
	})
	return id, ok
}

func (q *made) Empty() (yes bool) {
	q.do(record.Empty, record.None, func(x *madeCall) {
		yes = len(q.ring) == 0 && q.slot == 0
		if q.set.may(x, q.set.Contract.Empty) {
			yes = !yes
		}
	})
	return yes
}

func (q *made) Len() (n int) {
	q.do(record.Len, record.None, func(x *madeCall) {
		if n = len(q.ring); q.slot != 0 {
			n++
		}
		if q.set.may(x, q.set.Contract.Len) {
			n++
		}
	})
	return n
}

func (q *made) Cap() int { return q.size }

// stealInto steals from the ring, for the owner of to, or from the slot if next is set.
func (q *made) stealInto(to *made, next bool) (id record.ID, ok bool) {
	kind := record.Steal
	if next {
		kind = record.StealNext
	}
	q.do(kind, to.at, func(x *madeCall) {
		n := len(q.ring)
		to.moves = nil
		switch {
		case n == 0 && (!next || q.slot == 0), q.set.may(x, q.set.StealMiss):
			return
		case n == 0:
			id, ok, q.slot, q.took = q.slot, true, 0, true
			return
		}
		k := 1
		switch q.set.Batch {
		case spec.HalfUp:
			k = (n + 1) / 2
		case spec.HalfDown:
			k = max(1, n/2)
		case spec.Some:
			if q.set.odd = !q.set.odd; q.set.odd {
				k = min(n, 1+to.room())
			}
		}
		if k == 1 {
			id, ok = q.take(false), true
			return
		}
		if k-1 > to.room() && q.set.Rest == spec.ToThief {
			panic("no room for the rest")
		}
		rest := slices.Clone(q.ring[:k])
		q.ring, q.took = slices.Clone(q.ring[k:]), true
		at := k - 1
		if q.set.Returns == spec.Oldest {
			at = 0
		}
		id, ok = rest[at], true
		rest = slices.Delete(rest, at, at+1)
		if q.set.Rest == spec.ToGlobal {
			to.moved(q.here(), to.globally(), rest...)
			q.set.global = append(q.set.global, rest...)
			return
		}
		to.moved(q.here(), to.here(), rest...)
		to.ring = append(to.ring, rest...)
	})
	return id, ok
}

func (q madeBatch) StealInto(thief queue.Queue, next bool) (record.ID, bool) {
	return q.stealInto(thief.(madeBatch).made, next)
}

func (q madeSlot) StealInto(thief queue.Queue, next bool) (record.ID, bool) {
	return q.stealInto(thief.(madeSlot).made, next)
}

func (q madeSlot) PutNext(id record.ID) (ok bool) {
	q.do(record.PutNext, record.None, func(x *madeCall) {
		q.moves = nil
		switch {
		case q.slot == 0:
		case q.refuses(x):
			return
		default:
			slot := record.Place{Object: record.Runnext, P: q.at}
			if q.spills() {
				q.moved(slot, q.globally(), q.slot)
				q.set.global = append(q.set.global, q.slot)
			} else {
				q.moved(slot, q.here(), q.slot)
				q.ring = append(q.ring, q.slot)
			}
		}
		q.slot, ok = id, true
	})
	return ok
}

func (q madeSlot) GetNext() (id record.ID, next, ok bool) {
	q.do(record.Get, record.None, func(x *madeCall) {
		switch {
		case len(q.ring) == 0 && q.slot == 0, q.set.may(x, q.set.GetMiss):
		case q.slot != 0:
			id, next, ok, q.slot, q.took = q.slot, true, true, 0, true
		default:
			id, ok = q.take(true), true
		}
	})
	return id, next, ok
}

// moved notes what the owner's call moved.
func (q *made) moved(from, to record.Place, ids ...record.ID) {
	if len(ids) > 0 {
		q.moves = append(q.moves, record.Move{From: from, To: to, IDs: slices.Clone(ids)})
	}
}

// Moved says what the owner's last call moved.
func (q *made) Moved(move func(from, to record.Place, ids ...record.ID)) {
	for _, m := range q.moves {
		move(m.From, m.To, m.IDs...)
	}
	q.moves = nil
}

// offer says which faces offer what a choice is about. Those of the others all do.
var offer = map[string][]string{
	"indices": {}, "full": {}, // full=overflow is of the face global, always
	"bound":   {"plain", "bounded", "batch", "slot"},
	"rest":    {"global"},
	"slot":    {"slot", "global"},
	"batch":   {"batch", "slot", "global"},
	"returns": {"batch", "slot", "global"},
	"sizes":   {"bounded", "batch", "slot", "global"},

	"closed": {"waits"}, "closed-put": {"waits"},
}

// contractFor draws a contract of what a face offers.
func contractFor(r *rand.Rand, face string) spec.Contract {
	for {
		var parts []string
		for i := range spec.Choices {
			q := &spec.Choices[i]
			if who, some := offer[q.Name]; some && !slices.Contains(who, face) {
				continue
			}
			if r.IntN(2) == 0 {
				parts = append(parts, q.Name+"="+q.Values[r.IntN(len(q.Values))].Name)
			}
		}
		base := "core"
		if face == "waits" { // a put that is refused lets a take wait for ever
			base = "core,bound=grows"
		}
		if face == "global" {
			base = "fifo,full=overflow,bound=exact"
		}
		p := spec.Profile(strings.Join(append([]string{base}, parts...), ","))
		if c, ok := p.Contract(); ok {
			return c
		}
	}
}

// hard are contracts that were once too much for the checks.
var hard = []struct {
	face     string
	contract spec.Profile
}{
	{"bounded", "core,get-miss=anytime,steal-miss=anytime"},
	{"batch", "fifo,steal-miss=answered,bound=exact,batch=some,puts=any,empty=quiet"},
	{"batch", "fifo,get-miss=anytime,bound=fresh,batch=half-down"},
	{"batch", "fifo,steal-miss=anytime,bound=exact,batch=half-up"},
	{"slot", "fifo,slot=thieves,empty=quiet"},
	{"slot", "fifo,slot=thieves,steal-miss=anytime,batch=one"},
	{"slot", "fifo,batch=half-down,gets=any,empty=quiet"},
	{"global", "gort,indices=wide,batch=some,slot=owner,empty=unsaid"},
	{"global", "gort,indices=wide,get-miss=anytime"},
	{"bounded", "fifo,bound=exact,steals=one"},
	{"bounded", "fifo,bound=exact,steals=none"},
	{"waits", "fifo,bound=grows,puts=any,gets=any,get-miss=beside,closed=drains,closed-put=refuse"},
	{"waits", "core,bound=grows,puts=any,gets=any,closed=drops"},
}

// TestRightUnderAnyContract: a queue that does what its contract says, whichever it is, and
// takes every liberty, is accused of nothing, and every check that is made for it comes to
// its end, or a judge gives up.
func TestRightUnderAnyContract(t *testing.T) {
	drawn, err := record.SeedFromEnv(rand.Uint64())
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(drawn)
	n, long := tier.N(t, 1, 2), tier.Full(t)
	if long {
		n = 300
	}
	var cases []int
	for i := range len(hard) + n {
		cases = append(cases, i)
	}
	for _, i := range append(tier.Some(t, cases[:len(hard)], 1), cases[len(hard):]...) {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		var face string
		var c spec.Contract
		if i < len(hard) {
			face = hard[i].face
			c, _ = hard[i].contract.Contract()
		} else {
			face = []string{"plain", "bounded", "batch", "slot", "global", "waits"}[i%6]
			c = contractFor(r, face)
		}
		p, err := c.Profile()
		if err != nil {
			t.Fatal(err)
		}
		target, err := Instrumented(face, p, madeBy(c, faces[face].bounded, faces[face].of))
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		Short(target)
		explored(t, r, target)
		if long && i%10 == 0 {
			onThreads(t, target)
		}
		if t.Failed() {
			t.Fatalf("again: %s", tier.Command(t, seed))
		}
	}
}

// explored judges a target by some scenarios of each check of sequences and interleavings.
func explored(t *testing.T, r *rand.Rand, target Target) {
	f := factsOf(target)
	for _, whole := range all {
		c := whole
		if c.witness != spec.Sequence && c.witness != spec.Interleave {
			continue
		}
		if s := c.suite(); !s.Fits(f.profile) || c.forTarget(f).lacks(f) != "" {
			continue
		}
		c.bound = min(c.executions(), 200)
		if c.enumerates != nil {
			c.enumerates = func(f facts) ([]record.Scenario, string) {
				list, which := whole.enumerates(f)
				r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
				return list[:min(len(list), 40)], which
			}
		} else {
			c.scenarios = min(c.scenarios, 20)
		}
		_, events := carriedOn(t, t.Context(), c, target)
		unaccusedBut(t, f, events, lostTrack)
	}
}

// onThreads judges a target on real threads.
func onThreads(t *testing.T, target Target) {
	_, events := judged(t, suite.Options{Witnesses: []spec.Witness{spec.Stress, spec.Linearizability}}, target)
	unaccusedBut(t, factsOf(target), events, leftOpen)
}

// unaccused fails if something was found, or a check has not come to its end.
func unaccused(t *testing.T, f facts, events []suite.Event) {
	t.Helper()
	unaccusedBut(t, f, events, func(suite.Ended, string) bool { return false })
}

// unaccusedBut is unaccused, but for checks, or parts of them, in which a judge gave up, by how they ended and why.
func unaccusedBut(t *testing.T, f facts, events []suite.Event, gaveUp func(how suite.Ended, why string) bool) {
	t.Helper()
	for _, e := range events {
		if e.Finding != nil {
			t.Errorf("%v, %s: %s: %s: expected %s, saw %s", f.caps.Words(), f.profile, e.Check, e.Finding.Requirement, e.Finding.Expected, e.Finding.Observed)
			for _, v := range e.Finding.Evidence {
				t.Log(strings.Join(v.Lines, "\n"))
			}
		}
		if e.Result == nil {
			continue
		}
		ended := e.Result.Ended == suite.Completed || e.Result.Ended == suite.Skipped || gaveUp(e.Result.Ended, e.Result.Reason)
		for _, why := range e.Result.Cut {
			ended = ended && gaveUp(suite.Completed, why)
		}
		if !ended {
			t.Errorf("%v, %s: %s: %v, %s %v", f.caps.Words(), f.profile, e.Check, e.Result.Ended, e.Result.Reason, e.Result.Cut)
		}
	}
}

// lostTrack: the sequential machine does not know any more what the queues hold, where the contract leaves very much open.
func lostTrack(how suite.Ended, why string) bool {
	return how == suite.Completed && strings.Contains(why, "what the queues held after call")
}

// leftOpen: the search for an order has a limit of time, and threads may not have come into each other's way.
func leftOpen(how suite.Ended, why string) bool {
	return how == suite.Inconclusive && (strings.Contains(why, "had not decided") || strings.HasPrefix(why, "seen after"))
}

// liberties are values of a choice that leave a queue more than another value does, and the
// requirement that is broken by who takes what the other does not leave.
var liberties = []struct{ choice, takes, leaves, requirement string }{
	{"order", spec.AnyOrder, spec.FirstIn, "RQ-FIFO"},
	{"order", spec.AnyOrder, spec.OwnerLast, "RQ-LIFO"},
	{"order", spec.OwnerLast, spec.FirstIn, "RQ-FIFO"},
	{"order", spec.FirstIn, spec.OwnerLast, "RQ-LIFO"},

	{"get-miss", spec.Anytime, spec.Beside, "RQ-GET-NONE"},
	{"get-miss", spec.Beside, spec.BesidePut, "RQ-GET-NONE"},
	{"get-miss", spec.Beside, spec.BesideTake, "RQ-GET-NONE"},
	{"get-miss", spec.BesidePut, spec.BesideTake, "RQ-GET-NONE"},
	{"get-miss", spec.BesideTake, spec.BesidePut, "RQ-GET-NONE"},
	{"get-miss", spec.BesideTake, spec.BesideSteal, "RQ-GET-NONE"},
	{"get-miss", spec.BesidePut, spec.Never, "RQ-GET-NONE"},
	{"get-miss", spec.BesideSteal, spec.Never, "RQ-GET-NONE"},

	{"steal-miss", spec.Anytime, spec.Beside, "RQ-STEAL-NONE"},
	{"steal-miss", spec.Answered, spec.Beside, "RQ-STEAL-NONE"},
	{"steal-miss", spec.Beside, spec.BesidePut, "RQ-STEAL-NONE"},
	{"steal-miss", spec.Beside, spec.BesideTake, "RQ-STEAL-NONE"},
	{"steal-miss", spec.BesidePut, spec.BesideTake, "RQ-STEAL-NONE"},
	{"steal-miss", spec.BesideTake, spec.BesidePut, "RQ-STEAL-NONE"},
	{"steal-miss", spec.BesideTake, spec.BesideSteal, "RQ-STEAL-NONE"},
	{"steal-miss", spec.BesidePut, spec.Never, "RQ-STEAL-NONE"},
	{"steal-miss", spec.BesideSteal, spec.Never, "RQ-STEAL-NONE"},

	{"refuse", spec.Beside, spec.BesidePut, "RQ-CAPACITY"},
	{"refuse", spec.Beside, spec.BesideTake, "RQ-CAPACITY"},
	{"refuse", spec.BesidePut, spec.BesideTake, "RQ-CAPACITY"},
	{"refuse", spec.BesideTake, spec.BesidePut, "RQ-CAPACITY"},
	{"refuse", spec.BesideTake, spec.BesideSteal, "RQ-CAPACITY"},
	{"refuse", spec.BesidePut, spec.Never, "RQ-CAPACITY"},
	{"refuse", spec.BesideSteal, spec.Never, "RQ-CAPACITY"},

	{"bound", spec.Unsaid, spec.AtMost, "RQ-CAPACITY"},
	{"bound", spec.AtMost, spec.Fresh, "RQ-CAPACITY"},
	{"bound", spec.Fresh, spec.Exact, "RQ-CAPACITY"},
	{"bound", spec.Exact, spec.Grows, "RQ-CAPACITY"},
	{"bound", spec.Grows, spec.Exact, "RQ-CAPACITY"},

	{"batch", spec.One, spec.HalfUp, "RQ-STEAL-HALF"},
	{"batch", spec.HalfUp, spec.One, "RQ-STEAL-HALF"},
	{"batch", spec.HalfUp, spec.HalfDown, "RQ-STEAL-HALF"},
	{"batch", spec.HalfDown, spec.HalfUp, "RQ-STEAL-HALF"},
	{"batch", spec.Some, spec.HalfUp, "RQ-STEAL-HALF"},
	{"batch", spec.Some, spec.HalfDown, "RQ-STEAL-HALF"},
	{"batch", spec.Some, spec.One, "RQ-STEAL-HALF"},
	{"returns", spec.Newest, spec.Oldest, "RQ-STEAL-ORDER"},
	{"returns", spec.Oldest, spec.Newest, "RQ-STEAL-ORDER"},

	{"puts", spec.OwnerOnly, spec.Anyone, "RQ-CRASH"},
	{"gets", spec.OwnerOnly, spec.Anyone, "RQ-CRASH"},
	{"steals", spec.One, spec.Anyone, "RQ-CRASH"},
	{"steals", spec.None, spec.One, "RQ-CRASH"},

	{"empty", spec.Unsaid, spec.AtQuiet, "RQ-EMPTY"},
	{"empty", spec.AtQuiet, spec.AtMoment, "RQ-EMPTY"},
	{"len", spec.AtQuiet, spec.AtMoment, "RQ-LEN"},

	{"sizes", spec.EverySize, spec.Powers, "RQ-SIZES"},
	{"sizes", spec.Powers, spec.PowersFromTwo, "RQ-SIZES"},
	{"sizes", spec.PowersFromTwo, spec.EverySize, "RQ-SIZES"},

	{"closed", spec.Drops, spec.Drains, "RQ-LOST"},
	{"closed", spec.Drains, spec.Drops, "RQ-CLOSE-DROPS"},
	{"closed-put", spec.Unsaid, spec.Refuses, "RQ-CRASH"},
}

// TestEachChoiceIsJudged: a queue that takes a liberty is wrong under a contract that differs
// in that choice alone and does not leave it, by the requirement that the choice is about.
func TestEachChoiceIsJudged(t *testing.T) {
	tier.NotShort(t)
	taken := make(map[string]bool)
	for _, l := range liberties {
		taken[l.choice] = true
	}
	for _, l := range tier.Some(t, liberties, len(liberties)/5) {
		contract := func(value string) spec.Contract {
			text := "fifo,bound=exact,refuse=never"
			switch {
			case l.choice == "get-miss":
				text += ",puts=any,gets=any"
			case l.choice == "refuse":
				text = "fifo,bound=exact,puts=any,gets=any"
			case l.choice == "closed":
				text = "fifo,bound=grows,puts=any,gets=any,closed-put=refuse"
			case l.choice == "closed-put":
				text = "fifo,bound=grows,puts=any,gets=any,closed=drains"
			case l.choice == "returns":
				text += ",batch=half-up"
			case value == spec.Unsaid && l.choice == "bound", value == spec.AtMost, value == spec.Fresh, value == spec.Grows:
				text = "fifo"
			}
			c, ok := spec.Profile(text + "," + l.choice + "=" + value).Contract()
			if !ok {
				t.Fatalf("%s, %s=%s is no contract", text, l.choice, value)
			}
			return c
		}
		face := "bounded"
		if l.choice == "batch" || l.choice == "returns" {
			face = "batch"
		}
		if strings.HasPrefix(l.choice, "closed") {
			face = "waits"
		}
		p, err := contract(l.leaves).Profile()
		if err != nil {
			t.Fatal(err)
		}
		target, err := Instrumented(face, p, madeBy(contract(l.takes), faces[face].bounded, faces[face].of))
		if err != nil {
			t.Fatal(err)
		}
		out, err := Search(t.Context(), target, suite.Limits{Sequences: 500, Scenarios: 3_000, Each: 2_000, Executions: 100_000})
		if err != nil || out.Hit == nil || !strings.HasPrefix(out.Hit.Requirement, l.requirement) {
			t.Errorf("%s: %s in place of %s: expected %s, saw %+v, %v", l.choice, l.takes, l.leaves, l.requirement, out.Hit, err)
		}
	}
	for i := range spec.Choices {
		if name := spec.Choices[i].Name; !taken[name] && !slices.Contains([]string{"full", "rest", "slot", "indices"}, name) {
			t.Errorf("nobody takes a liberty with %s", name)
		}
	}
}
