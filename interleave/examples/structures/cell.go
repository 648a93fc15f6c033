package structures

import (
	"sync"
	"sync/atomic"
)

// A Cell is filled by the first who looks into it (double-checked locking, as in
// sync.Once).
type Cell struct {
	full  atomic.Bool
	mu    sync.Mutex
	value int64
	flaw  Flaw
}

// Flaws of a Cell.
const (
	// NoSecondLook does not ask again under the lock.
	NoSecondLook Flaw = "no second look under the lock"
	// FullTooEarly says that the cell is full before the value is in it.
	FullTooEarly Flaw = "said to be full before it is"
	// NoWaiting lets the first who claims the cell fill it, and the others go on
	// at once: what the source of sync.Once says that it must not do.
	NoWaiting Flaw = "nobody waits for the value"
)

// NewCell makes an empty cell.
func NewCell(flaw Flaw) *Cell { return &Cell{flaw: flaw} }

// Get returns the value, which it asks of fill if the cell is empty.
func (c *Cell) Get(fill func() int64) int64 {
	if c.flaw == NoWaiting {
		if c.full.CompareAndSwap(false, true) {
			c.value = fill()
		}
		return c.value
	}
	if c.full.Load() {
		return c.value
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flaw != NoSecondLook && c.full.Load() {
		return c.value
	}
	if c.flaw == FullTooEarly {
		c.full.Store(true)
	}
	c.value = fill()
	c.full.Store(true)
	return c.value
}

// A PlainCell has a plain flag: the famous form of double-checked locking that
// is broken (Bacon and others, The "Double-Checked Locking is Broken"
// Declaration, 2000).
type PlainCell struct {
	full  bool
	mu    sync.Mutex
	value int64
}

// Get returns the value, which it asks of fill if the cell is empty.
func (c *PlainCell) Get(fill func() int64) int64 {
	if !c.full {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.full {
			c.value = fill()
			c.full = true
		}
	}
	return c.value
}
