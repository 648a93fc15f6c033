package sched

// How Gs call what blocks: a system call, or any function of Go that waits. The M waits with
// its G; what matters is who has the P meanwhile.

// Block calls f, which may take long or wait for something that the scheduler does not know of. The P
// stays with the M, so that a short call costs little; sysmon takes it away from a long
// one, and another M runs other Gs with it. f must not use the G. (entersyscall, exitsyscall)
func (g *G) Block(f func()) {
	if f == nil {
		panic("sched: Block of a nil function")
	}
	m := g.running("Block")
	m.traced(g, m.p, "Block")
	p := m.reentersyscall(g)
	defer g.exitsyscall(m, p)
	f()
}

// BlockLong is Block for a call that is known to take long: another M gets the P at once.
// (entersyscallblock)
func (g *G) BlockLong(f func()) {
	if f == nil {
		panic("sched: BlockLong of a nil function")
	}
	m := g.running("BlockLong")
	m.traced(g, m.p, "BlockLong")
	p := m.entersyscallblock(g)
	defer g.exitsyscall(m, p)
	f()
}

// reentersyscall leaves the P where it may be taken back, by m or by others, and returns it.
func (m *M) reentersyscall(g *G) *P {
	s := m.s
	g.m = nil
	g.status.Store(blocked) // outside: the states of Gs
	p := m.releasep()
	if p.safeSeen.Load() < // Sched!EnterSyscall
		s.safePoint.Load() { // Sched!EnterSyscall
		s.runSafePointFn(p)
	}
	if !s.gcwaiting.Load() || // Sched!EnterSyscall
		!s.entersyscallHandleGCWait() {
		p.insyscall.Store(g) // Sched!EnterSyscall, EnterStatus
	}
	if s.sysmonwait.Load() { // Sched!SyscallLook
		s.global.Lock() // Sched!SyscallWake
		s.wakeSysmon()
		s.global.Unlock() // with Sched!SyscallWake: the end of its section
	}
	return p
}

// entersyscallHandleGCWait stops the P of who goes into a syscall if the world is to stop. It reports
// whether it was.
func (s *Scheduler) entersyscallHandleGCWait() bool {
	s.global.Lock()          // Sched!SyscallStop
	defer s.global.Unlock()  // with Sched!SyscallStop: the end of its section
	if !s.gcwaiting.Load() { // with Sched!SyscallStop: what it reads
		return false
	}
	s.stopped()
	return true
}

// entersyscallblock hands the P off, and returns it.
func (m *M) entersyscallblock(g *G) *P {
	g.m = nil
	g.status.Store(blocked) // Sched!EnterSyscallBlock
	p := m.releasep()
	m.s.handoffp(p)
	return p
}

// exitsyscall: the G may run again if m has a P, which was oldp.
func (g *G) exitsyscall(m *M, oldp *P) {
	g.m = m
	m.traced(g, nil, "its return")
	if oldp.insyscall.CompareAndSwap(g, nil) { // Sched!ExitSyscall
		oldp.syscalltick.Add(1) // outside: the clock of syscalls
		g.status.Store(active)  // outside: the states of Gs
		m.acquirep(oldp)
		m.traces()
		return
	}
	if p := m.exitsyscallTryGetP(oldp); p != nil {
		m.acquirep(p)
		m.traces()
		g.status.Store(active) // outside: the states of Gs
		return
	}
	g.mcall("Block", (*G).exitsyscallNoP)
}

// exitsyscallTryGetP returns the P that m had, if it lies with another M in a syscall, or an idle one,
// or nil.
func (m *M) exitsyscallTryGetP(oldp *P) *P {
	s := m.s
	if oldp.insyscall.Swap(nil) != nil { // Sched!ExitOld
		oldp.syscalltick.Add(1) // outside: the clock of syscalls
		return oldp
	}
	if s.npidle.Load() == 0 { // Sched!ExitTry
		return nil
	}
	s.global.Lock() // Sched!ExitGet
	p := s.pidlegetSyscall()
	s.global.Unlock() // with Sched!ExitGet, ExitIdle: the end of their section
	return p
}

// exitsyscallNoP is what the M does for a G that comes back and finds no P: it has found one by
// now, or the G waits for its turn on the global queue, and the M sleeps.
func (g *G) exitsyscallNoP() (again bool) {
	m := g.m
	s := m.s
	g.m = nil
	g.status.Store(active) // outside: the states of Gs
	s.global.Lock()        // Sched!ExitNoP
	p := s.pidlegetSyscall()
	if p == nil {
		s.globrunqput(g)
		s.global.Unlock() // with Sched!ExitNoP: the end of its section
		return false
	}
	s.global.Unlock() // with Sched!ExitIdle: the end of its section
	m.acquirep(p)
	p.newSlice()
	return true
}

// pidlegetSyscall is pidleget for who comes back from a syscall: sysmon may be asleep because all Ps
// were idle. The lock must be held.
func (s *Scheduler) pidlegetSyscall() *P {
	p := s.pidleget()
	if p != nil && s.config.Shipped.SysmonSleep { // else pidleget does it
		s.wakeSysmon()
	}
	return p
}
