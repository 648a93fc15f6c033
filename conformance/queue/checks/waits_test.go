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
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// awaited is a queue with takes that wait at a condition, right or wrong.
type awaited struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	ids      []record.ID
	size     int // 0: it grows
	closed   bool
	waiting  int
	drops    bool
	flaw     string
}

func newAwaited(flaw string, drops bool) func() *awaited {
	return func() *awaited {
		q := &awaited{flaw: flaw, drops: drops}
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
	default:
		q.notEmpty.Signal()
	}
	return true
}

func (q *awaited) first() (record.ID, bool) {
	if len(q.ids) == 0 {
		return 0, false
	}
	id := q.ids[0]
	q.ids = q.ids[1:]
	return id, true
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

func (q *awaited) Get() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.first()
}

func (q *awaited) Steal() (record.ID, bool) { return q.Get() }

func (q *awaited) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ids) == 0
}

// handed gives each take that waits a place of its own, into which a put lays its G.
type handed struct {
	mu     sync.Mutex
	ids    []record.ID
	waits  []*place
	closed bool
	flaw   string
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
	if len(q.ids) > 0 {
		id := q.ids[0]
		q.ids = q.ids[1:]
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

func (q *handed) Get() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ids) == 0 {
		return 0, false
	}
	id := q.ids[0]
	q.ids = q.ids[1:]
	return id, true
}

func (q *handed) Steal() (record.ID, bool) { return q.Get() }

func (q *handed) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ids) == 0
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

// deaf is spinning, and does not look whether it is closed.
type deaf struct{ spinning }

func (q *deaf) Take() (record.ID, bool) {
	for {
		if id, ok := q.Get(); ok {
			return id, ok
		}
	}
}

const (
	waitsCore  = "fifo,puts=any,gets=any,bound=grows"
	waitsDrain = waitsCore + ",closed=drains,closed-put=refuse"
	waitsDrop  = waitsCore + ",closed=drops,closed-put=refuse"
)

type takesOnly struct{ q *awaited }

func (q takesOnly) Put(id record.ID) bool           { return q.q.Put(id) }
func (q takesOnly) Get() (record.ID, bool)          { return q.q.Get() }
func (q takesOnly) Take() (record.ID, bool)         { return q.q.Take() }
func (q takesOnly) Steal() (record.ID, bool)        { return q.q.Steal() }
func (q takesOnly) Empty() bool                     { return q.q.Empty() }
func awaitedFactory(f string, d bool) queue.Factory { return queue.Single(newAwaited(f, d)) }

func handedFactory(flaw string) queue.Factory {
	return queue.Single(func() *handed { return &handed{flaw: flaw} })
}

