package designs

import (
	"runtime"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Wrong variants of each design. Where a race is needed to show what is wrong,
// the variant waits a little in its window, so that a busy machine with two
// processors shows it too.

// dawdle lets other threads run.
func dawdle() {
	for range 20 {
		runtime.Gosched()
	}
}

// newestFirst is a stack where a queue is asked for.
type newestFirst struct{ Locked }

func (q *newestFirst) Get() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.ids)
	if n == 0 {
		return 0, false
	}
	id := q.ids[n-1]
	q.ids = q.ids[:n-1]
	return id, true
}

func (q *newestFirst) Steal() (record.ID, bool) { return q.Get() }

// looksFirst steals without holding the lock from the look to the take. (To
// forget the lock altogether would spoil the memory of the test, not only the
// queue.)
type looksFirst struct{ Locked }

func (q *looksFirst) Steal() (record.ID, bool) {
	q.mu.Lock()
	if len(q.ids) == 0 {
		q.mu.Unlock()
		return 0, false
	}
	id := q.ids[0]
	q.mu.Unlock()
	if id%8 == 0 {
		dawdle()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ids) > 0 {
		q.ids = q.ids[1:]
	}
	return id, true
}

// ownerStores moves top by a store for the last one, where a thief may have
// swapped it.
type ownerStores struct{ *Deque }

func (q ownerStores) Get() (record.ID, bool) {
	b := q.bottom.Load() - 1
	q.bottom.Store(b)
	t := q.top.Load()
	if t > b {
		q.bottom.Store(b + 1)
		return 0, false
	}
	id := q.array.Load().at(b).Load()
	if t == b {
		q.top.Store(t + 1)
		q.bottom.Store(b + 1)
	}
	return id, true
}

// thiefStores moves top by a store, where the owner or another thief may have
// swapped it.
type thiefStores struct{ *Deque }

func (q thiefStores) Steal() (record.ID, bool) {
	t := q.top.Load()
	if t >= q.bottom.Load() {
		return 0, false
	}
	id := q.array.Load().at(t).Load()
	q.top.Store(t + 1)
	return id, true
}

// looksAtTopFirst has the owner look at top before it lowers bottom: a thief in
// between takes what the owner thinks is not the last.
type looksAtTopFirst struct{ *Deque }

func (q looksAtTopFirst) Get() (record.ID, bool) {
	t := q.top.Load()
	b := q.bottom.Load() - 1
	if t > b {
		return 0, false
	}
	if b%4 == 0 {
		dawdle()
	}
	q.bottom.Store(b)
	id := q.array.Load().at(b).Load()
	if t < b {
		return id, true
	}
	won := q.top.CompareAndSwap(t, t+1)
	q.bottom.Store(b + 1)
	return id, won
}

// takesOldest has the owner take as a thief.
type takesOldest struct{ *Deque }

func (q takesOldest) Get() (record.ID, bool) { return q.Steal() }

// noRoomAsked steals into a ring from which another thief may still copy. Such a
// thief waits here until its victim, a thief as well, has come round.
type noRoomAsked struct{ *TwoPhase }

func (q noRoomAsked) StealInto(thief queue.Queue, next bool) (record.ID, bool) {
	to := thief.(ringer).ring()
	first, n := q.claim()
	if n == 0 {
		return 0, false
	}
	for i := 0; q.index > 0 && i < 1000 && q.tail.Load()-first < uint32(q.Cap()); i++ {
		runtime.Gosched()
	}
	id := q.copyTo(to, first, n)
	q.release()
	to.publish(q.TwoPhase, n-1)
	return id, true
}

// releasesFirst gives the slots back before it has copied them.
type releasesFirst struct{ *TwoPhase }

func (q releasesFirst) StealInto(thief queue.Queue, next bool) (record.ID, bool) {
	to := thief.(ringer).ring()
	if !to.hasRoom() {
		return 0, false
	}
	first, n := q.claim()
	if n == 0 {
		return 0, false
	}
	q.release()
	dawdle()
	id := q.copyTo(to, first, n)
	to.publish(q.TwoPhase, n-1)
	return id, true
}

// keepsNewest returns the oldest of what it took and keeps the others.
type keepsNewest struct{ *TwoPhase }

