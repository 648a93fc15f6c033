//go:build spindle_overlay

package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A gate keeps made-up Gs out of the real scheduler.
//
// While made-up Gs lie on the global queue, which is the real sched.runq, any M
// that looks for work would take one and jump into nothing. So for a run
// GOMAXPROCS is the number of the run's threads, and each thread pins itself to
// its M and P; once all are pinned there is no P left for anybody else, the gate
// is sealed, and the global queue is theirs. After the run all stay pinned until
// the last is done; it takes the made-up Gs out of the global queue, and only
// then does anyone let go. sysmon runs without a P: it may queue real Gs, which
// are told by their address and put aside.
//
// A thread that is pinned and waits for the others blocks whoever wants to stop
// the world, and may itself sit on a P that the scheduler needs to start the
// others. So it waits 2 ms at most, then gives up its place, lets go, yields and
// comes back.
type gate struct {
	mu      sync.Mutex
	entered int // threads that were let in for this run
	threads int32
	pinned  atomic.Int32
	done    atomic.Int32
	open    atomic.Bool // sealed, and the threads may work
	ms      []*runtime.SpindleM
}

const patience = 2 * time.Millisecond

// Enter returns in all threads of a run at nearly the same moment, each with a
// P of its own, and nobody else having one.
func (s *set) Enter(thread, threads int) {
	s.mu.Lock()
	if s.entered == 0 {
		s.threads = int32(threads)
		s.ms = make([]*runtime.SpindleM, threads)
		s.pinned.Store(0)
		s.done.Store(0)
		runtime.GOMAXPROCS(threads)
	}
	s.entered++
	s.mu.Unlock()
	for {
		m := runtime.SpindlePin()
		s.ms[thread] = m
		if s.pinned.Add(1) == s.threads {
			s.seal()
			return
		}
		if s.await() {
			return
		}
		runtime.SpindleUnpin(m)
		runtime.Gosched()
	}
}

// await waits for the seal; false means that the thread gave up its place.
func (s *set) await() bool {
	begin := time.Now()
	for spins := 0; ; spins++ {
		if s.open.Load() {
			return true
		}
		if spins%100 != 99 {
			continue
		}
		runtime.SpindleYield()
		if time.Since(begin) < patience {
			continue
		}
		// Not once all are there: the last one seals without looking back.
		if n := s.pinned.Load(); n < s.threads && s.pinned.CompareAndSwap(n, n-1) {
			return false
		}
	}
}

// seal is done by the last thread to be pinned.
func (s *set) seal() {
	runtime.SpindleSeal(&s.slab, &s.held)
	if s.backoff {
		for _, l := range s.ps {
			runtime.SpindleRunning(l.p, true)
		}
	}
	s.open.Store(true)
}

// Leave waits, pinned, until all threads have left.
func (s *set) Leave(thread int) {
	m := s.ms[thread]
	if s.done.Add(1) == s.threads {
		for _, l := range s.ps {
			runtime.SpindleRunning(l.p, false)
		}
		runtime.SpindleUnseal(&s.slab, &s.held)
		s.entered = 0
		s.open.Store(false)
	}
	for spins := 0; s.open.Load(); spins++ {
		if spins%100 == 99 {
			runtime.SpindleYield()
		}
	}
	runtime.SpindleUnpin(m)
}
