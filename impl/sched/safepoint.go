package sched

import "fmt"

// forEachP: each P calls a function at a safe point, where no G runs on it. The world goes on meanwhile.
//
// The runtime has a flag per P, runSafePointFn. Here safePoint counts the calls of ForEachP, and safeSeen is the number of the last
// one that a P has called its function for: the flag of a P is set if it is behind. So one store sets all flags.

// ForEachP calls f once for each P, with the number of the P, from 0, at a moment when no G runs there. It returns when all
// calls have. Each G that ran when ForEachP was called has stopped since then, at a call of its own or at a Checkpoint, or is
// in Block. Calls of f may overlap, on several Ms, and one may be made under the lock of the scheduler: f is to be short, and must call
// neither the scheduler nor its Gs, nor what blocks, nor runtime.Goexit. If f panics, ForEachP panics with the first of these
// panics, once all calls are over. (forEachP)
func (g *G) ForEachP(f func(p int)) {
	if f == nil {
		panic("sched: ForEachP of a nil function")
	}
	g.running("ForEachP")
	s := g.s
	s.worldsema.Acquire(g, "ForEachP")
	g.m.forEachP(f)
	failed := s.safePointFailed.Swap(nil) // outside: a panic
	s.worldsema.Release(g)
	if failed != nil {
		panic(fmt.Sprintf("sched: the function of ForEachP has panicked: %v", *failed))
	}
}

// forEachP returns when f has been called for each P. worldsema must be held. (forEachPInternal)
func (m *M) forEachP(f func(int)) {
	s := m.s
	s.global.Lock()                  // Sched!ForEachP
	number := s.safePoint.Load() + 1 // with Sched!ForEachP: nobody else writes it
	s.safePointFn = f
	s.safePointWait.Store(int32(len(s.allp))) // outside: how many calls are not over
	m.p.safeSeen.Store(number)                // with Sched!ForEachP: whose flags are not set
	for p := s.pidle; p != nil; p = p.link {  // nobody has them, so they are here
		p.safeSeen.Store(number) // with Sched!ForEachP: whose flags are not set
		s.callSafePointFn(p)
	}
	s.safePoint.Store(number) // with Sched!ForEachP: what it writes
	s.preemptall(m.p)
	s.global.Unlock() // with Sched!ForEachP: the end of its section
	s.callSafePointFn(m.p)

	m.takeUnsafe(number)
	for s.safePointWait.Load() > 0 { // Sched!SafeWait
		s.safePointNote.sleep(s.env.nanotime() + stopWait)
		s.preemptall(m.p)
		// A G that went into a syscall may have looked before its P's flag was set, and have left the P after it was
		// looked for there. Go 1.26 does not look again (tla/findings/safepoint.md).
		if !s.config.Shipped.Safepoint {
			m.takeUnsafe(number)
		}
	}
	s.safePointFn = nil // all calls are over
}

// takeUnsafe takes the Ps whose flags are set from Ms in syscalls, and hands them off.
func (m *M) takeUnsafe(number uint64) {
	s := m.s
	for _, p := range s.allp {
		if p == m.p || p.safeSeen.Load() == number { // Sched!SafeTake
			continue
		}
		gp := p.insyscall.Load()                              // Sched!SafeTake
		if gp != nil && p.insyscall.CompareAndSwap(gp, nil) { // Sched!SafeTake, SafeAgain, SafeStale
			p.syscalltick.Add(1) // outside: the clock of syscalls
			s.handoffp(p)
		}
	}
}

// runSafePointFn calls the function of ForEachP for p, which the caller has, and whose flag is set.
func (s *Scheduler) runSafePointFn(p *P) {
	number := s.safePoint.Load() // with Sched!SafeCheck, EnterSyscall, HandoffLock: which it is
	p.safeSeen.Store(number)     // Sched!SafeCheck, EnterSyscall, HandoffLock
	s.callSafePointFn(p)
}

// callSafePointFn calls the function of ForEachP for p, whose flag is not set any more.
func (s *Scheduler) callSafePointFn(p *P) {
	defer func() {
		if v := recover(); v != nil {
			s.safePointFailed.CompareAndSwap(nil, &v) // outside: a panic
		}
		if s.safePointWait.Add(-1) == 0 { // outside: how many calls are not over
			s.safePointNote.ring()
		}
	}()
	s.safePointFn(p.id)
}