func (q keepsNewest) StealInto(thief queue.Queue, next bool) (record.ID, bool) {
	to := thief.(ringer).ring()
	if !to.hasRoom() {
		return 0, false
	}
	first, n := q.claim()
	if n == 0 {
		return 0, false
	}
	id := q.copyTo(to, first, n)
	t := to.tail.Load()
	for i := range n - 1 {
		to.slot(t + i).Store(to.slot(t + i + 1).Load())
	}
	q.release()
	to.publish(q.TwoPhase, n-1)
	if n > 1 {
		id = q.slot(first).Load()
	}
	return id, true
}

// takesOne steals one, not half.
type takesOne struct{ *TwoPhase }

func (q takesOne) StealInto(queue.Queue, bool) (record.ID, bool) { return q.Steal() }

func wrongRings[Q queue.Queue](wrap func(*TwoPhase) Q) queue.Factory {
	return func(o queue.Options) (queue.Set, error) {
		return newSet(o, func(q *TwoPhase) queue.Queue { return wrap(q) })
	}
}

// TestWrongDesigns holds that each wrong variant fails by a requirement that it
// breaks, in one of ten runs: a race of real threads is not met in each.
func TestWrongDesigns(t *testing.T) {
	tier.OnlyFull(t)
	const runs = 10
	for _, c := range tier.Some(t, []struct {
		name    string
		profile spec.Profile
		factory queue.Factory
		sel     string   // the checks that must see it
		falls   []string // of which each finding is one
	}{
		{"locked, newest first", spec.FIFO, queue.Single(func() *newestFirst { return new(newestFirst) }), "^sequence/", []string{"RQ-FIFO"}},
		{"locked, looks first", spec.FIFO, queue.Single(func() *looksFirst { return new(looksFirst) }), "^stress/", []string{"RQ-TWICE", "RQ-LOST"}},
		{"deque, owner stores", spec.LIFODeque, queue.Single(func() ownerStores { return ownerStores{NewDeque()} }), "^stress/", []string{"RQ-TWICE"}},
		{"deque, thief stores", spec.LIFODeque, queue.Single(func() thiefStores { return thiefStores{NewDeque()} }), "^stress/", []string{"RQ-TWICE", "RQ-LOST", "RQ-INVENTED"}},
		{"deque, looks at top first", spec.LIFODeque, queue.Single(func() looksAtTopFirst { return looksAtTopFirst{NewDeque()} }), "^stress/", []string{"RQ-TWICE", "RQ-LOST"}},
		{"deque, takes oldest", spec.LIFODeque, queue.Single(func() takesOldest { return takesOldest{NewDeque()} }), "^sequence/", []string{"RQ-LIFO"}},
		{"two-phase, no room asked", spec.Tokio, wrongRings(func(q *TwoPhase) noRoomAsked { return noRoomAsked{q} }), "^stress/loot", []string{"RQ-TWICE", "RQ-LOST"}},
		{"two-phase, releases first", spec.Tokio, wrongRings(func(q *TwoPhase) releasesFirst { return releasesFirst{q} }), "^stress/steal", []string{"RQ-TWICE", "RQ-LOST"}},
		{"two-phase, keeps newest", spec.Tokio, wrongRings(func(q *TwoPhase) keepsNewest { return keepsNewest{q} }), "^sequence/", []string{"RQ-STEAL-ORDER"}},
		{"two-phase, takes one", spec.Tokio, wrongRings(func(q *TwoPhase) takesOne { return takesOne{q} }), "^sequence/", []string{"RQ-STEAL-HALF"}},
	}, 2) {
		t.Run(c.name, func(t *testing.T) {
			target, err := checks.InProcess(c.name, c.profile, c.factory)
			if err != nil {
				t.Fatal(err)
			}
			var seen []string
			for seed := uint64(1); seed <= runs && !slices.Contains(seen, c.falls[0]); seed++ {
				f, events := judge(t, target, suite.Options{Seed: record.Seed(seed), Select: c.sel})
				for _, e := range events {
					if e.Event == suite.FindingEvent {
						seen = append(seen, e.Finding.Requirement)
					}
				}
				if len(seen) > 0 && f.Exit != exit.Fail {
					t.Errorf("seed %d: findings %v, but exit %d", seed, seen, f.Exit)
				}
			}
			if !slices.Contains(seen, c.falls[0]) {
				t.Errorf("findings %v in %d runs, want %s", seen, runs, c.falls[0])
			}
			for _, id := range seen {
				if !slices.Contains(c.falls, id) {
					t.Errorf("finding %s, want none but of %v", id, c.falls)
				}
			}
		})
	}
}
