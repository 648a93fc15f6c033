package sched

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"github.com/spindle-go/spindle/impl/runq"
)

// A G is a function that has a stack of its own, so that it can stop and go on, on any M.
// Its methods are to be called by that function, but for ID. (g)
//
// It runs on a coroutine (iter.Pull). A G must not call runtime.LockOSThread: a goroutine that is
// locked to a thread cannot run coroutines that others made, and the Go runtime ends the
// program if it tries. GoLocked starts one that has a thread.
type G struct {
	// A G has three cache lines. The first is written once. The second is written each time that the G is used again: it goes
	// from the processor that starts the G to the one that runs it. The third is for Gs that stop.
	s       *Scheduler
	lockedm *M // on which alone it may run, or nil; see locked.go
	_       [16]byte
	queued  runq.G // what queues hold; its last 16 bytes are in the second line

	status atomic.Uint32
	seq    uint8 // how often it began to wait; see figures.go
	f      func(*G)
	stack  *stack      // on which it runs; nil before it has begun, and after its end
	m      *M          // that runs it
	unlock func() bool // of Park
	since  int64       // when it began to wait, or 0: nobody counts how long it does

	timer  Timer  // of Sleep
	reason string // why it waits
	failed any    // what unlock has panicked with
}

// The states of a G. The runtime tells Gs that run from those that are to run. Here nothing needs that, and a
// store for each time that a G begins to run would take longer than to find it in its queue.
const (
	dead     uint32 = iota // it has ended, or was not started (_Gdead)
	active                 // it is in a queue, or an M runs it (_Grunnable, _Grunning)
	waiting                // it has parked (_Gwaiting)
	sleeping               // it waits for a time (_Gwaiting)
	blocked                // it is in Block, on its M (_Gsyscall)
)

var statusNames = [...]string{"has ended", "runs or is about to", "waits", "sleeps", "is in Block"}

// ID returns the number of the G, from 1. Gs that have ended are used again, with new
// numbers.
func (g *G) ID() uint64 { return g.queued.ID }

// gOf returns the G that a queue has given.
func gOf(g *runq.G) *G { return g.Value.(*G) }

// becomes changes the state of g, for who called what.
func (g *G) becomes(from, to uint32, what string) {
	if !g.status.CompareAndSwap(from, to) { // outside: the states of Gs
		g.is(what)
	}
}

// is panics: the state of g is not one for what was called.
func (g *G) is(what string) {
	state := g.status.Load() // outside: words for a panic
	panic(fmt.Sprintf("sched: %s of a G that %s", what, statusNames[state]))
}

// Go starts f as a G. (newproc)
func (g *G) Go(f func(*G)) *G {
	if f == nil {
		panic("sched: Go of a nil function")
	}
	return g.running("Go").newproc(f)
}

// newproc starts f as a G on m's P.
func (m *M) newproc(f func(*G)) *G {
	gp, ok := m.p.gfree.get(&m.s.gfree)
	if !ok {
		gp = m.s.newG()
		m.s.know(gp)
	}
	gp.init(f, m.p.nextID(m.s))
	m.runqput(gp)
	return gp
}

// running returns the M that runs g, which has called what.
func (g *G) running(what string) *M {
	if g == nil || g.m == nil {
		panic("sched: " + what + " outside a G that runs")
	}
	return g.m
}

// init makes a dead G a runnable one.
func (g *G) init(f func(*G), id uint64) {
	g.f, g.queued.ID = f, id
	g.status.Store(active) // outside: the states of Gs
}

// Park stops the G until somebody calls Ready. The reason is for people. When the G has
// stopped, unlock is called, if it is not nil: to give back a lock under which others see
// that the G waits. If it returns false the G goes on at once. It must not use the G.
// (gopark)
func (g *G) Park(reason string, unlock func() bool) {
	g.running("Park")
	g.reason, g.unlock = reason, unlock
	g.mcall(reason, (*G).parked)
	if v := g.failed; v != nil {
		g.failed = nil
		panic(fmt.Sprintf("sched: the unlock function of Park has panicked: %v", v))
	}
}

// parked is what the M does for Park. (park_m)
func (g *G) parked() (again bool) {
	unlock := g.unlock
	g.m, g.unlock = nil, nil
	g.parks()
	g.status.Store(waiting) // Sched!Block: if unlock does not refuse
	// From here on the G may run elsewhere, unless unlock says no.
	if unlock == nil || g.calls(unlock) {
		return false
	}
	g.becomes(waiting, active, "Park")
	g.since = 0
	return true
}

// calls calls the unlock function of Park, which may panic: that is the G's panic.
func (g *G) calls(unlock func() bool) bool {
	ended := false
	defer func() {
		if !ended {
			g.failed = recover()
		}
	}()
	ok := unlock()
	ended = true
	return ok
}

