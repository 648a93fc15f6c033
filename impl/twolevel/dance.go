package twolevel

import "runtime"

// This file is the dance: how Ms look for work, go to sleep and are woken. Each line that touches what Ms share ends in the
// name of the action of tla/TwoLevel.tla that it is. "with" marks a line that is part of the action of its thread before it
// or after it; "outside" one that the model does not have. A line with a load and an action that takes something is the
// action if there was nothing. Else the line is that writes.
//
// # Two looks that must not miss each other
//
// An M that puts a task in the queue, or frees a P, first writes that and then reads nspin. An M that stops spinning first
// takes itself out of nspin, and then looks again at what it was waiting for. Neither may read before others see what it
// wrote (StoreLoad), or each could miss the other. Atomics of Go are sequentially consistent, which is enough.

// wakep ensures that an M spins, or that all Ps are busy. It is to be called after a task was put in the queue, a P became
// free at the start of a syscall, or an M went from idle to busy. (Ensure in the model)
func (s *Scheduler) wakep() {
	if s.nspin.Load() == 0 && // TwoLevel!EnsureSpin
		s.free.Load() != 0 && // TwoLevel!EnsureFree
		s.nspin.CompareAndSwap(0, 1) { // TwoLevel!EnsureCAS
		s.startm()
	}
}

// startm wakes an M, or makes one. It spins in kind 2, and the caller has counted it in nspin.
func (s *Scheduler) startm() {
	s.idle.mu.Lock()  // TwoLevel!EnsureWake
	if s.idle.ended { // the task that was put has run, and all has ended
		s.idle.mu.Unlock() // outside: Close
		s.nspin.Add(-1)    // outside: Close
		return
	}
	s.idle.wakes++
	m := s.mget()
	if m == nil {
		s.ms.Add(1) // outside: Close waits for it
		m = s.newm()
	}
	m.spin = two
	s.idle.mu.Unlock() // with TwoLevel!EnsureWake: the end of its section
	m.wake()
}

// mget takes the M that parked last, or returns nil. The lock must be held.
func (s *Scheduler) mget() *M {
	last := len(s.idle.ms) - 1
	if last < 0 {
		return nil
	}
	m := s.idle.ms[last]
	s.idle.ms = s.idle.ms[:last]
	return m
}

// stopm has m sleep until it is woken to spin. It reports false if the scheduler has ended, and m is to end.
func (m *M) stopm() bool {
	idle := &m.s.idle
	idle.mu.Lock() // TwoLevel!Park
	if idle.ended {
		idle.mu.Unlock() // outside: Close
		return false
	}
	idle.ms = append(idle.ms, m)
	idle.mu.Unlock() // with TwoLevel!Park: the end of its section
	m.note.sleep()
	return m.spin == two
}

// mstart is the goroutine of an M.
func (m *M) mstart() {
	defer m.mexit()
	m.schedule()
}

// schedule runs tasks until the scheduler has ended.
func (m *M) schedule() {
	for t := m.findRunnable(); t != nil; t = m.findRunnable() {
		m.execute(t)
	}
}

// findRunnable finds a task for m to run. Nil means that the scheduler has ended.
func (m *M) findRunnable() *Task {
	for {
		for !m.p {
			switch {
			case m.spin == two || m.again && m.becomeSpinning():
				m.findP()
			case !m.stopm():
				return nil
			}
		}
		if t := m.findTask(); t != nil {
			return t
		}
	}
}

// becomeSpinning: m spins from now on, of kind 1 with a P, and of kind 2 without. It reports false if as many spin as
// there are Ps.
func (m *M) becomeSpinning() bool {
	s := m.s
	for {
		n := s.nspin.Load() // TwoLevel!JoinLoad
		if n >= s.procs {
			return false
		}
		if s.nspin.CompareAndSwap(n, n+1) { // TwoLevel!JoinCAS
			if m.spin = one; !m.p {
				m.spin = two
			}
			return true
		}
	}
}

// findTask looks for a task for an M with a P. If it returns nil the P is free. An M that may not spin looks on, since it
// must not block: of those that do, one has no P.
func (m *M) findTask() *Task {
	s := m.s
	for {
		if t := s.queue.get(); t != nil {
			if m.spin != none {
				m.resetspinning()
			}
			return t
		}
		if m.spin == none {
			if m.becomeSpinning() {
				continue
			}
		} else if s.ntwo.Load() == 0 { // TwoLevel!TestTwo
			m.releasep()
			return nil
		}
		runtime.Gosched()
	}
}

// resetspinning: m goes from idle to busy. It spins no more, and ensures that another does.
func (m *M) resetspinning() {
	m.spin = none
	m.s.nspin.Add(-1) // TwoLevel!Busy
	m.s.wakep()
}

// releasep: m has found no task. Its P is free, and it spins no more.
func (m *M) releasep() {
	s := m.s
	s.free.Add(1) // TwoLevel!Drop
	m.p, m.spin = false, none
	// StoreLoad: the queue is read after this.
	s.nspin.Add(-1)                   // TwoLevel!Decrement
	m.again = s.queue.size.Load() > 0 // TwoLevel!RecheckQueue
}

// findP looks for a P for an M that spins. With one it is of kind 1. Without, it spins no more.
func (m *M) findP() {
	s := m.s
	s.ntwo.Add(1) // TwoLevel!TwoAdd
	m.p = s.pidleget()
	s.ntwo.Add(-1) // TwoLevel!TwoSub
	if m.p {
		m.spin = one
		return
	}
	m.spin = none
	// StoreLoad: the free Ps are read after this.
	s.nspin.Add(-1)              // TwoLevel!Decrement
	m.again = s.free.Load() != 0 // TwoLevel!RecheckFree
}

// pidleget takes a free P, and reports whether there was one.
func (s *Scheduler) pidleget() bool {
	for {
		free := s.free.Load() // TwoLevel!TwoTake, ExitTake
		if free == 0 {
			return false
		}
		if s.free.CompareAndSwap(free, free-1) { // TwoLevel!TwoTake, ExitTake
			return true
		}
	}
}

// entersyscall: t is about to call what may block. Its P is free at once, and an M must be there to use it.
func (t *Task) entersyscall(m *M) {
	t.m = nil
	t.s.free.Add(1) // TwoLevel!EnterSyscall
	m.p = false
	t.s.wakep()
}

// exitsyscall: t may run again if there is a free P. Else it waits for its turn in the queue, and m for a P.
func (t *Task) exitsyscall(m *M) {
	if m.p = t.s.pidleget(); !m.p {
		t.stop(struct{}{})
		return // on another M, perhaps: see execute
	}
	t.m = m
}
