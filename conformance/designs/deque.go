package designs

import (
	"sync/atomic"

	"github.com/spindle-go/spindle/spec/record"
)

// Deque is the dynamic circular work-stealing deque of Chase and Lev (SPAA
// 2005), with the order of accesses of Lê, Pop, Cohen and Zappa Nardelli
// (PPoPP 2013), whose fences are not needed: Go's atomics are sequentially
// consistent. The owner works at the bottom without a swap as long as two are
// left; thieves swap top. It fits the profile lifo-deque.
//
//	top                      bottom
//	 |                         |
//	 v                         v
//	[oldest] [...] [newest]  [free]
type Deque struct {
	top    atomic.Int64 // only ever goes up
	bottom atomic.Int64 // the owner's; for the length of a Get it may be below top
	array  atomic.Pointer[circle]
}

// NewDeque returns an empty deque with room for two, so that growing is near.
func NewDeque() *Deque {
	q := new(Deque)
	q.array.Store(newCircle(2))
	return q
}

// circle is an array that indices go round in. Its length is a power of two.
type circle struct{ slots []atomic.Uint64 }

func newCircle(n int64) *circle { return &circle{make([]atomic.Uint64, n)} }

func (c *circle) at(i int64) *atomic.Uint64 { return &c.slots[i&int64(len(c.slots)-1)] }

// Put puts id at the bottom.
func (q *Deque) Put(id record.ID) bool {
	b, t := q.bottom.Load(), q.top.Load()
	a := q.array.Load()
	if b-t >= int64(len(a.slots)) {
		a = q.grow(a, t, b)
	}
	a.at(b).Store(id)
	q.bottom.Store(b + 1)
	return true
}

// grow moves what is there to an array of twice the size, to the same indices.
// A thief that still reads the old array finds the same ids there: nobody
// writes to it any more.
func (q *Deque) grow(old *circle, t, b int64) *circle {
	a := newCircle(2 * int64(len(old.slots)))
	for i := t; i < b; i++ {
		a.at(i).Store(old.at(i).Load())
	}
	q.array.Store(a)
	return a
}

// Get takes the newest. It lowers bottom first and looks at top after: a thief
// that comes later sees the newest as gone. Only for the last one may a thief
// have been earlier; then both must swap top.
func (q *Deque) Get() (record.ID, bool) {
	b := q.bottom.Load() - 1
	q.bottom.Store(b)
	t := q.top.Load()
	if t > b {
		q.bottom.Store(b + 1)
		return 0, false
	}
	id := q.array.Load().at(b).Load()
	if t < b {
		return id, true
	}
	won := q.top.CompareAndSwap(t, t+1)
	q.bottom.Store(b + 1)
	if !won {
		return 0, false
	}
	return id, true
}

// Steal takes the oldest, or nothing if another was faster: a thief has other
// victims. The slot is read before the swap, since after it the owner may write
// there.
func (q *Deque) Steal() (record.ID, bool) {
	t := q.top.Load()
	if t >= q.bottom.Load() {
		return 0, false
	}
	id := q.array.Load().at(t).Load()
	if !q.top.CompareAndSwap(t, t+1) {
		return 0, false
	}
	return id, true
}

// Empty reports whether there is nothing. top must be the same before and after
// bottom is read: else the two may never have been true together, and the
// answer wrong both ways.
func (q *Deque) Empty() bool {
	for t := q.top.Load(); ; {
		b := q.bottom.Load()
		again := q.top.Load()
		if again == t {
			return b <= t
		}
		t = again
	}
}
