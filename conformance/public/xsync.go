package public

import (
	"sync"

	"github.com/puzpuzpuz/xsync/v4"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

const xsyncModule = "github.com/puzpuzpuz/xsync/v4"

// XsyncMPMC is the ring of xsync for many producers and many consumers.
var XsyncMPMC = Subject{
	Module: xsyncModule,
	Contract: conformance.Contract{
		// MPMCQueue: any number of producers and consumers.
		Puts: spec.Anyone, Gets: spec.Anyone,
		// TryDequeue: the item comes from the head. README.md, MPMCQueue: causal FIFO.
		Order: spec.FirstIn,
		// NewMPMCQueue: the capacity is the next power of 2.
		Bound: spec.Exact,
		// README.md, MPMCQueue: both attempts are optimistic, and may fail; who calls them
		// tries again. TryEnqueue and TryDequeue say what true means, and leave false open.
		Refuse: spec.Beside, GetMiss: spec.Beside, StealMiss: spec.Beside,
		// There is no such method. The adapter counts.
		Empty: spec.AtQuiet,
	},
	Factory: sized(1, 256, newXsyncMPMC),
}

type xsyncMPMC struct {
	count
	q        *xsync.MPMCQueue[record.ID]
	capacity int
}

func newXsyncMPMC(capacity int) *xsyncMPMC {
	return &xsyncMPMC{q: xsync.NewMPMCQueue[record.ID](capacity), capacity: capacity}
}

func (q *xsyncMPMC) Put(id record.ID) bool { return q.put(q.q.TryEnqueue(id)) }

func (q *xsyncMPMC) Get() (record.ID, bool) {
	id, ok := q.q.TryDequeue()
	q.took(ok)
	return id, ok
}

func (q *xsyncMPMC) Steal() (record.ID, bool) { return q.Get() }
func (q *xsyncMPMC) Cap() int                 { return q.capacity } // a power of 2

// XsyncSPSC is the ring of xsync for one producer and one consumer.
var XsyncSPSC = Subject{
	Module: xsyncModule,
	Contract: conformance.Contract{
		// SPSCQueue: one goroutine publishes, one consumes. The owner and a thief both
		// consume here, so the adapter has them take turns by a lock.
		Puts: spec.OwnerOnly, Gets: spec.OwnerOnly, Steals: spec.One,
		// TryDequeue: the item comes from the head.
		Order: spec.FirstIn,
		// NewSPSCQueue: the given capacity.
		Bound: spec.Exact,
		// TryEnqueue, TryDequeue: the result says whether the queue was not full, not
		// empty. With one at each end there is nobody else to blame.
		Refuse: spec.Never, GetMiss: spec.Never, StealMiss: spec.Never,
		// There is no such method. The adapter counts.
		Empty: spec.AtQuiet,
	},
	Factory: sized(1, 256, newXsyncSPSC),
}

type xsyncSPSC struct {
	count
	q        *xsync.SPSCQueue[record.ID]
	capacity int
	consumer sync.Mutex // one at a time
}

func newXsyncSPSC(capacity int) *xsyncSPSC {
	return &xsyncSPSC{q: xsync.NewSPSCQueue[record.ID](capacity), capacity: capacity}
}

func (q *xsyncSPSC) Put(id record.ID) bool { return q.put(q.q.TryEnqueue(id)) }

func (q *xsyncSPSC) Get() (record.ID, bool) {
	q.consumer.Lock()
	defer q.consumer.Unlock()
	id, ok := q.q.TryDequeue()
	q.took(ok)
	return id, ok
}

func (q *xsyncSPSC) Steal() (record.ID, bool) { return q.Get() }
func (q *xsyncSPSC) Cap() int                 { return q.capacity }
