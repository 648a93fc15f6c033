package sched

import "time"

// sysmon watches over the Ps: it takes them from syscalls that take long, and asks Gs to yield that run
// for long. It has no P. While there is something to see it looks every 20 µs, and less
// often, down to every 10 ms, the longer it sees nothing to do. While all Ps are idle it sleeps.

const (
	sysmonShort = int64(20 * time.Microsecond)
	sysmonLong  = int64(10 * time.Millisecond)
	sysmonDeep  = int64(time.Minute)
	// sysmonTries is how often it looks in vain before it sleeps longer.
	sysmonTries = 50
	// forcePreempt is how long a G may run, and a syscall keep a P that nobody needs.
	forcePreempt = int64(10 * time.Millisecond)
)

// sysmon runs until the scheduler has ended.
func (s *Scheduler) sysmon() {
	defer s.ms.Done() // outside: Close waits for it
	vain, delay := 0, int64(0)
	for {
		switch {
		case vain == 0:
			delay = sysmonShort
		case vain > sysmonTries:
			delay = min(2*delay, sysmonLong)
		}
		s.sysmonnote.sleep(s.env.nanotime() + delay) // Sched!SysTick
		woken, ended := s.sysmonRests()
		if ended {
			return
		}
		if woken {
			vain, delay = 0, sysmonShort
		}
		s.sysPoll(s.env.nanotime())
		s.followProcs(s.env.nanotime())
		if s.retake(s.env.nanotime()) > 0 {
			vain = 0
		} else {
			vain++
		}
	}
}

// sysmonRests sleeps as long as all Ps are idle. It reports whether somebody has woken it before its
// time, and whether the scheduler has ended.
func (s *Scheduler) sysmonRests() (woken, ended bool) {
	if !s.rests(s.procs()) {
		return false, false
	}
	s.global.Lock() // Sched!SysSleep
	if s.rests(s.allp) && !s.ended {
		now := s.env.nanotime()
		until := sooner(now+sysmonDeep, timeSleepUntil(s.allp))
		if until > now {
			s.sysmonwait.Store(true) // with Sched!SysSleep: what it writes
			s.global.Unlock()        // with Sched!SysSleep: the end of its section
			woken = s.sysmonnote.sleep(until)
			s.global.Lock()           // Sched!SysWake, SysTimeout
			s.sysmonwait.Store(false) // with Sched!SysTimeout: what it writes
		}
	}
	ended = s.ended
	s.global.Unlock() // with Sched!SysSleep, SysWake, SysTimeout: the end of their section
	return woken, ended
}

// rests: there is nothing to watch over.
func (s *Scheduler) rests(allp []*P) bool {
	return s.gcwaiting.Load() || // Sched!SysLook, SysSleep
		int(s.npidle.Load()) == len(allp) // Sched!SysLook, SysSleep
}

// wakeSysmon ends the deep sleep of sysmon. The lock must be held.
func (s *Scheduler) wakeSysmon() {
	if s.sysmonwait.Load() { // with Sched!SyscallWake, ExitIdle, WakepIdle, InjectNpidle, RecheckGlobIdle, Reacquire, PollIdle: what they read
		s.sysmonwait.Store(false) // with Sched!SyscallWake, ExitIdle, WakepIdle, InjectNpidle, RecheckGlobIdle, Reacquire, PollIdle: what they write
		s.sysmonnote.ring()
	}
}

// sysPoll sees to descriptors if nobody has for 10 ms.
func (s *Scheduler) sysPoll(now int64) {
	last := s.lastpoll.Load()     // Sched!SysNetpoll
	if s.netwaiters.Load() > 0 && // outside: to save a call of the system
		last != 0 && last+sysmonLong < now &&
		s.lastpoll.CompareAndSwap(last, now) { // with Sched!SysNetpoll: what it reads
		list := s.poller.wait(atOnce)
		s.injectGlobal(&list)
	}
}

