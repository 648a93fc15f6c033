package structures

import "sync/atomic"

// A Deque is the work-stealing deque of Chase and Lev (Dynamic Circular
// Work-Stealing Deque, SPAA 2005): its owner pushes and pops at the bottom,
// others steal at the top.
type Deque struct {
	top, bottom atomic.Int64
	ring        atomic.Pointer[dequeRing]
	grows       bool
	flaw        Flaw
}

// Flaws of a Deque.
const (
	// LastBySight has the owner take the last value without a swap of top, as if
	// no thief could want it too.
	LastBySight Flaw = "the last value taken without a swap"
	// TopTooEarly has the owner look at top before it announces its pop in
	// bottom: what a missing store-load barrier does (Lê, Pop, Cohen and Zappa
	// Nardelli, PPoPP 2013).
	TopTooEarly Flaw = "top read before bottom is written"
	// SlotTooLate has a thief read the slot after its swap, when the owner may
	// have filled it again.
	SlotTooLate Flaw = "the slot read after the swap"
	// RingTooEarly publishes the larger ring before the values are in it: what
	// CDSChecker found in the C11 version of the PPoPP paper (Norris and Demsky,
	// OOPSLA 2013).
	RingTooEarly Flaw = "the larger ring published before it is filled"
)

type dequeRing struct{ slots []atomic.Int64 }

func (r *dequeRing) slot(i int64) *atomic.Int64 { return &r.slots[i&int64(len(r.slots)-1)] }

// NewDeque makes a deque with room for size values, a power of two; one that
// grows doubles its room when it is full.
func NewDeque(size int, grows bool, flaw Flaw) *Deque {
	d := &Deque{grows: grows, flaw: flaw}
	d.ring.Store(&dequeRing{make([]atomic.Int64, size)})
	return d
}

// Push adds v at the bottom. Called by the owner. It reports false if the deque
// is full and does not grow.
func (d *Deque) Push(v int64) bool {
	b, t := d.bottom.Load(), d.top.Load()
	r := d.ring.Load()
	if b-t >= int64(len(r.slots)) {
		if !d.grows {
			return false
		}
		r = d.grow(r, t, b)
	}
	r.slot(b).Store(v)
	d.bottom.Store(b + 1)
	return true
}

// grow replaces the ring. Thieves may still read the old one, where the values
// stay as they are.
func (d *Deque) grow(old *dequeRing, t, b int64) *dequeRing {
	r := &dequeRing{make([]atomic.Int64, 2*len(old.slots))}
	if d.flaw == RingTooEarly {
		d.ring.Store(r)
	}
	for i := t; i < b; i++ {
		r.slot(i).Store(old.slot(i).Load())
	}
	if d.flaw != RingTooEarly {
		d.ring.Store(r)
	}
	return r
}

// Pop takes the value at the bottom. Called by the owner.
func (d *Deque) Pop() (v int64, ok bool) {
	b := d.bottom.Load() - 1
	r := d.ring.Load()
	var t int64
	if d.flaw == TopTooEarly {
		t = d.top.Load()
		d.bottom.Store(b)
	} else {
		d.bottom.Store(b)
		t = d.top.Load()
	}
	if t > b {
		d.bottom.Store(b + 1)
		return 0, false
	}
	v = r.slot(b).Load()
	if t < b || d.flaw == LastBySight {
		return v, true
	}
	ok = d.top.CompareAndSwap(t, t+1) // against thieves
	d.bottom.Store(b + 1)
	return v, ok
}

// Steal takes the value at the top. It reports false if there is none, or if
// another was faster.
func (d *Deque) Steal() (v int64, ok bool) {
	t := d.top.Load()
	b := d.bottom.Load()
	if t >= b {
		return 0, false
	}
	r := d.ring.Load()
	if d.flaw == SlotTooLate {
		ok = d.top.CompareAndSwap(t, t+1)
		return r.slot(t).Load(), ok
	}
	v = r.slot(t).Load()
	return v, d.top.CompareAndSwap(t, t+1)
}
