package designs

import (
	"slices"
	"sync"
)

// A deque is a queue of tasks behind a lock. Its owner works at one end, where the newest is, and others at either.
type deque struct {
	mu    sync.Mutex
	tasks []task // the oldest first
}

// push puts a task behind the newest.
func (q *deque) push(t task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = append(q.tasks, t)
}

// pushOldest puts a task in front of the oldest.
func (q *deque) pushOldest(t task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = slices.Insert(q.tasks, 0, t)
}

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
