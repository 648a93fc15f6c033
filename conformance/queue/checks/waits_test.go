package checks

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// behind is a queue behind a mutex that the explorer controls, and can be closed.
type behind struct {
	mu     sync.Mutex
	ids    []record.ID
	closed bool
	flaw   string
}

// first takes the oldest. The caller holds the mutex.
func (q *behind) first() (record.ID, bool) {
	if len(q.ids) == 0 {
		return 0, false
	}
	id := q.ids[0]
	q.ids = q.ids[1:]
	return id, true
}

func (q *behind) Get() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.first()
}

func (q *behind) Steal() (record.ID, bool) { return q.Get() }

func (q *behind) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ids) == 0
}

// awaited is a queue with takes that wait at a condition, right or wrong.
type awaited struct {
	behind
	notEmpty *sync.Cond
	size     int // 0: it grows
	waiting  int
	places   int // how many have been woken and have not gone on, of a flaw
	drops    bool
}

func newAwaited(flaw string, drops bool) func() *awaited {
	return func() *awaited {
		q := &awaited{behind: behind{flaw: flaw}, drops: drops}
		q.notEmpty = sync.NewCond(&q.mu)
		return q
	}
}

func (q *awaited) Put(id record.ID) bool {
	if q.flaw == "put looks before the lock" {
		q.mu.Lock()
		closed := q.closed
		q.mu.Unlock()
		q.mu.Lock()
		defer q.mu.Unlock()
		if closed {
			return false
		}
		q.ids = append(q.ids, id)
		q.notEmpty.Signal()
		return true
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed && q.flaw != "put after close":
		return false
	case q.size > 0 && len(q.ids) == q.size:
		return false
	}
	q.ids = append(q.ids, id)
	switch {
	case q.flaw == "wakes if empty" && len(q.ids) > 1:
	case q.flaw == "signal for whom it counts" && q.waiting == 0:
	case q.flaw == "two places" && (q.waiting == 0 || q.places == 2):
	case q.flaw == "two places":
		q.places++
		q.notEmpty.Signal()
	default:
		q.notEmpty.Signal()
	}
	return true
}

func (q *awaited) Take() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.flaw == "closed first" && q.closed {
		return 0, false
	}
	if q.flaw == "looks before the lock" && len(q.ids) == 0 && !q.closed {
		q.mu.Unlock()
		q.mu.Lock()
		q.notEmpty.Wait()
	}
	if q.flaw == "signal for whom it counts" && len(q.ids) == 0 && !q.closed {
		q.mu.Unlock()
		q.mu.Lock()
		q.waiting++
		q.notEmpty.Wait()
		q.waiting--
	}
	if q.flaw == "looks once" && len(q.ids) == 0 && !q.closed {
		q.notEmpty.Wait()
		return q.first()
	}
	for q.flaw == "two places" && len(q.ids) == 0 && !q.closed {
		q.waiting++
		for q.places == 0 && !q.closed {
			q.notEmpty.Wait()
		}
		q.places = max(0, q.places-1)
		q.waiting--
	}
	for len(q.ids) == 0 && (!q.closed || q.flaw == "later ones wait" && q.waiting == 0) {
		q.waiting++
		q.notEmpty.Wait()
		if q.flaw == "later ones wait" && q.closed {
			return q.first()
		}
		q.waiting--
	}
	if q.closed && q.flaw == "the first resets" && len(q.ids) == 0 {
		q.closed = false
	}
	return q.first()
}

func (q *awaited) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	if q.drops {
		q.ids = nil
	}
	if q.flaw == "forgets" {
		q.ids = nil
	}
	if q.flaw == "wakes one" {
		q.notEmpty.Signal()
	} else {
		q.notEmpty.Broadcast()
	}
}

// handed gives each take that waits a place of its own, into which a put lays its G.
type handed struct {
	behind
	waits []*place
}

