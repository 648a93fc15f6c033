package published

import (
	"sync"
	"sync/atomic"
)

// Data that several threads share while they wait for each other in loops.

// An rwLock is Linux's old lock for readers and writers: what is left of bias.
type rwLock struct{ left atomic.Int32 }

const bias = 0x100000

func (l *rwLock) rLock() {
	for l.left.Add(-1) < 0 {
		l.left.Add(1)
		for l.left.Load() <= 0 {
		}
	}
}

func (l *rwLock) rUnlock() { l.left.Add(1) }

func (l *rwLock) lock() {
	for l.left.Add(-bias) != 0 {
		l.left.Add(bias)
		for l.left.Load() != bias {
		}
	}
}

func (l *rwLock) unlock() { l.left.Add(bias) }

// rwLocks: each of n threads reads and then writes (linuxrwlocks).
func rwLocks(n int) []func() {
	l, shared := new(rwLock), 0
	l.left.Store(bias)
	return copies(n, func() {
		l.rLock()
		v := shared
		l.rUnlock()
		l.lock()
		shared = v + 1
		l.unlock()
	})
}

// seqlock: one thread writes under a lock, and one reads without.
func seqlock() []func() {
	var mu sync.Mutex
	var seq, shared atomic.Int32
	count := func() { seq.Store(seq.Load() + 1) }
	write := func() {
		mu.Lock()
		count()
		shared.Store(42)
		count()
		mu.Unlock()
	}
	read := func() {
		for {
			before := seq.Load()
			if before%2 != 0 {
				continue
			}
			shared.Load()
			if seq.Load() == before {
				return
			}
		}
	}
	return []func(){read, write}
}

// An mpmc is a bounded queue of several producers and consumers, as the tests of
// relacy and CDSChecker have it.
type mpmc struct {
	slots         [4]int
	begun         atomic.Uint32 // reads, in the upper half, and writes
	read, written atomic.Uint32 // ended
}

func (q *mpmc) put(v int) bool {
	var rd, wr uint32
	for {
		begun := q.begun.Load()
		rd, wr = begun>>16, begun&0xffff
		if wr == (rd+uint32(len(q.slots)))&0xffff {
			return false
		}
		if q.begun.CompareAndSwap(begun, rd<<16|(wr+1)&0xffff) {
			break
		}
	}
	for q.read.Load()&0xffff != rd {
	}
	q.slots[wr%uint32(len(q.slots))] = v
	q.written.Add(1)
	return true
}

func (q *mpmc) get() (v int, ok bool) {
	var rd, wr uint32
	for {
		begun := q.begun.Load()
		rd, wr = begun>>16, begun&0xffff
		if wr == rd {
			return 0, false
		}
		if q.begun.CompareAndSwap(begun, begun+1<<16) {
			break
		}
	}
	for q.written.Load()&0xffff != wr {
	}
	v = q.slots[rd%uint32(len(q.slots))]
	q.read.Add(1)
	return v, true
}

// boundedQueue: one puts and one gets until nothing is left, when there is one
// value already (mpmc-queue).
func boundedQueue() []func() {
	q := new(mpmc)
	q.put(17)
	return []func(){
		func() { q.put(1) },
		func() {
			for ok := true; ok; {
				_, ok = q.get()
			}
		},
	}
}