// Ready makes a G runnable that waits in Park. It panics if the G does not. (goready)
func (g *G) Ready(gp *G) {
	if gp == nil {
		panic("sched: Ready of a nil G")
	}
	g.running("Ready").ready(gp)
}

// Yield lets others run. The G goes on when those have had their turn that are runnable
// now. (Gosched)
func (g *G) Yield() {
	g.running("Yield")
	g.mcall("Yield", (*G).yielded)
}

// YieldHere is Yield, but the G stays with its P: it goes on when those have had their turn that are
// queued there now. (goyield)
func (g *G) YieldHere() {
	g.running("YieldHere")
	g.mcall("YieldHere", (*G).yieldedHere)
}

// yieldedHere is what the M does for YieldHere. The M may run a G next for which it wakes nobody, and then
// nobody comes for this one: so it wakes somebody here, which Go 1.26 does not
// (tla/findings/goyield.md). (goyield_m)
func (g *G) yieldedHere() (again bool) {
	m := g.m
	g.m = nil
	g.tracks()
	m.p.runq.Put(&g.queued, false)
	if !m.s.config.Shipped.Goyield {
		m.s.wakep() // with the fix goyield_wakep
	}
	return false
}

// yielded is what the M does for Yield. (gosched_m)
func (g *G) yielded() (again bool) {
	m := g.m
	g.m = nil
	m.goschedImpl(g)
	return false
}

// Goexit ends the G, after its deferred calls. (runtime.Goexit)
func (g *G) Goexit() {
	g.running("Goexit")
	runtime.Goexit()
}

// mcall stops g, why is for the trace. Its M then calls f, which says whether g is to go on at once.
func (g *G) mcall(why string, f func(*G) bool) {
	g.m.call, g.m.why = f, why
	goesOn := false
	if g.lockedm != nil {
		goesOn = g.stopsLocked()
	} else {
		goesOn = g.stack.yield(struct{}{})
	}
	if !goesOn {
		g.m = nil
		runtime.Goexit() // the scheduler has closed
	}
}

// gogo runs m's G until it stops, and does what it then asked for; or until it has ended, and other Gs
// after it on its stack. It reports whether m's G is to run on: what it asked for was in vain (see parked).
func (m *M) gogo() (again bool) {
	c := m.curg.stack
	if c == nil {
		c = m.stackalloc()
		m.begins(c)
	} else {
		m.runs()
	}
	c.next()
	if m.call == nil {
		m.stackfree(c)
		return false
	}
	gp, f := m.curg, m.call
	m.call = nil
	if m.p != nil {
		m.traced(gp, m.p, m.why)
	}
	return f(gp)
}

// begins has m's G, which has no stack yet, run on c.
func (m *M) begins(c *stack) {
	m.curg.stack, c.g = c, m.curg
	m.runs()
}

// runs: m's G runs from here on.
func (m *M) runs() {
	m.curg.hasWaited()
	m.curg.m = m
	m.traces()
}

// run runs the function of a G.
func (g *G) run() {
	ended := false
	defer func() {
		if ended {
			return
		}
		if v := recover(); v != nil {
			g.s.panicked(&PanicError{G: g.ID(), Value: v, Stack: debug.Stack()})
		} else if g.m != nil && g.lockedm == nil {
			g.m.exits = g // runtime.Goexit
		}
	}()
	g.f(g)
	ended = true
}

// end ends the coroutine of a G that waits, if it has one. It makes its deferred calls: by
// runtime.Goexit, which would end the goroutine of who called stop.
func (g *G) end() {
	if g.stack == nil {
		return
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		g.stack.stop()
	}()
	<-ended
}

// newG makes a dead G. It is on no list.
func (s *Scheduler) newG() *G {
	g := &G{s: s}
	g.queued.Value = g
	g.timer.run = g.wakes
	return g
}

// know puts a new G on the list of all Gs. Close ends the Gs of that list, so it is for
// who knows that Close has not begun, or cannot end before: the lock is held, or a G calls. (allgadd)
func (s *Scheduler) know(g *G) {
	s.allg.mu.Lock() // outside: the list of all Gs
	s.allg.list = append(s.allg.list, g)
	g.seq = uint8(len(s.allg.list))
	s.allg.mu.Unlock() // outside: the list of all Gs
}

// gdestroy puts a G that has ended where the next one is taken from. It has no stack any more.
func (m *M) gdestroy(gp *G) {
	m.traced(gp, m.p, "its end")
	gp.m, gp.f, gp.stack = nil, nil, nil
	gp.status.Store(dead) // Sched!Block
	m.p.gfree.put(gp, &m.s.gfree)
}
