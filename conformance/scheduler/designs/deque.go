package designs

import (
	"slices"
	"sync"
)

// A deque is a queue of tasks behind a lock. Its owner works at one end, where the newest is, and others at either.
type deque struct {
	most  int // tasks; 0: any number
	mu    sync.Mutex
	tasks []task // the oldest first
}

// push puts a task behind the newest, and reports whether there was room.
func (q *deque) push(t task) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.full() {
		return false
	}
	q.tasks = append(q.tasks, t)
	return true
}

// pushOldest puts a task in front of the oldest, and reports whether there was room.
func (q *deque) pushOldest(t task) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.full() {
		return false
	}
	q.tasks = slices.Insert(q.tasks, 0, t)
	return true
}

func (q *deque) full() bool { return q.most > 0 && len(q.tasks) >= q.most }

// newest takes the newest task; nil if there is none.
func (q *deque) newest() task {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.tasks)
	if n == 0 {
		return nil
	}
	t := q.tasks[n-1]
	q.tasks = q.tasks[:n-1]
	return t
}

// oldest takes the oldest task; nil if there is none.
func (q *deque) oldest() task {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.tasks) == 0 {
		return nil
	}
	t := q.tasks[0]
	q.tasks = q.tasks[1:]
	return t
}

// empty reports whether there is no task.
func (q *deque) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.tasks) == 0
}
