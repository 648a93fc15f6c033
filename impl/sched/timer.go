package sched

import (
	"container/heap"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Timers lie in a heap of the P where they were started: those of Gs that sleep, and others. Its
// owner looks there on its way through findRunnable, and thieves do. While nobody runs anything, one M waits for
// the first of all times: see poll in dance.go.

// Sleep stops the G for d. If d is not more than 0 it goes on at once. (timeSleep)
func (g *G) Sleep(d time.Duration) {
	m := g.running("Sleep")
	if d <= 0 {
		return
	}
	g.timer.when = m.s.after(d)
	g.reason = "sleep"
	g.mcall("Sleep", (*G).sleeps)
}

// sleeps is what the M does for Sleep. (resetForSleep)
func (g *G) sleeps() (again bool) {
	m := g.m
	g.m = nil
	g.status.Store(sleeping) // outside: the states of Gs
	m.start(&g.timer)
	return false
}

// wakes is what the timer of Sleep does.
func (g *G) wakes(m *M) {
	g.becomes(sleeping, active, "the end of Sleep")
	m.runqput(g)
}

// AfterFunc starts f as a G when d is over. (time.AfterFunc)
func (g *G) AfterFunc(d time.Duration, f func(*G)) *Timer {
	if f == nil {
		panic("sched: AfterFunc of a nil function")
	}
	m := g.running("AfterFunc")
	t := &Timer{run: func(m *M) { m.newproc(f) }, when: m.s.after(max(d, 0))}
	m.start(t)
	return t
}

// after is the time d from now, as nanotime counts.
func (s *Scheduler) after(d time.Duration) int64 {
	now := s.env.nanotime()
	return now + min(int64(d), math.MaxInt64-now)
}

// start begins to wait for a timer's time, on m's P.
func (m *M) start(t *Timer) {
	when := t.when
	if m.p.timers.add(t) {
		m.s.wakeNetPoller(when)
	}
}

// A Timer waits for a time.
type Timer struct {
	when int64                  // in ns, as nanotime counts
	run  func(*M)               // what is done then, by an M that has a P
	of   atomic.Pointer[timers] // where it waits or has waited
	at   int                    // its place there, from 1, or 0
}

// Stop sees to it that the timer does nothing any more. It reports false if that is too late, or was
// done before.
func (t *Timer) Stop() bool {
	for {
		ts := t.of.Load()      // outside: it moves when the world is stopped
		ts.mu.Lock()           // outside: timers that are stopped
		if ts == t.of.Load() { // outside: it moves when the world is stopped
			waits := t.at > 0
			if waits {
				heap.Remove(&ts.heap, t.at-1)
				ts.first.Store(ts.next()) // outside: timers that are stopped
			}
			ts.mu.Unlock() // outside: timers that are stopped
			return waits
		}
		ts.mu.Unlock() // outside: timers that are stopped
	}
}

// timers are the timers of a P. (timers)
type timers struct {
	mu    sync.Mutex
	heap  timerHeap
	first atomic.Int64 // the first time, in ns as nanotime counts; 0: there is none
}

// add puts t there, and reports whether it is the first.
func (ts *timers) add(t *Timer) (first bool) {
	ts.mu.Lock()   // with Sched!TimerSet, TimerAfter: the lock of the heap
	t.of.Store(ts) // outside: it moves when the world is stopped
	heap.Push(&ts.heap, t)
	if first = ts.heap[0] == t; first {
		ts.first.Store(t.when) // Sched!TimerSet, TimerAfter
	}
	ts.mu.Unlock() // with Sched!TimerSet, TimerAfter: the lock of the heap
	return first
}

// take takes the first whose time is over by now, or returns nil.
func (ts *timers) take(now int64) (t *Timer) {
	ts.mu.Lock() // with Sched!TimersCheck, StealTimer: the lock of the heap
	if len(ts.heap) > 0 && ts.heap[0].when <= now {
		t = heap.Pop(&ts.heap).(*Timer)
		ts.first.Store(ts.next()) // Sched!TimersCheck, StealTimer
	}
	ts.mu.Unlock() // with Sched!TimersCheck, StealTimer: the lock of the heap
	return t
}

// next returns the first time, or 0. The lock must be held.
func (ts *timers) next() int64 {
	if len(ts.heap) == 0 {
		return 0
	}
	return ts.heap[0].when
}

// takeAll takes all from another heap. The world is stopped.
func (ts *timers) takeAll(from *timers) {
	from.mu.Lock() // with Sched!Resize: the lock of the heap
	ts.mu.Lock()   // with Sched!Resize: the lock of the heap
	for _, t := range from.heap {
		t.of.Store(ts) // outside: it moves when the world is stopped
		heap.Push(&ts.heap, t)
	}
	from.heap = nil
	ts.first.Store(ts.next()) // with Sched!Resize: what it writes
	from.first.Store(0)       // with Sched!Resize: what it writes
	ts.mu.Unlock()            // with Sched!Resize: the lock of the heap
	from.mu.Unlock()          // with Sched!Resize: the lock of the heap
}

// timerHeap is a heap (container/heap).
type timerHeap []*Timer

func (h timerHeap) Len() int           { return len(h) }
func (h timerHeap) Less(i, j int) bool { return h[i].when < h[j].when }
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i+1, j+1
}
func (h *timerHeap) Push(t any) {
	*h = append(*h, t.(*Timer))
	t.(*Timer).at = len(*h)
}
func (h *timerHeap) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	t.at = 0
	return t
}

