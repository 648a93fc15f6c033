package designs

import (
	"sync"
	"sync/atomic"

	"github.com/spindle-go/spindle/spec/record"
)

// TwoLock is the queue with two locks of Michael and Scott (Simple, Fast, and
// Practical Non-Blocking and Blocking Concurrent Queue Algorithms, PODC 1996),
// for many producers and many consumers, without a bound. Those who put and those
// who take do not wait for each other: there is always a node between them that
// holds nothing. First in, first out; a get and a steal are the same. It fits the
// profiles core and fifo.
//
//	head                          tail
//	 |                             |
//	 v                             v
//	[nothing] -> [oldest] -> ... [newest]
type TwoLock struct {
	headLock sync.Mutex
	head     *node // holds nothing: its id was taken

	tailLock sync.Mutex
	tail     *node
}

// node is one of the list. If the queue is empty, next is written under the tail
// lock and read under the head lock, so it must be atomic. It publishes the id of
// the node that it leads to.
type node struct {
	id   record.ID
	next atomic.Pointer[node]
}

// NewTwoLock returns an empty queue.
func NewTwoLock() *TwoLock {
	n := new(node)
	return &TwoLock{head: n, tail: n}
}

// Put puts id at the tail. Any thread.
func (q *TwoLock) Put(id record.ID) bool {
	n := &node{id: id}
	q.tailLock.Lock()
	defer q.tailLock.Unlock()
	q.tail.next.Store(n)
	q.tail = n
	return true
}

// Get takes the oldest. Any thread. Its node stays, as the one that holds nothing.
func (q *TwoLock) Get() (record.ID, bool) {
	q.headLock.Lock()
	defer q.headLock.Unlock()
	n := q.head.next.Load()
	if n == nil {
		return 0, false
	}
	q.head = n
	return n.id, true
}

// Steal takes the oldest, as Get.
func (q *TwoLock) Steal() (record.ID, bool) { return q.Get() }

// Empty reports whether there is nothing. Without the lock head could be moved on
// by others while its next is read.
func (q *TwoLock) Empty() bool {
	q.headLock.Lock()
	defer q.headLock.Unlock()
	return q.head.next.Load() == nil
}