type place struct {
	cond *sync.Cond
	id   record.ID
	done bool
}

func (q *handed) Put(id record.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	if len(q.waits) > 0 {
		p := q.waits[0]
		q.waits = q.waits[1:]
		p.id, p.done = id, true
		if q.flaw == "all are let go" {
			for _, p := range q.waits {
				p.done = true
				p.cond.Signal()
			}
			q.waits = nil
		}
		p.cond.Signal()
		return true
	}
	q.ids = append(q.ids, id)
	return true
}

func (q *handed) Take() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if id, ok := q.first(); ok {
		return id, true
	}
	if q.closed && q.flaw != "later ones queue up" {
		return 0, false
	}
	p := &place{cond: sync.NewCond(&q.mu)}
	q.waits = append(q.waits, p)
	for !p.done {
		p.cond.Wait()
	}
	return p.id, p.id != 0
}

func (q *handed) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for i, p := range q.waits {
		if q.flaw == "but the last" && i > 0 && i == len(q.waits)-1 {
			return
		}
		p.done = true
		p.cond.Signal()
	}
	q.waits = nil
}

// spinning has takes that look again and again.
type spinning struct {
	handed
	over atomic.Bool
}

func (q *spinning) Take() (record.ID, bool) {
	for {
		over := q.over.Load()
		if id, ok := q.Get(); ok || over {
			return id, ok
		}
	}
}

func (q *spinning) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.over.Store(true)
}

// uneven has takes that look again and again, and do something else in every fourth round.
type uneven struct{ spinning }

func (q *uneven) Take() (record.ID, bool) {
	for n := 1; ; n++ {
		over := q.over.Load()
		if id, ok := q.Get(); ok || over {
			return id, ok
		}
		if n%4 == 0 {
			q.Empty()
		}
	}
}

// inLots puts and takes several at once. Its takes look at a count.
type inLots struct {
	awaited
	count int
}

func (q *inLots) PutBatch(ids []record.ID) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return 0
	}
	q.ids = append(q.ids, ids...)
	q.count += len(ids)
	for i := range ids {
		if i == 0 || q.flaw != "a batch wakes one" {
			q.notEmpty.Signal()
		}
	}
	return len(ids)
}

func (q *inLots) Put(id record.ID) bool { return q.PutBatch([]record.ID{id}) == 1 }

func (q *inLots) first() (record.ID, bool) {
	id, ok := q.awaited.first()
	if ok {
		q.count--
	}
	return id, ok
}

func (q *inLots) Get() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.first()
}

func (q *inLots) Steal() (record.ID, bool) { return q.Get() }

func (q *inLots) Take() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.count == 0 && !q.closed {
		q.notEmpty.Wait()
	}
	return q.first()
}

func (q *inLots) Drain(buf []record.ID) []record.ID {
	q.mu.Lock()
	defer q.mu.Unlock()
	buf = append(buf, q.ids...)
	q.ids = nil
	if q.flaw != "a drain counts nothing" {
		q.count = 0
	}
	return buf
}

// StealInto takes half of them.
func (q *inLots) StealInto(thief queue.Queue, _ bool) (record.ID, bool) {
	q.mu.Lock()
	k := (len(q.ids) + 1) / 2
	ids := q.ids[:k:k]
	q.ids, q.count = q.ids[k:], q.count-k
	q.mu.Unlock()
	if k == 0 {
		return 0, false
	}
	t := thief.(*inLots)
	if t.PutBatch(ids[:k-1]); t.flaw == "a thief counts nothing" {
		t.mu.Lock()
		t.count -= k - 1
		t.mu.Unlock()
	}
	return ids[k-1], true
}

func inLotsFactory(flaw string) queue.Factory {
	return queue.Single(func() *inLots {
		q := &inLots{awaited: awaited{behind: behind{flaw: flaw}}}
		q.notEmpty = sync.NewCond(&q.mu)
		return q
	})
}

