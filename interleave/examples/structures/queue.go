package structures

import "sync/atomic"

// A Queue is the queue of Michael and Scott (Simple, Fast, and Practical
// Non-Blocking and Blocking Concurrent Queue Algorithms, PODC 1996), without
// their counters: with a garbage collector no node is used again while someone
// may look at it.
type Queue struct {
	head, tail atomic.Pointer[queueNode] // head is a node whose value is gone
	flaw       Flaw
}

type queueNode struct {
	value int64
	next  atomic.Pointer[queueNode]
}

// Flaws of a Queue.
const (
	// LinkByStore links a node by a store: what another linked is lost.
	LinkByStore Flaw = "linked by a store"
	// HeadByStore moves head by a store: two take the same value.
	HeadByStore Flaw = "head moved by a store"
	// TailFirst moves tail before the node is linked. Someone who has enqueued
	// may then find the queue empty, because a slower one has not linked yet:
	// what Michael and Scott say of Stone's queue of 1990.
	TailFirst Flaw = "tail moved before the link"
)

// NewQueue makes an empty queue.
func NewQueue(flaw Flaw) *Queue {
	q := &Queue{flaw: flaw}
	n := new(queueNode)
	q.head.Store(n)
	q.tail.Store(n)
	return q
}

// Enqueue adds v.
func (q *Queue) Enqueue(v int64) {
	n := &queueNode{value: v}
	if q.flaw == TailFirst {
		q.tail.Swap(n).next.Store(n)
		return
	}
	for {
		t := q.tail.Load()
		if next := t.next.Load(); next != nil {
			q.tail.CompareAndSwap(t, next) // help whoever linked it
			continue
		}
		if q.flaw == LinkByStore {
			t.next.Store(n)
		} else if !t.next.CompareAndSwap(nil, n) {
			continue
		}
		q.tail.CompareAndSwap(t, n)
		return
	}
}

// Dequeue takes the oldest value.
func (q *Queue) Dequeue() (v int64, ok bool) {
	for {
		h, t := q.head.Load(), q.tail.Load()
		next := h.next.Load()
		if next == nil {
			return 0, false
		}
		if h == t {
			q.tail.CompareAndSwap(t, next)
		}
		if q.flaw == HeadByStore {
			q.head.Store(next)
			return next.value, true
		}
		if q.head.CompareAndSwap(h, next) {
			return next.value, true
		}
	}
}
