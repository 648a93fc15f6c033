package published

import (
	"sync"
	"sync/atomic"
)

// Locks for which a thread waits in a loop.

// A spinLock is tried by a swap when it looks free.
type spinLock struct{ held atomic.Int32 }

func (l *spinLock) Lock() {
	for {
		for l.held.Load() != 0 {
		}
		if l.held.CompareAndSwap(0, 1) {
			return
		}
	}
}

func (l *spinLock) Unlock() { l.held.Store(0) }

// A ttasLock is taken by whoever changes it (test and test-and-set).
type ttasLock struct{ held atomic.Int32 }

func (l *ttasLock) Lock() {
	for {
		for l.held.Load() != 0 {
		}
		if l.held.Swap(1) == 0 {
			return
		}
	}
}

func (l *ttasLock) Unlock() { l.held.Store(0) }

// A ticketLock serves threads in the order in which they came.
type ticketLock struct{ next, owner atomic.Int32 }

func (l *ticketLock) Lock() {
	ticket := l.next.Add(1) - 1
	for l.owner.Load() != ticket {
	}
}

func (l *ticketLock) Unlock() { l.owner.Store(l.owner.Load() + 1) }

// locking: n threads write a plain variable under the lock and look whether it
// stays.
func locking(n int, l sync.Locker) []func() {
	shared := 0
	return numbered(n, func(i int) {
		l.Lock()
		shared = i
		if shared != i {
			panic("published: two threads are in the critical section")
		}
		l.Unlock()
	})
}