// checkTimers does what the timers of p are for whose time is over. It returns the time if it asked for it, else
// what it was given, when the next is to wake there, or 0, and whether it did one.
// (timers.check)
func (m *M) checkTimers(p *P, now int64) (_, next int64, ran bool) {
	for {
		next = p.timers.first.Load() // Sched!TimersCheck, StealTimer
		if next == 0 {
			return now, 0, ran
		}
		if now == 0 {
			now = m.s.env.nanotime()
		}
		if next > now {
			return now, next, ran
		}
		if t := p.timers.take(now); t != nil { // else somebody else did
			t.run(m)
			ran = true
		}
	}
}

// sooner returns the earlier of two times, where 0 is never.
func sooner(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// timeSleepUntil returns when the first of all Gs is to wake, or 0 if none sleeps.
func timeSleepUntil(allp []*P) (next int64) {
	for _, p := range allp {
		next = sooner(next, p.timers.first.Load()) // Sched!RecheckTimer, SysSleep
	}
	return next
}

// An environment is what a scheduler has of the world outside.
type environment interface {
	// nanotime is the time in ns, more than 0.
	nanotime() int64
	// ticks is nanotime for figures alone: nothing that is done depends on it.
	ticks() int64
	// pauses reports whether a pause takes time. Where it takes none the explorer tries all orders, and the tie
	// would take a look at a word of the model for a step.
	pauses() bool
	// pause waits for some ns, and keeps the thread.
	pause(ns int64)
	// newBell makes a bell.
	newBell() bell
	// procs is how many Ps there are by default.
	procs() int
	// lockThread gives who calls a thread for itself. (runtime.LockOSThread)
	lockThread()
	// newNetpoll makes a netpoll, or returns nil if there is none here.
	newNetpoll() (netpoll, error)
}

// A bell is for one thread to sleep on until another rings it, or for a time. To ring it before is
// to ring it once. (a note, with notetsleep)
type bell interface {
	// sleep sleeps until a time, as nanotime counts, and reports whether somebody rang.
	sleep(until int64) bool
	ring()
}

// realTime is the environment of programs.
type realTime struct{}

// began is when time begins.
var began = time.Now()

func (realTime) nanotime() int64 { return 1 + int64(time.Since(began)) }

func (realTime) pauses() bool { return true }

func (r realTime) ticks() int64 { return r.nanotime() }

// pause waits by the clock: a sleep of the system takes ten times as long or more.
func (r realTime) pause(ns int64) {
	for until := r.nanotime() + ns; r.nanotime() < until; {
		runtime.Gosched()
	}
}

func (realTime) procs() int { return min(runtime.GOMAXPROCS(0), MostProcs) }

func (realTime) lockThread() { runtime.LockOSThread() }

func (r realTime) newBell() bell { return &realBell{r, make(chan struct{}, 1)} }

type realBell struct {
	realTime
	rung chan struct{}
}

func (b *realBell) ring() {
	select {
	case b.rung <- struct{}{}:
	default:
	}
}

func (b *realBell) sleep(until int64) bool {
	over := time.NewTimer(time.Duration(until - b.nanotime()))
	defer over.Stop()
	select {
	case <-b.rung:
		return true
	case <-over.C:
		return false
	}
}
