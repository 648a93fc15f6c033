package public

import (
	"time"

	workiva "github.com/Workiva/go-datastructures/queue"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

const workivaModule = "github.com/Workiva/go-datastructures"

// WorkivaRing is the ring of go-datastructures.
var WorkivaRing = Subject{
	Module: workivaModule,
	Contract: conformance.Contract{
		// RingBuffer: many producers and many consumers.
		Puts: spec.Anyone, Gets: spec.Anyone,
		// Poll: the next item in the queue. RingBuffer: as the queue it is made after.
		Order: spec.FirstIn,
		// Cap: the capacity.
		Bound: spec.Exact,
		// Offer: "adds the provided item to the queue if there is space. If the queue is full, this call will return false."
		Refuse: spec.Never,
		// Poll: nothing comes back after a timeout, which is a nanosecond here. What it
		// promises then is nothing; what it keeps is this.
		GetMiss: spec.Beside, StealMiss: spec.Beside,
		// Len: the number of items. Of calls at work beside it nothing is said.
		Empty: spec.AtQuiet, Len: spec.AtQuiet,
	},
	Factory: sized(2, 256, newWorkivaRing),
}

// WorkivaRingBeside is the ring under what it keeps. Offer promises refuse=never, and returns false where its swap fails, or where a take
// has claimed the cell and not yet freed it: beside another call. TestExplored has the schedules; threads meet them now and then.
var WorkivaRingBeside = func() Subject {
	s := WorkivaRing
	s.Contract.Refuse = spec.Beside
	return s
}()

type workivaRing struct{ q *workiva.RingBuffer }

func newWorkivaRing(capacity int) *workivaRing {
	return &workivaRing{workiva.NewRingBuffer(uint64(capacity))}
}

func (q *workivaRing) Put(id record.ID) bool {
	ok, err := q.q.Offer(id)
	return ok && err == nil
}

func (q *workivaRing) Get() (record.ID, bool) {
	id, err := q.q.Poll(time.Nanosecond)
	if err != nil {
		return 0, false
	}
	return id.(record.ID), true
}

func (q *workivaRing) Steal() (record.ID, bool) { return q.Get() }
func (q *workivaRing) Empty() bool              { return q.q.Len() == 0 }
func (q *workivaRing) Len() int                 { return int(q.q.Len()) }
func (q *workivaRing) Cap() int                 { return int(q.q.Cap()) }

// WorkivaRingOfOne is the ring that holds one.
var WorkivaRingOfOne = Subject{
	Module: workivaModule, Contract: WorkivaRing.Contract,
	Factory: queue.Single(func() *workivaRing { return newWorkivaRing(1) }),
	// The second Offer is taken though the ring is full, and both items are gone for Poll.
	Falls: []string{"RQ-LOST", "RQ-CAPACITY"},
}

// WorkivaQueue is the queue of go-datastructures that grows, with a lock.
var WorkivaQueue = Subject{
	Module: workivaModule,
	Contract: conformance.Contract{
		// New: a threadsafe queue.
		Puts: spec.Anyone, Gets: spec.Anyone,
		// Package queue: a regular queue. Peek: the first item.
		Order: spec.FirstIn,
		// Package queue: it grows without a bound.
		Bound: spec.Grows, Refuse: spec.Never,
		// TakeUntil: the items up to the first that does not fit, without waiting.
		GetMiss: spec.Never, StealMiss: spec.Never,
		// Empty, Len: whether it is empty, how many there are.
		Empty: spec.AtMoment, Len: spec.AtMoment,
	},
	Factory: queue.Single(func() *workivaQueue { return &workivaQueue{workiva.New(0)} }),
}

type workivaQueue struct{ *workiva.Queue }

func (q *workivaQueue) Put(id record.ID) bool { return q.Queue.Put(id) == nil }

func (q *workivaQueue) Get() (record.ID, bool) {
	some := false
	list, err := q.TakeUntil(func(any) bool {
		first := !some
		some = true
		return first
	})
	if err != nil || len(list) == 0 {
		return 0, false
	}
	return list[0].(record.ID), true
}

func (q *workivaQueue) Steal() (record.ID, bool) { return q.Get() }
func (q *workivaQueue) Len() int                 { return int(q.Queue.Len()) }
