package designs

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// Segments is the Injector of crossbeam-deque (its file src/deque.rs), a list of
// blocks for many producers and many takers, without a bound. A put or a take
// claims its place by a swap of an index, tail or head; the place belongs to it
// from then on, and it waits if another is not done there. So nobody finds
// nothing where something was put. First in, first out; a get and a steal are the
// same. It fits the profiles core and fifo.
//
//	head                     tail
//	 |                        |
//	 v                        v
//	[oldest] [  ] -> [  ] [newest] -> ...
//
// Of each lap of an index the last number is no place in a block. It means that
// whoever took the last place is busy with the change of blocks.
//
// Two things are left out. A block's memory is the garbage collector's business,
// so no slot must say that it was read. And head is compared with tail at every
// take, where the original remembers that there is a next block.
type Segments struct {
	head, tail end
	length     uint64 // of a block
}

// end is one end of the list. The block is that of the index, or a later one.
type end struct {
	index atomic.Uint64 // never wraps
	block atomic.Pointer[block]
}

type block struct {
	slots []atomic.Uint64 // 0: not yet written
	next  atomic.Pointer[block]
}

func newBlock(length uint64) *block { return &block{slots: make([]atomic.Uint64, length)} }

// NewSegments is a queue.Factory. The capacity is that of a block; it is 2 if
// nothing else is asked for, so that the next block is near.
func NewSegments(o queue.Options) (queue.Set, error) {
	c := o.Capacity
	if c == 0 {
		c = 2
	}
	if c < 1 {
		return nil, fmt.Errorf("designs: capacity: expected at least 1, saw %d", c)
	}
	s := make(set, o.Ps)
	for i := range s {
		q := &Segments{length: uint64(c)}
		b := newBlock(q.length)
		q.head.block.Store(b)
		q.tail.block.Store(b)
		s[i] = q
	}
	return s, nil
}

// at returns which place of its block an index is.
func (q *Segments) at(i uint64) uint64 { return i % (q.length + 1) }

// before returns how many places there are before an index.
func (q *Segments) before(i uint64) uint64 { return i/(q.length+1)*q.length + q.at(i) }

// Put puts id at the tail. Any thread. Who claims the last place of a block also
// installs the next one, before it writes its id.
func (q *Segments) Put(id record.ID) bool {
	var next *block
	for {
		t := q.tail.index.Load()
		b := q.tail.block.Load()
		i := q.at(t)
		if i == q.length {
			runtime.Gosched() // until the next block is there
			continue
		}
		last := i+1 == q.length
		if last && next == nil {
			next = newBlock(q.length) // before the swap: others will wait
		}
		if !q.tail.index.CompareAndSwap(t, t+1) {
			continue
		}
		if last {
			q.tail.block.Store(next)
			q.tail.index.Store(t + 2)
			b.next.Store(next)
		}
		b.slots[i].Store(id)
		return true
	}
}

// Get takes the oldest. Any thread. That there is nothing is right: head only
// goes up and never past tail, so if tail is where head was, both are there.
func (q *Segments) Get() (record.ID, bool) {
	for {
		h := q.head.index.Load()
		b := q.head.block.Load()
		i := q.at(h)
		if i == q.length {
			runtime.Gosched() // until head is in the next block
			continue
		}
		if h == q.tail.index.Load() {
			return 0, false
		}
		if !q.head.index.CompareAndSwap(h, h+1) {
			continue
		}
		if i+1 == q.length {
			q.head.block.Store(b.wait())
			q.head.index.Store(h + 2)
		}
		return b.read(i), true
	}
}

// wait returns the next block, which a put is about to install.
func (b *block) wait() *block {
	for {
		if next := b.next.Load(); next != nil {
			return next
		}
		runtime.Gosched()
	}
}

// read returns what is in a slot, which a put is about to write.
func (b *block) read(i uint64) record.ID {
	for {
		if id := b.slots[i].Load(); id != 0 {
			return id
		}
		runtime.Gosched()
	}
}

// Steal takes the oldest, as Get.
func (q *Segments) Steal() (record.ID, bool) { return q.Get() }

// Empty reports whether there is nothing. A yes is right as that of Get. If it is
// a no, there is something, or there was until head was moved in the meantime.
func (q *Segments) Empty() bool { return q.Len() == 0 }

// Len returns how many there are, with those that are not yet written.
func (q *Segments) Len() int {
	h := q.head.index.Load()
	return int(q.before(q.tail.index.Load()) - q.before(h))
}

var _ queue.Sized = (*Segments)(nil)
