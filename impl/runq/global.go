package runq

import "sync"

// A List is a queue of Gs linked through the Gs themselves. A G is in at most
// one List. The zero value is empty. (gQueue)
type List struct {
	head, tail *G
	size       int
}

// Empty reports whether the list is empty.
func (q *List) Empty() bool { return q.head == nil }

// Len returns the number of Gs.
func (q *List) Len() int { return q.size }

// PushBack appends g.
func (q *List) PushBack(g *G) {
	g.link = nil
	if q.tail != nil {
		q.tail.link = g
	} else {
		q.head = g
	}
	q.tail = g
	q.size++
}

// PushBackAll appends all of other, which is empty afterwards.
func (q *List) PushBackAll(other *List) {
	if other.tail == nil {
		return
	}
	if q.tail != nil {
		q.tail.link = other.head
	} else {
		q.head = other.head
	}
	q.tail = other.tail
	q.size += other.size
	*other = List{}
}

// Pop takes the first G, or nil.
func (q *List) Pop() *G {
	g := q.head
	if g == nil {
		return nil
	}
	q.head = g.link
	if q.head == nil {
		q.tail = nil
	}
	g.link = nil
	q.size--
	return g
}

// popBatch takes the first n Gs, in order. There must be as many. It writes to the last of them only: the others are linked as they
// are to be.
func (q *List) popBatch(n int) (batch List) {
	if n == 0 {
		return batch
	}
	batch = List{q.head, q.head, n}
	for range n - 1 {
		batch.tail = batch.tail.link
	}
	q.head = batch.tail.link
	if q.head == nil {
		q.tail = nil
	}
	batch.tail.link = nil
	q.size -= n
	return batch
}

// All calls yield for each G, oldest first. The list must not change meanwhile.
func (q *List) All(yield func(*G) bool) {
	for g := q.head; g != nil; g = g.link {
		if !yield(g) {
			return
		}
	}
}

// Global is the queue behind the Ps. Its methods are to be called with the lock
// held, which is the scheduler's lock: a scheduler looks at several things under
// one hold. Those whose names begin with Lock are for who looks at nothing else:
// they take the lock and give it back. (sched.runq, sched.lock)
type Global struct {
	sync.Mutex
	q     List
	table table
}

// Put appends g. The lock must be held. (globrunqput)
func (s *Global) Put(g *G) { s.q.PushBack(g) }

// PutBatch appends all of q, which is empty afterwards. The lock must be held.
// (globrunqputbatch)
func (s *Global) PutBatch(q *List) { s.q.PushBackAll(q) }

// Len returns the number of Gs. The lock must be held.
func (s *Global) Len() int { return s.q.Len() }

// All calls yield for each G, oldest first. The lock must be held throughout.
func (s *Global) All(yield func(*G) bool) { s.q.All(yield) }

// Get takes the first G, or nil. The lock must be held. (globrunqget)
func (s *Global) Get() *G { return s.q.Pop() }

// GetBatch takes up to n Gs, but no more than a fair share among procs Ps and
// at least one if there is one. It returns the first, and the others in order.
// The lock must be held. (globrunqgetbatch)
func (s *Global) GetBatch(n, procs int) (g *G, rest List) {
	if s.q.Empty() {
		return nil, List{}
	}
	n = min(n, s.q.size, s.q.size/procs+1)
	g = s.q.Pop()
	return g, s.q.popBatch(n - 1)
}

// LockPut is Put under the lock.
func (s *Global) LockPut(g *G) {
	s.Lock()   // RunQueue!GlobalPut
	s.Put(g)   // the section under the lock
	s.Unlock() // with RunQueue!GlobalPut: the section under the lock
}

// LockPutBatch is PutBatch under the lock. It does not take the lock for
// nothing. (injectglist)
func (s *Global) LockPutBatch(q *List) {
	if q.Empty() {
		return
	}
	s.Lock()      // RunQueue!PutRestGlobal
	s.PutBatch(q) // the section under the lock
	s.Unlock()    // with RunQueue!PutRestGlobal: the section under the lock
}

// LockGetBatch is GetBatch under the lock.
func (s *Global) LockGetBatch(n, procs int) (g *G, rest List) {
	s.Lock()                       // RunQueue!GlobalGetBatch
	g, rest = s.GetBatch(n, procs) // the section under the lock
	s.Unlock()                     // with RunQueue!GlobalGetBatch: the section under the lock
	return g, rest
}
