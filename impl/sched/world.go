package sched

import (
	"fmt"
	"slices"
	"time"
)

// How many Ps there are can change. To change it the world is stopped: no G runs, and each P lies still.

// stopWait is how long who stops the world waits before it asks again.
const stopWait = int64(100 * time.Microsecond)

// SetProcs changes how many Gs run at a time to n, from 1 to MostProcs. It waits until each G
// that runs stops at a call of its own, or at a Checkpoint; those in Block are not waited for.
// (GOMAXPROCS)
func (g *G) SetProcs(n int) error {
	g.running("SetProcs")
	if most := min(MostProcs, g.s.config.MaxMs); n < 1 || n > most {
		return fmt.Errorf("sched: SetProcs: expected 1 to %d, saw %d", most, n)
	}
	g.changeProcs(n, false)
	return nil
}

// changeProcs changes the number of Ps. If it follows the default, it does so only where that is followed still.
func (g *G) changeProcs(n int, follows bool) {
	s := g.s
	s.worldsema.Acquire(g, "SetProcs")
	s.global.Lock() // outside: another number of Ps
	wanted := !follows || s.follows
	s.follows = follows && s.follows
	s.global.Unlock() // outside: another number of Ps
	if wanted {
		g.m.stopTheWorld()
		g.m.startTheWorld(n)
	}
	s.worldsema.Release(g)
}

// SetProcs is SetProcs of a G, for others. The error may be ErrClosed.
func (s *Scheduler) SetProcs(n int) error {
	result := make(chan error, 1)
	if err := s.Go(func(g *G) { result <- g.SetProcs(n) }); err != nil {
		return err
	}
	return <-result
}

// stopTheWorld returns when no P is at work but m's. worldsema must be held.
// (stopTheWorldWithSema)
func (m *M) stopTheWorld() {
	s := m.s
	s.global.Lock()         // Sched!StopWorld
	s.gcwaiting.Store(true) // with Sched!StopWorld: what it writes
	s.preemptall(m.p)
	s.stopwait = len(s.allp) - 1
	s.stopSyscalls()                   // with Sched!StopIdle
	s.stopwait -= int(s.npidle.Load()) // with Sched!StopIdle: the lock is held
	s.pidle = nil
	s.npidle.Store(0) // Sched!StopNpidle
	s.countsPs(0)
	wait := s.stopwait > 0
	s.global.Unlock() // with Sched!StopNpidle: the end of its section

	for wait {
		s.stopnote.sleep(s.env.nanotime() + stopWait)
		s.preemptall(m.p)
		s.global.Lock() // Sched!StopAgain
		// A G that went into a syscall may have looked before the world was to stop, and have left its P
		// after that was asked for. Go 1.26 does not look again (tla/findings/stw-syscall.md).
		if !s.config.Shipped.StwSyscall {
			s.stopSyscalls()
		}
		wait = s.stopwait > 0
		s.global.Unlock() // with Sched!StopAgain: the end of its section
	}
}

// preemptall asks the Gs of all other Ps to yield.
func (s *Scheduler) preemptall(mine *P) {
	for _, p := range s.allp {
		if p != mine {
			p.preempt.CompareAndSwap(goOn, toStop) // outside: the model's Gs yield when the world is to stop
		}
	}
}

// stopSyscalls stops the Ps that lie with an M in a syscall. The lock must be held.
func (s *Scheduler) stopSyscalls() {
	for _, p := range s.allp {
		gp := p.insyscall.Load()                              // with Sched!StopIdle, StopAgain: whether there is one
		if gp != nil && p.insyscall.CompareAndSwap(gp, nil) { // Sched!StopIdle, StopAgain
			p.syscalltick.Add(1) // outside: the clock of syscalls
			s.stopwait--
		}
	}
}

// stopped: one P more has stopped. The lock must be held.
func (s *Scheduler) stopped() {
	s.stopwait--
	if s.stopwait == 0 {
		s.stopnote.ring()
	}
}

// gcstopm stops m and its P until the world is started. It reports false if m is to end.
func (m *M) gcstopm() bool {
	s := m.s
	if m.spinning {
		m.spinning = false
		s.nmspinning.Add(-1) // Sched!StopSpinning
	}
	s.global.Lock() // Sched!StopP
	m.releasep()
	s.stopped()
	s.global.Unlock() // with Sched!StopP: the end of its section
	return m.stopm()
}

// startTheWorld has n Ps go to work. (startTheWorldWithSema)
func (m *M) startTheWorld(n int) {
	s := m.s
	s.global.Lock() // Sched!Resize
	busy := m.procresize(n)
	s.gcwaiting.Store(false) // Sched!StartWorld
	s.wakeSysmon()
	s.global.Unlock() // with Sched!StartWorld: the end of its section
	for _, p := range busy {
		s.startm(p, false)
	}
	s.wakep()
}

// procresize makes it n Ps, and returns those that have work, but for m's. What is in the queues of Ps
// that go is put on the global queue, and who sleeps there moves to m's P. The world is stopped, and
// the lock must be held.
func (m *M) procresize(n int) (busy []*P) {
	s := m.s
	gone := s.allp[min(n, len(s.allp)):]
	s.setProcs(n)
	if m.p.id >= n {
		m.p = s.allp[0]
	}
	for _, p := range gone {
		m.destroy(p)
	}
	idle := int32(0)
	for _, p := range slices.Backward(s.allp) {
		switch {
		case p == m.p:
		case p.runq.Empty():
			p.link, s.pidle = s.pidle, p
			idle++
		default:
			busy = append(busy, p)
		}
	}
	s.npidle.Store(idle) // Sched!ResizeIdle
	s.countsPs(int(idle))
	return busy
}

// setProcs makes the list of Ps n long. Ps that go are kept, for those who knew them.
func (s *Scheduler) setProcs(n int) {
	s.allpLock.Lock() // outside: the list of Ps, for sysmon
	for i := len(s.everyp); i < n; i++ {
		s.everyp = append(s.everyp, s.newP(i))
	}
	number := s.safePoint.Load() // outside: the world is stopped
	for _, p := range s.everyp[min(n, len(s.allp)):n] {
		p.safeSeen.Store(number) // outside: the world is stopped
	}
	s.allp = s.everyp[:n]
	s.allpLock.Unlock() // outside: the list of Ps, for sysmon
	s.stealOrder = newRandomOrder(n)
}

// procs returns the list of Ps, for who has neither a P nor the lock.
func (s *Scheduler) procs() []*P {
	s.allpLock.Lock()         // outside: the list of Ps, for sysmon
	defer s.allpLock.Unlock() // outside: the list of Ps, for sysmon
	return s.allp
}

// destroy takes all from p, which is to go. (p.destroy)
func (m *M) destroy(p *P) {
	s := m.s
	q := p.runq.Drain()
	s.global.PutBatch(&q)
	s.runqsize.Store(int32(s.global.Len())) // with Sched!Resize: what it writes
	m.p.timers.takeAll(&p.timers)
	s.gfree.put(p.gfree)
	s.stacks.put(p.stacks)
	p.gfree, p.stacks = nil, nil
}
