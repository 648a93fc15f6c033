package sync

import (
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A Cond is a [sync.Cond]: it has the same fields, so that it can be used as one
// outside of an exploration. (It cannot hold one and have a field L too.) That
// the fields are the same is checked when the program begins.
type Cond struct {
	noCopy noCopy

	// L is held while the condition is looked at or changed.
	L Locker

	notify  notifyList
	checker uintptr
}

type notifyList struct {
	wait   uint32
	notify uint32
	lock   uintptr
	head   unsafe.Pointer
	tail   unsafe.Pointer
}

func (c *Cond) original() *sync.Cond { return (*sync.Cond)(unsafe.Pointer(c)) }

// A ticket is a thread that waits for a Cond.
type ticket struct {
	cond      *Cond
	signalled bool
}

// NewCond is [sync.NewCond].
func NewCond(l Locker) *Cond { return &Cond{L: l} }

// Wait is [sync.Cond.Wait].
func (c *Cond) Wait() { c.WaitAt(0) }

// WaitAt is Wait at site.
func (c *Cond) WaitAt(site Site) {
	if !engine.Controlled() {
		if engine.Hosted && engine.Outside() {
			engine.WaitsOutside("a Cond that is not signalled")
		}
		c.original().Wait()
		return
	}
	t := &ticket{cond: c}
	engine.Begin(unsafe.Pointer(c), object.Enqueue, site)
	c.touch()
	x := current()
	x.waiters = append(x.waiters, t)
	n := c.waiting()
	engine.End(n-1, n, true)

	l, at := lockerOf(c.L)
	if at {
		l.UnlockAt(site)
	} else {
		c.L.Unlock()
	}

	engine.Await(unsafe.Pointer(c), object.Wake, site, signalled, unsafe.Pointer(t))
	c.touch()
	engine.Acquire(unsafe.Pointer(t))
	engine.End(0, 0, false)

	if at {
		l.LockAt(site)
	} else {
		c.L.Lock()
	}
}

func signalled(t unsafe.Pointer) bool { return (*ticket)(t).signalled }

// Signal is [sync.Cond.Signal]. As in the original, the thread that has waited
// longest is woken; under Exec.AnyChoice each in turn.
func (c *Cond) Signal() { c.SignalAt(0) }

// SignalAt is Signal at site.
func (c *Cond) SignalAt(site Site) {
	if !engine.Controlled() {
		c.original().Signal()
		return
	}
	engine.Begin(unsafe.Pointer(c), object.Signal, site)
	c.touch()
	c.wake(engine.Open(engine.SignalWakes, int(c.waiting())), 1)
}

// Broadcast is [sync.Cond.Broadcast].
func (c *Cond) Broadcast() { c.BroadcastAt(0) }

// BroadcastAt is Broadcast at site.
func (c *Cond) BroadcastAt(site Site) {
	if !engine.Controlled() {
		c.original().Broadcast()
		return
	}
	engine.Begin(unsafe.Pointer(c), object.Broadcast, site)
	c.touch()
	c.wake(0, int(c.waiting()))
}

// wake wakes at most n of the threads that wait for c, from the kth on, counted from 0.
func (c *Cond) wake(k, n int) {
	before := c.waiting()
	x := current()
	rest := x.waiters[:0]
	for _, t := range x.waiters {
		switch {
		case t.cond != c || n == 0:
			rest = append(rest, t)
		case k > 0:
			rest = append(rest, t)
			k--
		default:
			t.signalled = true
			engine.Release(unsafe.Pointer(t))
			n--
		}
	}
	clear(x.waiters[len(rest):])
	x.waiters = rest
	after := c.waiting()
	engine.End(before, after, before != after)
}

// touch says what an operation works on: all but L, which is the user's.
func (c *Cond) touch() { engine.Touches(unsafe.Pointer(&c.notify), unsafe.Sizeof(c.notify)) }

// waiting counts the threads that wait for c.
func (c *Cond) waiting() (n uint64) {
	for _, t := range current().waiters {
		if t.cond == c {
			n++
		}
	}
	return n
}
