package sched

// sysmon's own loop: its ticks and its deep sleep, with the feature sysmon. A tick is 10
// ms. The module says why one flag for each P is enough of retake's clocks.

// SysTick is the return of sysmon's usleep: time passes.
func (a *actor) SysTick() {
	if a.has.sysmon {
		_, t := a.step(sysTick)
		t.pc = sysLook
	}
}

// rests reports whether there is nothing to watch: the world is being stopped, or all Ps
// are idle.
func (a *actor) rests() bool {
	return a.s.stopping() != 0 || a.s.npidle == a.s.procs.size() || a.bug.deepAnyIdle && a.s.npidle > 0
}

// round is what a tick does, if sysmon does not sleep before.
func (a *actor) round(t *thread) {
	t.todo = a.s.procs
	t.pc = sysRetake
	if a.has.net {
		t.pc = sysNetpoll
	}
}

// SysLook is sysmon's look at gcwaiting and npidle without the lock,
func (a *actor) SysLook() {
	_, t := a.step(sysLook)
	if a.rests() {
		t.pc = sysSleep
	} else {
		a.round(t)
	}
}

// SysSleep is sysmon's look again with the lock: it sleeps until it is woken, if no timer
// is due.
func (a *actor) SysSleep() {
	if !a.free() {
		return
	}
	n, t := a.step(sysSleep)
	if (a.rests() || a.bug.deepUnlocked) && a.s.due&a.s.procs == 0 {
		n.putSysmonwait(true)
		t.pc = deep
	} else {
		a.round(t)
	}
}

// SysWake is the return of sysmon's notetsleep: somebody woke it,
func (a *actor) SysWake() {
	if !a.s.sysmonwait() && a.free() {
		_, t := a.step(sysWake)
		a.round(t)
	}
}

// SysTimeout is the other return: the time is over, the next timer or 60 s.
func (a *actor) SysTimeout() {
	if a.s.sysmonwait() && a.free() {
		n, t := a.step(sysTimeout)
		n.putSysmonwait(false)
		a.round(t)
	}
}

// SysNetpoll is sysmon's netpoll(0), if nobody polls, or has polled since the tick before.
func (a *actor) SysNetpoll() {
	n, t := a.step(sysNetpoll)
	if a.s.poller != 0 || a.s.polled() || a.s.netready == 0 {
		n.putPolled(false)
		t.pc = sysRetake
		return
	}
	a.netpoll(n, t)
	if t.putNum(a.s.netready); a.bug.tickPollLoses {
		t.putNum(t.num() - 1)
	}
	t.call(injectGlob, netAdjust)
}

// on is the M, from 0, that has P p and runs a G, or -1.
func (a *actor) on(p uint8) int {
	for i := range a.ms {
		if t := &a.s.ms[i]; t.myp == p && executes(t) {
			return i
		}
	}
	return -1
}

// inside reports whether an M that runs a G is in the middle of a function of the
// runtime's; but not while it stops the world and waits for others.
func (a *actor) inside(t *thread) bool {
	return within.has(t.pc) && (t.pc != resize || a.s.allStopped(t))
}

var within = placesOf(kick, overflow, goyield).and(passing).and(inStop)

// SysRetake is retake, for each P: what its M does is noted, or has been at the tick
// before, and then the P is taken from a syscall, or the G preempted.
func (a *actor) SysRetake() {
	for todo := a.t.todo; todo != 0; todo = todo.rest() {
		p := todo.least()
		on := a.on(p)
		if on >= 0 && a.inside(&a.s.ms[on]) {
			continue
		}
		n, t := a.step(sysRetake)
		if t.todo = t.todo.without(p); t.todo == 0 {
			t.pc = sysmon
		}
		if on < 0 {
			continue
		}
		switch o := &n.ms[on]; {
		case !a.s.seen.has(p):
			n.seen = n.seen.with(p)
		case inKernel.has(o.pc):
			if !a.bug.tickNoRetake {
				t.cand, o.myp = p, 0
				t.call(handoffEmpty, t.pc)
			}
		case o.pc == run && !a.bug.tickNoPreempt:
			o.pc = preempted
		}
	}
}

// renew is a new schedtick of P p.
func (s *State) renew(p uint8) { s.seen = s.seen.without(p) }