// judgedWaits judges a queue by the checks of takes that wait.
func judgedWaits(t *testing.T, p spec.Profile, f queue.Factory, sel string) (ids []string, events []suite.Event) {
	t.Helper()
	target, err := Instrumented("test", p, f)
	if err != nil {
		t.Fatal(err)
	}
	s := &suite.Subject{Name: "queue", NotOffered: notOffered}
	for _, c := range waitChecks {
		if strings.HasPrefix(c.name, sel) {
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

// TestWaitsRight: right queues with takes that wait are accused of nothing, and every check
// comes to its end.
func TestWaitsRight(t *testing.T) {
	for name, c := range map[string]struct {
		profile spec.Profile
		f       queue.Factory
	}{
		"a condition, drains":         {waitsDrain, awaitedFactory("", false)},
		"a condition, drops":          {waitsDrop, awaitedFactory("", true)},
		"puts only before the close":  {waitsCore + ",closed=drains", awaitedFactory("put after close", false)},
		"drops, puts only before":     {waitsCore + ",closed=drops", awaitedFactory("", true)},
		"a place for each":            {waitsDrain, handedFactory("")},
		"spins":                       {waitsDrain, queue.Single(func() *spinning { return new(spinning) })},
		"one consumer":                {"fifo,puts=any,bound=grows,closed=drains,closed-put=refuse", awaitedFactory("", false)},
		"one producer":                {"fifo,gets=any,bound=grows,closed=drains,closed-put=refuse", awaitedFactory("", false)},
		"an owner":                    {"fifo,closed=drains", awaitedFactory("", false)},
		"nobody closes":               {waitsCore, queue.Single(func() takesOnly { return takesOnly{newAwaited("", false)()} })},
		"nobody says that it is full": {"core,puts=any,gets=any,closed=drains,closed-put=refuse", awaitedFactory("", false)},
		"a ring of two":               {"fifo,puts=any,gets=any,bound=exact,closed=drops,closed-put=refuse", boundedAwaited},
	} {
		t.Run(name, func(t *testing.T) {
			ids, events := judgedWaits(t, c.profile, c.f, "")
			if len(ids) > 0 {
				t.Errorf("expected no finding, saw %v", ids)
			}
			for _, e := range events {
				if e.Finding != nil {
					t.Errorf("%s: %s: %s %s %v", e.Check, e.Finding.Requirement, e.Finding.Expected, e.Finding.Observed, e.Finding.Evidence)
				}
				if e.Result != nil {
					t.Log(e.Check, e.Result.Ended, e.Result.Reason, e.Result.Cut, e.Result.Scenarios, e.Result.Executions, e.Result.Note, e.Result.Judged)
				}
			}
		})
	}
}

type boundedAwait struct{ awaited }

func (q *boundedAwait) Cap() int { return q.size }

func boundedAwaited(o queue.Options) (queue.Set, error) {
	return queue.OfCapacity(8, func(n int) *boundedAwait {
		q := &boundedAwait{awaited{drops: true, size: n}}
		q.notEmpty = sync.NewCond(&q.mu)
		return q
	})(o)
}

// TestWaitsWrong: wrong ones fall, by the requirement that says what is wrong.
func TestWaitsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		profile spec.Profile
		f       queue.Factory
		falls   string
	}{
		"wakes one":                 {waitsDrain, awaitedFactory("wakes one", false), closeWakes},
		"the first resets":          {waitsDrain, awaitedFactory("the first resets", false), closeWakes},
		"later ones wait":           {waitsDrain, awaitedFactory("later ones wait", false), closeWakes},
		"but the last":              {waitsDrain, handedFactory("but the last"), closeWakes},
		"later ones queue up":       {waitsDrain, handedFactory("later ones queue up"), closeWakes},
		"deaf":                      {waitsDrain, queue.Single(func() *deaf { return new(deaf) }), closeWakes},
		"wakes if empty":            {waitsCore, awaitedFactory("wakes if empty", false), takeWakes},
		"looks before the lock":     {waitsCore, awaitedFactory("looks before the lock", false), takeWakes},
		"signal for whom it counts": {waitsCore, awaitedFactory("signal for whom it counts", false), takeWakes},
		"looks once":                {waitsCore, awaitedFactory("looks once", false), takeNone},
		"all are let go":            {waitsCore, handedFactory("all are let go"), takeNone},
		"closed first":              {waitsDrain, awaitedFactory("closed first", false), takeNone},
		"forgets":                   {waitsDrain, awaitedFactory("forgets", false), "RQ-LOST"},
		"put after close":           {waitsDrain, awaitedFactory("put after close", false), closePut},
		"put looks before the lock": {waitsDrain, awaitedFactory("put looks before the lock", false), closePut},
		"does not drop":             {waitsDrop, awaitedFactory("", false), closeDrops},
	} {
		for _, w := range []string{"sequence", "interleave", "stress", "linearizability"} {
			t.Run(fmt.Sprint(name, "/", w), func(t *testing.T) {
				shortly(t, 200*time.Millisecond)
				ids, events := judgedWaits(t, c.profile, c.f, w)
				t.Log(ids)
				for _, e := range events {
					if e.Finding != nil {
						t.Logf("%s: %s: %s %s", e.Check, e.Finding.Requirement, e.Finding.Expected, e.Finding.Observed)
					}
					if e.Result != nil {
						t.Log(e.Check, e.Result.Ended, e.Result.Reason, e.Result.Cut, e.Result.Scenarios, e.Result.Executions)
					}
				}
				if w == "interleave" && !slices.Contains(ids, c.falls) {
					t.Errorf("expected %s, saw %v", c.falls, ids)
				}
			})
		}
	}
}