const (
	waitsCore  = "fifo,puts=any,gets=any,bound=grows"
	waitsDrain = waitsCore + ",closed=drains,closed-put=refuse"
	waitsDrop  = waitsCore + ",closed=drops,closed-put=refuse"
	waitsHalf  = "fifo,bound=grows,batch=half-up"
)

type takesOnly struct{ q *awaited }

func (q takesOnly) Put(id record.ID) bool           { return q.q.Put(id) }
func (q takesOnly) Get() (record.ID, bool)          { return q.q.Get() }
func (q takesOnly) Take() (record.ID, bool)         { return q.q.Take() }
func (q takesOnly) Steal() (record.ID, bool)        { return q.q.Steal() }
func (q takesOnly) Empty() bool                     { return q.q.Empty() }
func awaitedFactory(f string, d bool) queue.Factory { return queue.Single(newAwaited(f, d)) }

func handedFactory(flaw string) queue.Factory {
	return queue.Single(func() *handed { return &handed{behind: behind{flaw: flaw}} })
}

// judgedWaits judges a queue by the checks of takes that wait that some witnesses have.
func judgedWaits(t *testing.T, p spec.Profile, f queue.Factory, witnesses string) (ids []string, events []suite.Event) {
	t.Helper()
	target, err := Instrumented("test", p, f)
	if err != nil {
		t.Fatal(err)
	}
	s := &suite.Subject{Name: "queue", NotOffered: notOffered}
	for _, c := range waitChecks {
		if slices.Contains(strings.Fields(witnesses), string(c.witness)) {
			s.Checks = append(s.Checks, c.suite())
		}
	}
	seed, err := record.SeedFromEnv(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := suite.Run(t.Context(), suite.Options{Seed: seed, Sink: func(e suite.Event) { events = append(events, e) }}, suite.Opened(s, target)); err != nil {
		t.Fatal(err)
	}
	ids = brokenIDs(events)
	slices.Sort(ids)
	return slices.Compact(ids), events
}

type rightWait struct {
	name    string
	profile spec.Profile
	f       queue.Factory
}

// rightWaits are right queues with takes that wait.
var rightWaits = []rightWait{
	{"a condition, drains", waitsDrain, awaitedFactory("", false)},
	{"puts only before the close", waitsCore + ",closed=drains", awaitedFactory("put after close", false)},
	{"drops, puts only before", waitsCore + ",closed=drops", awaitedFactory("", true)},
	{"a condition, drops", waitsDrop, awaitedFactory("", true)},
	{"a place for each", waitsDrain, handedFactory("")},
	{"one consumer", "fifo,puts=any,bound=grows,closed=drains,closed-put=refuse", awaitedFactory("", false)},
	{"one producer", "fifo,gets=any,bound=grows,closed=drains,closed-put=refuse", awaitedFactory("", false)},
	{"several at once", waitsDrain, inLotsFactory("")},
	{"several at once, and halves", waitsHalf, inLotsFactory("")},
	{"an owner", "fifo,closed=drains", awaitedFactory("", false)},
	{"nobody closes", waitsCore, queue.Single(func() takesOnly { return takesOnly{newAwaited("", false)()} })},
	{"nobody says that it is full", "core,puts=any,gets=any,closed=drains,closed-put=refuse", awaitedFactory("", false)},
	{"a ring of two", "fifo,puts=any,gets=any,bound=exact,closed=drops,closed-put=refuse", boundedAwaited},
	{"spins", waitsDrain, queue.Single(func() *spinning { return new(spinning) })},
}

// TestWaitsRight: right queues with takes that wait are accused of nothing, and every check
// comes to its end. On real threads a few of them run, or all in the full tier.
func TestWaitsRight(t *testing.T) {
	unblamed := func(witnesses string, list []rightWait) {
		for _, c := range list {
			t.Run(c.name+", "+witnesses, func(t *testing.T) {
				_, events := judgedWaits(t, c.profile, c.f, witnesses)
				for _, e := range events {
					if e.Finding != nil {
						t.Errorf("%s: %s: %s %s %v", e.Check, e.Finding.Requirement, e.Finding.Expected, e.Finding.Observed, e.Finding.Evidence)
					}
					if r := e.Result; r != nil && (r.Ended != suite.Completed && r.Ended != suite.Skipped || len(r.Cut) > 0) {
						t.Errorf("%s: expected its end, saw %v, %s %v", e.Check, r.Ended, r.Reason, r.Cut)
					}
				}
			})
		}
	}
	unblamed("sequence interleave", rightWaits)
	unblamed("stress linearizability", tier.Some(t, rightWaits, 4))
}

type boundedAwait struct{ *awaited }

func (q *boundedAwait) Cap() int { return q.size }

func boundedAwaited(o queue.Options) (queue.Set, error) {
	return queue.OfCapacity(8, func(n int) *boundedAwait {
		q := newAwaited("", true)()
		q.size = n
		return &boundedAwait{q}
	})(o)
}

// TestWaitsWrong: wrong ones fall by the requirement that says what is wrong, by the explorer,
// and by the other checkers that are named.
func TestWaitsWrong(t *testing.T) {
	shortly(t, 200*time.Millisecond)
	for name, c := range map[string]struct {
		profile spec.Profile
		f       queue.Factory
		falls   string
		by      string
	}{
		"wakes one":                 {waitsDrain, awaitedFactory("wakes one", false), closeWakes, "stress"},
		"the first resets":          {waitsDrain, awaitedFactory("the first resets", false), closeWakes, ""},
		"later ones wait":           {waitsDrain, awaitedFactory("later ones wait", false), closeWakes, "sequence"},
		"but the last":              {waitsDrain, handedFactory("but the last"), closeWakes, ""},
		"later ones queue up":       {waitsDrain, handedFactory("later ones queue up"), closeWakes, ""},
		"wakes if empty":            {waitsCore, awaitedFactory("wakes if empty", false), takeWakes, "linearizability"},
		"looks before the lock":     {waitsCore, awaitedFactory("looks before the lock", false), takeWakes, ""},
		"signal for whom it counts": {waitsCore, awaitedFactory("signal for whom it counts", false), takeWakes, ""},
		"two places":                {waitsCore, awaitedFactory("two places", false), takeWakes, ""},
		"looks once":                {waitsCore, awaitedFactory("looks once", false), takeNone, "stress"},
		"all are let go":            {waitsCore, handedFactory("all are let go"), takeNone, ""},
		"a batch wakes one":         {waitsDrain, inLotsFactory("a batch wakes one"), takeWakes, ""},
		"a drain counts nothing":    {waitsDrain, inLotsFactory("a drain counts nothing"), takeNone, ""},
		"a thief counts nothing":    {waitsHalf, inLotsFactory("a thief counts nothing"), takeWakes, "sequence"},
		"closed first":              {waitsDrain, awaitedFactory("closed first", false), takeNone, "sequence linearizability"},
		"forgets":                   {waitsDrain, awaitedFactory("forgets", false), "RQ-LOST", "sequence stress linearizability"},
		"put after close":           {waitsDrain, awaitedFactory("put after close", false), closePut, "sequence stress"},
		"put looks before the lock": {waitsDrain, awaitedFactory("put looks before the lock", false), closePut, ""},
		"does not drop":             {waitsDrop, awaitedFactory("", false), closeDrops, "sequence stress"},
	} {
		by := strings.Fields(c.by)
		if c.profile != waitsHalf {
			by = append(by, "interleave")
		}
		for _, w := range by {
			t.Run(fmt.Sprint(name, "/", w), func(t *testing.T) {
				if ids, _ := judgedWaits(t, c.profile, c.f, w); !slices.Contains(ids, c.falls) {
					t.Errorf("expected %s, saw %v", c.falls, ids)
				}
			})
		}
	}
}

// TestTakesSpin: of takes that spin and count, no interleaving is said to be explored. The reason says what could be explored.
func TestTakesSpin(t *testing.T) {
	ids, events := judgedWaits(t, waitsDrain, queue.Single(func() *uneven { return new(uneven) }), "interleave")
	if len(ids) > 0 {
		t.Errorf("expected no finding, saw %v", ids)
	}
	for _, e := range events {
		if r := e.Result; r != nil && (r.Ended != suite.Skipped || !strings.Contains(r.Reason, "if every round does the same")) {
			t.Errorf("expected it skipped, saw %+v", r)
		}
	}
}

// TestRestsRightly: a take that waits since puts were refused shows nothing, neither right nor
// wrong: the check says so, and accuses nothing.
func TestRestsRightly(t *testing.T) {
	refuses := func() *awaited {
		q := newAwaited("", false)()
		q.size = 1 // and it does not say so
		return q
	}
	ids, events := judgedWaits(t, "fifo,gets=any,puts=any", queue.Single(refuses), "interleave")
	cut := false
	for _, e := range events {
		cut = cut || e.Result != nil && strings.Contains(e.Result.Cut[takeWakes], "and rightly")
	}
	if len(ids) > 0 || !cut {
		t.Errorf("expected no finding, and a reason why nothing is shown, saw %v, cut %v", ids, cut)
	}
}

// TestWaitsEnd: the scenarios of takes that wait are those that every right queue ends.
func TestWaitsEnd(t *testing.T) {
	drains, _ := spec.Profile(waitsDrain).Contract()
	drops, _ := spec.Profile(waitsCore + ",closed=drops").Contract()
	putsBefore, _ := spec.Profile(waitsCore + ",closed=drains").Contract()
	for _, c := range []struct {
		contract spec.Contract
		before   string
		scripts  string
		ends     bool
	}{
		{drains, "", "p t", true},
		{drains, "", "t t", false},
		{drains, "", "tp tp", false},
		{drains, "T0:p", "tp tp", true},
		{drains, "", "tt p", false},
		{drains, "", "tt c0", true},
		{drains, "", "tp c0", true},
		{drains, "", "pg t", false},
		{drains, "", "p t s0", false},
		{drains, "", "b2 t t", true},
		{drains, "", "b2d t", false},
		{drains, "", "b2dp t", true},
		{drops, "", "pc0 t", true},
		{putsBefore, "", "tc0 p", false},
		{putsBefore, "", "pc0 t", true},
		{drops, "", "p c0 t", false},
		{drops, "", "c0p t", false},
	} {
		s := record.Scenario{Name: c.scripts, Ps: 1, Shared: true, Before: c.before}
		for _, script := range strings.Fields(c.scripts) {
			s.Threads = append(s.Threads, record.Thread{P: 0, Script: script})
		}
		f := facts{contract: c.contract}
		if f.ends(&s) != c.ends {
			t.Errorf("%s, before %q: expected that it ends %v", c.scripts, c.before, c.ends)
		}
	}
}

// TestClosings: what a history says of a queue that was closed.
func TestClosings(t *testing.T) {
	const drains, drops, misses = spec.Profile(waitsDrain), spec.Profile(waitsDrop), spec.Profile(waitsDrop + ",gets=any,steal-miss=beside")
	for _, c := range []struct {
		name    string
		profile spec.Profile
		calls   string // and what is left
		falls   string
	}{
		{"drained", drains, "T0 put P0 1 [1..2]\nT0 close P0 [3..4]\nT1 take P0 = 1 [5..6]\nT1 take P0 = none [7..8]\nfinal: P0", ""},
		{"closed first", drains, "T0 put P0 1 [1..2]\nT0 close P0 [3..4]\nT1 take P0 = none [5..6]\nfinal: P0 ring 1", takeNone},
		{"not closed", drains, "T1 take P0 = none [1..2]\nT0 close P0 [3..4]\nfinal: P0", takeNone},
		{"while it is closed", drains, "T0 close P0 [1..4]\nT1 take P0 = none [2..3]\nfinal: P0", ""},
		{"refused", drains, "T0 close P0 [1..2]\nT0 put P0 1 = full after 0 [3..4]\nfinal: P0", ""},
		{"accepted", drains, "T0 close P0 [1..2]\nT0 put P0 1 [3..4]\nfinal: P0 ring 1", closePut},
		{"beside", drains, "T0 close P0 [1..4]\nT1 put P0 1 [2..5]\nT1 take P0 = 1 [6..7]\nfinal: P0", ""},
		{"beside, and stranded", drains, "T0 close P0 [1..8]\nT1 put P0 1 [2..7]\nT2 take P0 = none [3..9]\nfinal: P0 ring 1", closePut},
		{"after one that found it closed", drains, "T0 close P0 [1..8]\nT2 take P0 = none [2..3]\nT1 put P0 1 [4..5]\nfinal: P0 ring 1", closePut},
		{"lost", drains, "T0 put P0 1 [1..2]\nT0 close P0 [3..4]\nfinal: P0", "RQ-LOST"},
		{"dropped", drops, "T0 put P0 1 [1..2]\nT0 close P0 [3..4]\nT1 take P0 = none [5..6]\nfinal: P0", ""},
		{"not dropped", drops, "T0 put P0 1 [1..2]\nT0 close P0 [3..4]\nT1 take P0 = 1 [5..6]\nfinal: P0", closeDrops},
		{"left", drops, "T0 put P0 1 [1..2]\nT0 close P0 [3..4]\nfinal: P0 ring 1", closeDrops},
		{"taken beside the close", drops, "T0 put P0 1 [1..2]\nT0 close P0 [3..6]\nT1 take P0 = 1 [4..7]\nfinal: P0", ""},
		{"two closes", drops, "T0 put P0 1 [1..2]\nT0 close P0 [3..4]\nT2 close P0 [5..6]\nT1 take P0 = none [7..8]\nfinal: P0", ""},
		{"a miss beside a take that the close ends", misses, "T0 put P0 1 [1..2]\nT0 take P0 = none [3..8]\nT1 steal P0 = none [4..5]\nT2 close P0 [6..7]\nfinal: P0", ""},
		{"a miss beside the close", misses, "T0 put P0 1 [1..2]\nT2 close P0 [3..8]\nT1 steal P0 = none [4..5]\nT1 take P0 = 1 [6..7]\nfinal: P0", ""},
		{"a miss beside nothing", misses, "T0 put P0 1 [1..2]\nT1 steal P0 = none [3..4]\nT2 close P0 [5..6]\nfinal: P0", "RQ-STEAL-NONE"},
	} {
		var h record.History
		h.Scenario = record.Scenario{Name: c.name, Ps: 1, Shared: true, Threads: make([]record.Thread, 3)}
		h.Clock = record.ClockCounter
		h.Final.Ps = make([]record.PContents, 1)
		for line := range strings.SplitSeq(c.calls, "\n") {
			if rest, ok := strings.CutPrefix(line, "final: P0"); ok {
				if rest != "" {
					h.Final.Ps[0].Ring = []record.ID{1}
				}
				continue
			}
			op, err := record.ParseOp(line)
			if err != nil {
				t.Fatal(err)
			}
			h.Ops = append(h.Ops, op)
		}
		v := Judge(spec.Interleave, &h, c.profile)
		got := ""
		if len(v.Findings) > 0 {
			got = v.Findings[0].Requirement
		}
		if got != c.falls || v.Doubt != "" {
			t.Errorf("%s: expected %q, saw %q, %+v", c.name, c.falls, got, v)
		}
	}
}