// followProcs sees once in a second whether the default of the number of Ps has changed, and has a G change it then.
// (sysmonUpdateGOMAXPROCS)
func (s *Scheduler) followProcs(now int64) {
	if s.followed+int64(time.Second) > now {
		return
	}
	s.followed = now
	s.global.Lock() // outside: another number of Ps
	n := min(s.env.procs(), s.config.MaxMs)
	changes := s.follows && !s.following && n != len(s.allp)
	s.following = s.following || changes
	s.global.Unlock() // outside: another number of Ps
	if changes {
		s.Go(func(g *G) { // refused when the scheduler closes
			g.changeProcs(n, true)
			s.global.Lock() // outside: another number of Ps
			s.following = false
			s.global.Unlock() // outside: another number of Ps
		})
	}
}

// A sysmontick is what sysmon has seen of a P: clocks of its, and when.
type sysmontick struct {
	syscalltick            uint32
	schedwhen, syscallwhen int64
}

// retake takes Ps from syscalls and asks Gs to yield. It returns how many Ps it took.
func (s *Scheduler) retake(now int64) (n int) {
	for _, p := range s.procs() {
		seen := &p.sysmontick
		long := false
		if !p.seen.Load() { // Sched!SysRetake
			p.seen.Store(true) // outside: what sysmon looks at
			seen.schedwhen = now
		} else if seen.schedwhen+forcePreempt <= now {
			if p.preempt.Swap(sliceOver) != sliceOver { // Sched!Preempt
				s.slicesOver.Add(1) // outside: what snapshots look at
			}
			long = true
		}
		gp := p.insyscall.Load() // with Sched!SysRetake, Retake: whether there is one
		if gp == nil {
			continue
		}
		if tick := p.syscalltick.Load(); !long && tick != seen.syscalltick { // outside: the clock of syscalls
			seen.syscalltick, seen.syscallwhen = tick, now
			continue
		}
		if seen.syscallwhen+forcePreempt > now && p.runq.Empty() && s.helps() {
			continue // nobody needs it
		}
		if s.takeP(p, gp) {
			n++
		}
	}
	return n
}

// helps reports whether an M looks for work, or a P is there for it.
func (s *Scheduler) helps() bool {
	return s.nmspinning.Load() > 0 || // outside: sysmon may act at any time
		s.npidle.Load() > 0 // outside: sysmon may act at any time
}

// takeP takes p from the M of a G that is in a syscall, and hands it off, unless the G is back.
func (s *Scheduler) takeP(p *P, gp *G) bool {
	if !p.insyscall.CompareAndSwap(gp, nil) { // Sched!Retake, SysRetake
		return false
	}
	p.syscalltick.Add(1) // outside: the clock of syscalls
	s.handoffp(p)
	return true
}

// sliceIsOver reports whether sysmon has asked for the end of the time slice that the next G would inherit. The runtime
// stops such a G at its first safe point; here none can be stopped that calls nothing, so it does not begin. Without this
// rule, two Gs that ready each other keep all that wait in the global queue.
func (m *M) sliceIsOver() bool {
	return m.p.preempt.Load() == sliceOver && // with Sched!Preempted: sysmon has asked
		!m.s.gcwaiting.Load() // outside: a stop of the world (StopRunning)
}

// Checkpoint lets others run if the G has run for 10 ms or more. A G that computes for long is to
// call it now and then: nothing else makes it stop. (asyncPreempt)
func (g *G) Checkpoint() {
	if g.running("Checkpoint").p.preempt.Load() != goOn { // Sched!Preempted
		g.mcall("Checkpoint", (*G).preempted)
	}
}

// preempted is what the M does for Checkpoint. If the world is to stop the G is the first to go on.
// (gopreempt_m)
func (g *G) preempted() (again bool) {
	m := g.m
	if !m.s.gcwaiting.Load() { // outside: a stop of the world (StopRunning)
		return g.yielded()
	}
	g.m = nil
	g.tracks()
	m.p.runq.Put(&g.queued, true)
	m.s.wakep()
	return false
}
