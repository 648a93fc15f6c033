package designs

import (
	"sync"

	"github.com/spindle-go/spindle/spec/record"
)

// Locked is a lock and a slice, the queue that one writes first: first in,
// first out. It fits the profiles core and fifo.
type Locked struct {
	mu  sync.Mutex
	ids []record.ID
}

// Put appends id.
func (q *Locked) Put(id record.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ids = append(q.ids, id)
	return true
}

// Get takes the oldest.
func (q *Locked) Get() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ids) == 0 {
		return 0, false
	}
	id := q.ids[0]
	q.ids = q.ids[1:]
	return id, true
}

// Steal takes the oldest, as Get: with one lock a thief is no different.
func (q *Locked) Steal() (record.ID, bool) { return q.Get() }

// Empty reports whether there is nothing.
func (q *Locked) Empty() bool { return q.Len() == 0 }

// Len returns how many there are.
func (q *Locked) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ids)
}
