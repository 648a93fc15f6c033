// Package queue is a run queue: a lock and a slice.
package queue

import "sync"

type Queue struct {
	sync.Mutex
	ids []uint64
}

func New() *Queue { return new(Queue) }

func (q *Queue) Put(id uint64) bool {
	q.Lock()
	defer q.Unlock()
	q.ids = append(q.ids, id)
	return true
}

func (q *Queue) Get() (id uint64, ok bool) {
	q.Lock()
	defer q.Unlock()
	if ok = len(q.ids) > 0; ok {
		id, q.ids = q.ids[0], q.ids[1:]
	}
	return id, ok
}

func (q *Queue) Steal() (uint64, bool) { return q.Get() }

func (q *Queue) Empty() bool { q.Lock(); defer q.Unlock(); return len(q.ids) == 0 }
