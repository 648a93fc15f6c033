package designs

import (
	"fmt"
	"sync/atomic"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// Vyukov is the bounded queue of Dmitry Vyukov for many producers and many
// consumers (1024cores.net, Bounded MPMC queue). Each cell has a number that says
// whose turn it is: the position of the put that may fill it next, and one more
// once it is filled. A put or a get claims its position by a swap, does its work,
// and then sets the number for who comes next. First in, first out; a get and a
// steal are the same. It fits the profile fifo while one thread puts.
//
//	          head             tail
//	           |                |
//	           v                v
//	[claimed] [filled] [claimed] [free]
//
// What it trades for that: who has claimed a cell and is not done stands in the
// way. A get finds nothing while the put that claimed the cell at head has not
// filled it, even if another put is done with the next one; so with one producer
// it finds nothing only where nothing is. A put is refused while a get has not
// yet left the cell at tail, though others may have been left.
type Vyukov struct {
	head  atomic.Uint64 // the position of the next get
	tail  atomic.Uint64 // the position of the next put
	cells []cell
	start uint32 // of the positions
}

// cell is one place. id belongs to who has claimed the position.
type cell struct {
	turn atomic.Uint64 // pos: to be filled; pos + 1: to be taken
	id   record.ID
}

// NewVyukov is a queue.Factory. A queue holds 256 if nothing else is asked for.
// One cell is too few: filled, it would look like free for the next put.
func NewVyukov(o queue.Options) (queue.Set, error) {
	c := o.Capacity
	if c == 0 {
		c = 256
	}
	if c < 2 || c&(c-1) != 0 {
		return nil, fmt.Errorf("designs: capacity: expected a power of two, at least 2, saw %d", c)
	}
	s := make(set, o.Ps)
	for i := range s {
		q := &Vyukov{cells: make([]cell, c), start: o.Start}
		// As a signed number: just below 2^32 is just below 2^64, where positions wrap.
		pos := uint64(int32(o.Start))
		q.head.Store(pos)
		q.tail.Store(pos)
		for range c {
			q.cell(pos).turn.Store(pos)
			pos++
		}
		s[i] = q
	}
	return s, nil
}

func (q *Vyukov) cell(pos uint64) *cell { return &q.cells[pos&uint64(len(q.cells)-1)] }

// Put puts id at the tail. Any thread.
func (q *Vyukov) Put(id record.ID) bool {
	for {
		pos := q.tail.Load()
		c := q.cell(pos)
		switch late := int64(c.turn.Load() - pos); {
		case late < 0:
			return false // who had it a round ago is not done
		case late == 0 && q.tail.CompareAndSwap(pos, pos+1):
			c.id = id
			c.turn.Store(pos + 1)
			return true
		}
	}
}

// Get takes the oldest. Any thread.
func (q *Vyukov) Get() (record.ID, bool) {
	for {
		pos := q.head.Load()
		c := q.cell(pos)
		switch late := int64(c.turn.Load() - (pos + 1)); {
		case late < 0:
			return 0, false
		case late == 0 && q.head.CompareAndSwap(pos, pos+1):
			id := c.id
			c.turn.Store(pos + uint64(len(q.cells)))
			return id, true
		}
	}
}

// Steal takes the oldest, as Get.
func (q *Vyukov) Steal() (record.ID, bool) { return q.Get() }

// Empty reports whether a get would find nothing. A yes is wrong where a get's
// would be: beside a put that has claimed the cell at head, if a later one is
// filled. A no is right: the cell at head was filled, and if it is no longer at
// head, it was taken in the meantime.
func (q *Vyukov) Empty() bool {
	pos := q.head.Load()
	return int64(q.cell(pos).turn.Load()-(pos+1)) < 0
}

// Len returns how many there are, with those that are claimed and not filled.
func (q *Vyukov) Len() int {
	h := q.head.Load()
	return int(q.tail.Load() - h)
}

// Cap returns how many the queue holds.
func (q *Vyukov) Cap() int { return len(q.cells) }

// StartsAt returns where the positions started.
func (q *Vyukov) StartsAt() uint32 { return q.start }

var (
	_ queue.Bounded = (*Vyukov)(nil)
	_ queue.Sized   = (*Vyukov)(nil)
	_ queue.Starter = (*Vyukov)(nil)
)
