package sched

import (
	"fmt"
	"sync"
)

// A Semaphore lets so many Gs go on at a time. A G that waits for it leaves its P to others, and the one that has waited for
// longest is the next. With 1 it is a lock; the value of a Semaphore is handed over, so that no other G can take it meanwhile.
// (semacquire, semrelease)
type Semaphore struct {
	mu    sync.Mutex
	free  int
	waits []*G
}

// NewSemaphore returns a Semaphore for n Gs at a time, 0 or more: with 0, Acquire waits for a Release. It panics if n is
// negative.
func NewSemaphore(n int) *Semaphore {
	if n < 0 {
		panic(fmt.Sprintf("sched: NewSemaphore: expected 0 or more, saw %d", n))
	}
	return &Semaphore{free: n}
}

// Acquire waits until there is room, and takes it. The reason is for people, as that of Park. It is to be called by g.
func (l *Semaphore) Acquire(g *G, reason string) {
	g.running("Acquire")
	l.mu.Lock() // outside: semaphores
	if l.free > 0 {
		l.free--
		l.mu.Unlock() // outside: semaphores
		return
	}
	l.waits = append(l.waits, g)
	g.Park(reason, func() bool {
		l.mu.Unlock() // outside: semaphores
		return true
	})
}

// Release gives room back, to the G that has waited for longest if one waits. Any G may call it, with itself.
func (l *Semaphore) Release(g *G) {
	g.running("Release")
	var next *G
	l.mu.Lock() // outside: semaphores
	if len(l.waits) > 0 {
		next, l.waits = l.waits[0], l.waits[1:]
	} else {
		l.free++
	}
	l.mu.Unlock() // outside: semaphores
	if next != nil {
		g.Ready(next)
	}
}
