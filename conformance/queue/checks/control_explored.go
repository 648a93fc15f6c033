package checks

import (
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/spec/record"
)

// controlledRing is the control of the explorer: a ring of four whose get moves
// head by a store. It uses the explorer's own atomics, so that it is controlled
// in a binary that is not instrumented.
type controlledRing struct {
	head, tail atomic.Uint32
	slots      [4]atomic.Uint64
}

func wrongControlled() queue.Factory {
	return queue.Single(func() queue.Queue { return new(controlledRing) })
}

func (q *controlledRing) slot(i uint32) *atomic.Uint64 { return &q.slots[i%uint32(len(q.slots))] }

func (q *controlledRing) Put(id record.ID) bool {
	t := q.tail.Load()
	if t-q.head.Load() == uint32(len(q.slots)) {
		return false
	}
	q.slot(t).Store(id)
	q.tail.Store(t + 1)
	return true
}

func (q *controlledRing) Get() (record.ID, bool) {
	h := q.head.Load()
	if h == q.tail.Load() {
		return 0, false
	}
	id := q.slot(h).Load()
	q.head.Store(h + 1) // wrong: a thief may have moved head meanwhile
	return id, true
}

func (q *controlledRing) Steal() (record.ID, bool) {
	for {
		h := q.head.Load()
		if q.tail.Load() == h {
			return 0, false
		}
		id := q.slot(h).Load()
		if q.head.CompareAndSwap(h, h+1) {
			return id, true
		}
	}
}

func (q *controlledRing) Empty() bool { return q.head.Load() == q.tail.Load() }
