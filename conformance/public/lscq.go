package public

import (
	"github.com/bytedance/gopkg/collection/lscq"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// LSCQ is the unbounded queue without locks of ByteDance's gopkg.
var LSCQ = Subject{
	Module: "github.com/bytedance/gopkg",
	Contract: conformance.Contract{
		// readme.md: unbounded, many producers, many consumers, FIFO.
		Puts: spec.Anyone, Gets: spec.Anyone, Order: spec.FirstIn,
		Bound: spec.Grows, Refuse: spec.Never,
		// Uint64Queue.Dequeue: no word on when it finds nothing. A queue that says FIFO
		// and no more finds nothing where nothing is.
		GetMiss: spec.Never, StealMiss: spec.Never,
		// There is no such method. The adapter counts.
		Empty: spec.AtQuiet,
	},
	Factory: queue.Single(func() *lscqQueue { return &lscqQueue{q: lscq.NewUint64()} }),
}

// LSCQLap is the same with a ring that is on its second lap, where its cells are used again.
var LSCQLap = Subject{
	Module: LSCQ.Module, Contract: LSCQ.Contract, Only: "^(stress/steal|linearizability/ring)$", // each queue takes a millisecond to make
	Factory: queue.Single(func() *lscqQueue {
		q := &lscqQueue{q: lscq.NewUint64()}
		for range 1<<16 - 2 {
			q.q.Enqueue(1)
			q.q.Dequeue()
		}
		return q
	}),
}

type lscqQueue struct {
	count
	q *lscq.Uint64Queue
}

func (q *lscqQueue) Put(id record.ID) bool { return q.put(q.q.Enqueue(uint64(id))) }

func (q *lscqQueue) Get() (record.ID, bool) {
	id, ok := q.q.Dequeue()
	q.took(ok)
	return record.ID(id), ok
}

func (q *lscqQueue) Steal() (record.ID, bool) { return q.Get() }
