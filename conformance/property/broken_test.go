package property_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/designs"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A storeRing is known to be bad: its Get moves head by a store, where a thief
// may have moved it in the meantime. Gosched makes the window wide enough for a
// machine with one core.
type storeRing struct {
	head, tail atomic.Uint32
	slots      [64]atomic.Uint64
}

func (q *storeRing) slot(i uint32) *atomic.Uint64 { return &q.slots[i%uint32(len(q.slots))] }

func (q *storeRing) Put(id record.ID) bool {
	h, t := q.head.Load(), q.tail.Load()
	if t-h >= uint32(len(q.slots)) {
		return false
	}
	q.slot(t).Store(id)
	q.tail.Store(t + 1)
	return true
}

func (q *storeRing) Get() (record.ID, bool) {
	h := q.head.Load()
	if h == q.tail.Load() {
		return 0, false
	}
	id := q.slot(h).Load()
	if h%4 == 0 {
		runtime.Gosched()
	}
	q.head.Store(h + 1) // the bug: want a compare-and-swap from h
	return id, true
}

func (q *storeRing) Steal() (record.ID, bool) {
	for {
		h := q.head.Load()
		if h == q.tail.Load() {
			return 0, false
		}
		id := q.slot(h).Load()
		if q.head.CompareAndSwap(h, h+1) {
			return id, true
		}
	}
}

func (q *storeRing) Empty() bool { return q.head.Load() == q.tail.Load() }

// TestSearchFindsAndShrinks is the test of the test: a queue that is known to
// be bad is found out, and by a program that one can read.
func TestSearchFindsAndShrinks(t *testing.T) {
	f := queue.Single(func() *storeRing { return new(storeRing) })
	found, counts, err := search(t, f, spec.FIFO, 500, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if found == nil {
		t.Fatalf("nothing found in %d runs of a queue whose Get moves head by a store", counts.runs)
	}
	t.Log(found)
	if got := found.program.size(); got > 6 || len(found.program.thieves) != 1 {
		t.Errorf("shrunk to %d calls and %d thieves, want at most 6 calls and one thief: %v", got, len(found.program.thieves), found.program)
	}
}

// TestSearchPassesARightQueue is its other half.
func TestSearchPassesARightQueue(t *testing.T) {
	f := queue.Single(func() *designs.Locked { return new(designs.Locked) })
	found, counts, err := search(t, f, spec.FIFO, 100, 3*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if found != nil {
		t.Fatalf("a queue under a lock was accused: %v", found)
	}
	t.Logf("%d runs judged, %d of them not decided", counts.runs, counts.unknown)
}
