package sched

// A G can have a thread of the operating system for itself, for what belongs to a thread. It then
// runs on an M of its own, and no other G does. Who finds such a G hands its P over to that M, which
// sleeps on its own and not on the list of idle Ms.
//
// It has no coroutine: it runs on the stack of its M. A coroutine cannot be resumed by a goroutine that is
// locked to a thread, unless that one has made it.

// GoLocked starts f as a G that has a thread for itself (runtime.LockOSThread), which ends when f does.
// (LockOSThread)
func (g *G) GoLocked(f func(*G)) *G {
	if f == nil {
		panic("sched: GoLocked of a nil function")
	}
	m := g.running("GoLocked")
	s := m.s
	gp := s.newG()
	s.global.Lock() // outside: a new M
	gp.lockedm = s.newm()
	gp.lockedm.lockedg = gp
	s.nmidlelocked++
	s.global.Unlock() // outside: a new M
	s.know(gp)
	gp.init(f, m.p.nextID(s))
	m.runqput(gp)
	return gp
}

// startlockedm gives m's P to the M of gp, which runs it. (startlockedm)
func (m *M) startlockedm(gp *G) {
	s, locked := m.s, gp.lockedm
	s.global.Lock() // outside: how many Ms wait for their G, for checkdead (Execute)
	s.nmidlelocked--
	s.wakes++
	s.global.Unlock() // outside: how many Ms wait for their G, for checkdead (Execute)
	locked.nextp = m.releasep()
	locked.wake()
}

// lockedstart is the goroutine of an M that has a G for itself.
func (m *M) lockedstart() {
	defer m.lockedexit()
	m.s.env.lockThread()
	m.runsLocked()
	m.lockedg.run()
}

// runsLocked: m runs its G with the P that it was given.
func (m *M) runsLocked() {
	m.acquirep(m.nextp)
	m.nextp = nil
	m.p.newSlice()
	m.lockedg.hasWaited()
	m.lockedg.m = m
	m.traces()
}

// stopsLocked is what a locked G does where others stop their coroutine: its M does what it asks for, and
// hands its P off. It returns false if the scheduler has closed. (stoplockedm)
func (g *G) stopsLocked() bool {
	m, s := g.lockedm, g.s
	f := m.call
	m.call = nil
	if m.p != nil {
		m.traced(g, m.p, m.why)
	}
	if f(g) {
		g.m = m
		return true
	}
	if m.p != nil {
		s.handoffp(m.releasep())
	}
	s.global.Lock() // Sched!LockPark
	s.nmidlelocked++
	s.checkdead()
	s.global.Unlock() // with Sched!LockPark: the end of its section
	m.note.sleep()
	if m.nextp == nil {
		return false
	}
	m.runsLocked()
	return true
}

// lockedexit ends an M that had a G for itself, with its thread.
func (m *M) lockedexit() {
	g, s := m.lockedg, m.s
	if m.p != nil {
		m.traced(g, m.p, "its end")
	}
	m.flush()
	g.m, g.f = nil, nil
	g.status.Store(dead) // outside: the states of Gs
	if m.p != nil {
		s.handoffp(m.releasep())
	}
	s.global.Lock() // outside: the end of an M
	s.forgetm(m)
	s.checkdead()
	s.global.Unlock() // outside: the end of an M
	s.ms.Done()       // outside: Close waits for it
}
