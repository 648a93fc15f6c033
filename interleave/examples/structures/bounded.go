package structures

import "sync/atomic"

// A Bounded is Vyukov's bounded queue of many producers and consumers
// (1024cores.net, 2010): each cell says by a count whose turn it is.
type Bounded struct {
	cells   []boundedCell
	in, out atomic.Uint64
	flaw    Flaw
}

type boundedCell struct {
	turn  atomic.Uint64
	value int64
}

// Flaws of a Bounded.
const (
	// TurnTooEarly gives the cell to a consumer before the value is in it.
	TurnTooEarly Flaw = "the turn given before the value is written"
	// BackTooEarly gives the cell back before the value is read.
	BackTooEarly Flaw = "the turn given back before the value is read"
	// InByStore moves the producers' count by a store.
	InByStore Flaw = "the count of producers moved by a store"
)

// NewBounded makes a queue with size cells, a power of two and at least 2.
func NewBounded(size int, flaw Flaw) *Bounded {
	q := &Bounded{cells: make([]boundedCell, size), flaw: flaw}
	for i := range q.cells {
		q.cells[i].turn.Store(uint64(i))
	}
	return q
}

// Put adds v. It reports false if there is no free cell.
func (q *Bounded) Put(v int64) bool {
	for {
		at := q.in.Load()
		c := &q.cells[at&uint64(len(q.cells)-1)]
		turn := c.turn.Load()
		if turn < at {
			return false
		}
		if turn > at {
			continue // another was faster
		}
		if q.flaw == InByStore {
			q.in.Store(at + 1)
		} else if !q.in.CompareAndSwap(at, at+1) {
			continue
		}
		if q.flaw == TurnTooEarly {
			c.turn.Store(at + 1)
			c.value = v
			return true
		}
		c.value = v
		c.turn.Store(at + 1)
		return true
	}
}

// Get takes the oldest value. A Put that has begun and not ended hides those
// behind it: the author says so, and it is why the queue is not linearizable.
func (q *Bounded) Get() (v int64, ok bool) {
	for {
		at := q.out.Load()
		c := &q.cells[at&uint64(len(q.cells)-1)]
		turn := c.turn.Load()
		if turn < at+1 {
			return 0, false
		}
		if turn > at+1 || !q.out.CompareAndSwap(at, at+1) {
			continue
		}
		back := at + uint64(len(q.cells))
		if q.flaw == BackTooEarly {
			c.turn.Store(back)
			return c.value, true
		}
		v = c.value
		c.turn.Store(back)
		return v, true
	}
}
