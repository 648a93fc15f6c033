package checks

import (
	"slices"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A looted is a deque whose thieves take several: how says how. It locks itself for each G
// that is taken or put, so that an owner may get in between.
type looted struct {
	mu    sync.Mutex
	set   *lootedSet
	at    int
	ids   []record.ID
	moves []record.Move
}

// lootedSet is the deques of one set, and what they do otherwise than they should.
type lootedSet struct {
	how  lootedHow
	size int // of each deque, 0: they grow
	ps   []*looted
}

type lootedHow struct {
	oldest  bool                                             // a steal gives the oldest of its batch
	least   bool                                             // half is rounded down
	first   bool                                             // a get takes the oldest, too
	at      func(i, left int) int                            // which of those that are left a thief takes as number i; nil: the oldest
	whole   bool                                             // a thief holds the lock from the first to the last
	copies  bool                                             // a thief copies its batch, and takes it later
	pushes  func(own, rest []record.ID) []record.ID          // what the thief then has; nil: the rest behind its own
	part    func(n int) int                                  // how many of n it takes; nil: half
	gives   func(batch []record.ID) (record.ID, []record.ID) // nil: the newest, or the oldest
	bounded bool                                             // it holds only so many
	shy     bool                                             // a thief that is more than half full takes nothing
	crams   bool                                             // a thief takes its part whether there is room or not
	counted bool                                             // it says what it moves
	stale   bool                                             // the rest is put behind what the thief had a while ago
}

func lootedBy(how lootedHow) queue.Factory {
	return func(o queue.Options) (queue.Set, error) {
		s := &lootedSet{how: how}
		if how.bounded {
			if s.size = o.Capacity; s.size == 0 {
				s.size = 4
			}
		}
		faces := make(madeFaces, o.Ps)
		for i := range o.Ps {
			q := &looted{set: s, at: i}
			s.ps = append(s.ps, q)
			switch {
			case how.bounded && how.counted:
				faces[i] = lootedRing{lootedMover{q}}
			case how.counted:
				faces[i] = lootedMover{q}
			default:
				faces[i] = q
			}
		}
		return faces, nil
	}
}

// lootedRing says how many it holds.
type lootedRing struct{ lootedMover }

func (q lootedRing) Cap() int { return q.set.size }

// lootedMover says what its calls move.
type lootedMover struct{ *looted }

func (q lootedMover) Moved(move func(from, to record.Place, ids ...record.ID)) {
	for _, m := range q.moves {
		move(m.From, m.To, m.IDs...)
	}
	q.moves = nil
}

func (q *looted) locked(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f()
}

func (q *looted) Put(id record.ID) bool {
	ok := false
	q.locked(func() {
		if ok = q.set.size == 0 || len(q.ids) < q.set.size; ok {
			q.ids = append(q.ids, id)
		}
	})
	q.moves = nil
	return ok
}

func (q *looted) Get() (id record.ID, ok bool) {
	q.locked(func() {
		n := len(q.ids)
		switch {
		case n == 0:
		case q.set.how.first:
			id, ok, q.ids = q.ids[0], true, q.ids[1:]
		default:
			id, ok, q.ids = q.ids[n-1], true, q.ids[:n-1:n-1]
		}
	})
	return id, ok
}

func (q *looted) Steal() (id record.ID, ok bool) {
	q.locked(func() { id, ok = q.oldest(0) })
	return id, ok
}

// oldest takes G number i of a batch.
func (q *looted) oldest(i int) (id record.ID, ok bool) {
	n := len(q.ids)
	if n == 0 {
		return 0, false
	}
	at := 0
	if f := q.set.how.at; f != nil {
		at = f(i, n)
	}
	id = q.ids[at]
	q.ids = slices.Delete(slices.Clone(q.ids), at, at+1)
	return id, true
}

func (q *looted) Empty() (yes bool) {
	q.locked(func() { yes = len(q.ids) == 0 })
	return yes
}

func (q *looted) Len() (n int) {
	q.locked(func() { n = len(q.ids) })
	return n
}

func (q *looted) StealInto(thief queue.Queue, _ bool) (record.ID, bool) {
	return q.stealInto(thief.(interface{ self() *looted }).self())
}

func (q *looted) self() *looted { return q }

func (q *looted) stealInto(to *looted) (record.ID, bool) {
	how := &q.set.how
	part := how.part
	if part == nil {
		part = func(n int) int {
			if how.least {
				return max(n/2, min(n, 1))
			}
			return n - n/2
		}
	}
	if size := q.set.size; size > 0 {
		held := to.Len()
		if how.shy && held > size/2 {
			to.moves = nil
			return 0, false
		}
		if half := part; !how.crams {
			part = func(n int) int { return min(half(n), 1+size-held) }
		}
	}
	var batch []record.ID
	take := func(k int) {
		for i := range k {
			if id, ok := q.oldest(i); ok {
				batch = append(batch, id)
			}
		}
	}
	k := 0
	switch {
	case how.whole:
		q.locked(func() { take(part(len(q.ids))) })
	case how.copies: // wrong: its owner may have taken some of them
		q.locked(func() { batch = slices.Clone(q.ids[:part(len(q.ids))]) })
		q.locked(func() { q.ids = slices.Clone(q.ids[min(len(q.ids), len(batch)):]) })
	default:
		q.locked(func() { k = part(len(q.ids)) })
		for i := range k {
			before := len(batch)
			q.locked(func() {
				if id, ok := q.oldest(i); ok {
					batch = append(batch, id)
				}
			})
			if len(batch) == before {
				break
			}
		}
	}
	to.moves = nil
	if len(batch) == 0 {
		return 0, false
	}
	gives := how.gives
	if gives == nil {
		gives = func(b []record.ID) (record.ID, []record.ID) {
			if how.oldest {
				return b[0], b[1:]
			}
			return b[len(b)-1], b[:len(b)-1]
		}
	}
	id, rest := gives(batch)
	if len(rest) > 0 {
		place := func(p int) record.Place { return record.Place{Object: record.Ring, P: p} }
		to.moves = []record.Move{{From: place(q.at), To: place(to.at), IDs: slices.Clone(rest)}}
	}
	if how.pushes != nil {
		to.locked(func() { to.ids = how.pushes(to.ids, slices.Clone(rest)) })
		return id, true
	}
	if how.stale { // wrong: another thief may have been there
		var own []record.ID
		to.locked(func() { own = slices.Clone(to.ids) })
		to.locked(func() { to.ids = append(own, rest...) })
		return id, true
	}
	for _, id := range rest {
		to.locked(func() { to.ids = append(slices.Clone(to.ids), id) })
	}
	return id, true
}

// lootedCases are deques and pools whose thieves take several, with what they promise and the
// requirements of which a wrong one breaks one.
var lootedCases = []struct {
	name     string
	contract spec.Profile
	how      lootedHow
	falls    []string // nil: it is right
}{
	{"one by one, newest, as crossbeam", "lifo-deque,batch=some", lootedHow{}, nil},
	{"one by one, oldest", "lifo-deque,batch=some,returns=oldest", lootedHow{oldest: true}, nil},
	{"half at once", "lifo-deque,batch=half-up,steal-miss=never", lootedHow{whole: true}, nil},
	{"half at once, rounded down, oldest", "lifo-deque,batch=half-down,returns=oldest", lootedHow{whole: true, least: true, oldest: true}, nil},
	{"all of them", "lifo-deque,batch=some", lootedHow{part: func(n int) int { return n }}, nil},
	{"a pool", "core,batch=half-up", lootedHow{whole: true}, nil},
	{"a pool, some", "core,batch=some", lootedHow{at: func(i, left int) int { return i % left }}, nil},

	{"from the young end", "lifo-deque,batch=some", lootedHow{at: func(_, left int) int { return left - 1 }}, []string{"RQ-LIFO"}},
	{"the second from the young end", "lifo-deque,batch=some", lootedHow{at: func(i, left int) int { return min(i, 1) * (left - 1) }}, []string{"RQ-LIFO", "RQ-STEAL-ORDER"}},
	{"the rest backwards", "lifo-deque,batch=some,returns=oldest", lootedHow{oldest: true, part: func(n int) int { return n }, pushes: func(own, rest []record.ID) []record.ID {
		slices.Reverse(rest)
		return append(own, rest...)
	}}, []string{"RQ-LIFO", "RQ-STEAL-ORDER"}},
	{"the rest in front of its own", "lifo-deque,batch=some", lootedHow{part: func(n int) int { return n }, pushes: func(own, rest []record.ID) []record.ID { return append(rest, own...) }}, []string{"RQ-LIFO", "RQ-STEAL-ORDER"}},
	{"the rest in place of its own", "lifo-deque,batch=some", lootedHow{part: func(n int) int { return n }, pushes: func(own, rest []record.ID) []record.ID { return rest }}, []string{"RQ-LOST"}},
	{"gives the oldest", "lifo-deque,batch=half-up", lootedHow{whole: true, oldest: true}, []string{"RQ-STEAL-ORDER"}},
	{"copied and taken later", "lifo-deque,batch=half-up", lootedHow{copies: true}, []string{"RQ-TWICE", "RQ-LOST"}},
	{"half, and less where an owner comes between", "lifo-deque,batch=half-up", lootedHow{part: func(n int) int { return n - n/2 }}, []string{"RQ-STEAL-HALF"}},
	{"another half", "lifo-deque,batch=half-up", lootedHow{whole: true, least: true}, []string{"RQ-STEAL-HALF"}},
	{"first in, first out", "lifo-deque,batch=some", lootedHow{first: true}, []string{"RQ-LIFO"}},
	{"a pool, another half", "core,batch=half-up", lootedHow{whole: true, least: true}, []string{"RQ-STEAL-HALF"}},
	{"a pool, copied and taken later", "core,batch=some", lootedHow{copies: true}, []string{"RQ-TWICE", "RQ-LOST"}},
	{"a pool, the rest in place of its own", "core,batch=some", lootedHow{whole: true, pushes: func(own, rest []record.ID) []record.ID { return rest }}, []string{"RQ-LOST"}},

	{"as many as there is room for", "fifo,batch=some,bound=exact", lootedHow{bounded: true, first: true, whole: true}, nil},
	{"nothing if more than half full", "fifo,batch=some,bound=exact", lootedHow{bounded: true, first: true, whole: true, shy: true}, nil},
	{"one", "fifo,batch=one,bound=exact", lootedHow{bounded: true, first: true, part: one}, nil},
	{"half, nothing if more than half full", "fifo,batch=half-up,bound=exact", lootedHow{bounded: true, first: true, whole: true, shy: true}, nil},
	{"a deque, one by one, as many as there is room for", "lifo-deque,batch=some,bound=exact", lootedHow{bounded: true}, nil},

	{"over the end of the thief's ring", "fifo,batch=some,bound=exact", lootedHow{bounded: true, first: true, whole: true, crams: true}, []string{"RQ-CAPACITY"}},
	{"over the thief's own", "fifo,batch=some,bound=exact", lootedHow{bounded: true, first: true, whole: true, crams: true, pushes: within}, []string{"RQ-LOST"}},
	{"half over the thief's own", "fifo,batch=half-up,bound=exact", lootedHow{bounded: true, first: true, whole: true, pushes: func(own, rest []record.ID) []record.ID {
		if len(own) > 1 && len(rest) > 0 {
			own = own[1:]
		}
		return append(own, rest...)
	}}, []string{"RQ-LOST"}},
	{"one, and then its own turned round", "fifo,batch=one,bound=exact", lootedHow{bounded: true, first: true, part: one, pushes: func(own, _ []record.ID) []record.ID {
		if own = slices.Clone(own); len(own) > 2 {
			slices.Reverse(own)
		}
		return own
	}}, []string{"RQ-FIFO", "RQ-STEAL-HALF"}},
	{"one of a thief that is full is dropped", "fifo,batch=one,bound=exact", lootedHow{bounded: true, first: true, part: func(n int) int { return min(n, 2) }, crams: true, pushes: within}, []string{"RQ-STEAL-HALF", "RQ-LOST"}},
}

func one(n int) int { return min(n, 1) }

// within returns what is left of a thief's own and of what it took in a ring of four: the last four.
func within(own, rest []record.ID) []record.ID {
	all := slices.Concat(own, rest)
	return all[max(0, len(all)-4):]
}

// TestLootedDeques: of deques and pools whose thieves take several the right ones are accused
// of nothing, and the wrong ones fall by what is wrong.
func TestLootedDeques(t *testing.T) {
	for i, c := range tier.Some(t, lootedCases, 4) {
		how := c.how
		how.counted = true
		target, err := Instrumented("looted", c.contract, lootedBy(how))
		if err != nil {
			t.Fatal(err)
		}
		Short(target)
		checks := "^sequence/(steal|full-thief|random|all)$|^interleave/(all|loot|steal)$"
		if c.falls == nil {
			checks += "|^stress/trade$"
			if i == 0 {
				checks += "|^linearizability/(all|ring)$|^stress/steal$"
			}
		}
		_, events := judged(t, suite.Options{Seed: 1, Select: checks}, target)
		broken := brokenIDs(events)
		t.Logf("%s: %v", c.name, broken)
		if c.falls == nil {
			unaccused(t, factsOf(target), events)
		}
		if slices.ContainsFunc(broken, func(id string) bool { return slices.Contains(c.falls, id) }) != (c.falls != nil) {
			t.Errorf("%s: expected one of %v broken, saw %v", c.name, c.falls, broken)
		}
	}
}

// TestLootedUncounted: deques that do not say what their steals move are judged by counting in
// the interleavings of these, too.
func TestLootedUncounted(t *testing.T) {
	for i, c := range []struct {
		name     string
		contract spec.Profile
		how      lootedHow
		falls    []string
	}{
		{"one by one, newest, as crossbeam", "lifo-deque,batch=some", lootedHow{}, nil},
		{"half at once, oldest", "lifo-deque,batch=half-up,returns=oldest", lootedHow{whole: true, oldest: true}, nil},
		{"a pool", "core,batch=some", lootedHow{whole: true}, nil},
		{"first in, first out", "fifo,batch=some,returns=oldest", lootedHow{whole: true, first: true, oldest: true}, nil},

		{"copied and taken later", "lifo-deque,batch=some", lootedHow{copies: true}, []string{"RQ-TWICE", "RQ-LOST"}},
		{"into a copy of the thief's", "lifo-deque,batch=some", lootedHow{stale: true}, []string{"RQ-TWICE", "RQ-LOST"}},
		{"no room for what an owner took", "core,batch=half-up", lootedHow{part: func(n int) int { return n - n/2 }, gives: func(b []record.ID) (record.ID, []record.ID) {
			return b[1], append(b[:1:1], b[2:]...) // wrong: there may be one
		}}, []string{"RQ-CRASH"}},
	} {
		target, err := Instrumented("looted", c.contract, lootedBy(c.how))
		if err != nil {
			t.Fatal(err)
		}
		Short(target)
		checks := "^interleave/counted$"
		if c.falls == nil {
			checks += "|^sequence/(steal|full-thief|random|all)$|^interleave/all$|^stress/trade$"
			if i == 0 {
				checks += "|^sequence/"
			}
		}
		_, events := judged(t, suite.Options{Seed: 1, Select: checks}, target)
		broken := brokenIDs(events)
		t.Logf("%s: %v", c.name, broken)
		if c.falls == nil {
			unaccused(t, factsOf(target), events)
			for _, e := range events {
				if e.Check == "interleave/counted" && e.Result != nil && (e.Result.Ended != suite.Completed || e.Result.Judged["RQ-TWICE"] == 0) {
					t.Errorf("%s: expected that interleavings were judged, saw %+v", c.name, e.Result)
				}
			}
		}
		if slices.ContainsFunc(broken, func(id string) bool { return slices.Contains(c.falls, id) }) != (c.falls != nil) {
			t.Errorf("%s: expected one of %v broken, saw %v", c.name, c.falls, broken)
		}
	}
}

// TestCountedOnce: where Gs are counted, and no more, an execution is judged once, and not in
// all orders of its calls, of which there may be millions.
func TestCountedOnce(t *testing.T) {
	target, err := Instrumented("looted", "lifo-deque,batch=some", lootedBy(lootedHow{}))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := explorable(target)
	s := record.Scenario{Name: "counted", Ps: 2, Before: "T0:p", Threads: []record.Thread{{P: 0, Script: "gppg"}, {P: 1, Script: "ggs0"}}}
	executions := 0
	x := exploring{profile: "lifo-deque,batch=some", f: f, s: s, past: make(map[string]bool), tell: func(*record.History) { executions++ }}
	if r, err := x.run(); err != nil || r.Failure != nil || len(x.seen) == 0 || len(x.seen) > executions {
		t.Errorf("%v, %v, %d histories of %d executions judged", r.Failure, err, len(x.seen), executions)
	}
}
