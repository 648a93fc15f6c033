package sched

import (
	"container/heap"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Gs that sleep lie in a heap of the P on which they went to sleep. Its owner looks there on its
// way through findRunnable, and thieves do. While nobody runs anything, one M waits for
// the first of all times: see poll in dance.go.

// Sleep stops the G for d. If d is not more than 0 it goes on at once. (timeSleep)
func (g *G) Sleep(d time.Duration) {
	m := g.running("Sleep")
	if d <= 0 {
		return
	}
	now := m.s.env.nanotime()
	g.when = now + min(int64(d), math.MaxInt64-now)
	g.reason = "sleep"
	g.mcall((*G).sleeps)
}

// sleeps is what the M does for Sleep. (resetForSleep)
func (g *G) sleeps() (again bool) {
	m, when := g.m, g.when
	g.m = nil
	g.status.Store(sleeping) // outside: the states of Gs
	if m.p.timers.add(g) {
		m.s.wakeNetPoller(when)
	}
	return false
}

// timers are the Gs that sleep on a P, by when they are to wake. (timers)
type timers struct {
	mu    sync.Mutex
	heap  sleepers
	first atomic.Int64 // when the first is to wake, in ns as nanotime counts; 0: none sleeps
}

// add puts g there, and reports whether it is the first to wake.
func (t *timers) add(g *G) (first bool) {
	t.mu.Lock() // with Sched!TimerSet: the lock of the heap
	heap.Push(&t.heap, g)
	first = t.heap[0] == g
	if first {
		t.first.Store(g.when) // Sched!TimerSet
	}
	t.mu.Unlock() // with Sched!TimerSet: the lock of the heap
	return first
}

// take takes the first that is to wake by now, or returns nil.
func (t *timers) take(now int64) (g *G) {
	t.mu.Lock() // with Sched!TimersCheck, StealTimer: the lock of the heap
	if len(t.heap) > 0 && t.heap[0].when <= now {
		g = heap.Pop(&t.heap).(*G)
		next := int64(0)
		if len(t.heap) > 0 {
			next = t.heap[0].when
		}
		t.first.Store(next) // Sched!TimersCheck, StealTimer
	}
	t.mu.Unlock() // with Sched!TimersCheck, StealTimer: the lock of the heap
	return g
}

// takeAll takes all from another heap. The world is stopped.
func (t *timers) takeAll(from *timers) {
	from.mu.Lock() // with Sched!Resize: the lock of the heap
	moved := from.heap
	from.heap = nil
	from.first.Store(0) // with Sched!Resize: what it writes
	from.mu.Unlock()    // with Sched!Resize: the lock of the heap
	for _, g := range moved {
		t.add(g)
	}
}

// sleepers is a heap (container/heap).
type sleepers []*G

func (h sleepers) Len() int           { return len(h) }
func (h sleepers) Less(i, j int) bool { return h[i].when < h[j].when }
func (h sleepers) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *sleepers) Push(g any)        { *h = append(*h, g.(*G)) }
func (h *sleepers) Pop() any {
	last := len(*h) - 1
	g := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return g
}

// checkTimers makes the Gs runnable that are to wake on p. It returns the time if it asked for it, else
// what it was given, when the next is to wake there, or 0, and whether it woke one.
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
		if gp := p.timers.take(now); gp != nil { // else somebody else did
			gp.becomes(sleeping, runnable, "the end of Sleep")
			m.runqput(gp)
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
	// newBell makes a bell.
	newBell() bell
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
