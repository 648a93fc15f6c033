package sched

// Stopping the world, and starting it again with all the Ps.

// StopWorld is stopTheWorldWithSema: gcwaiting is set under the lock.
func (a *actor) StopWorld() {
	if !a.has.stw || a.s.stopping() != 0 || a.s.foreach() != 0 || !a.free() && !a.bug.stopUnlocked {
		return
	}
	n, t := a.step(stopWorld)
	n.putStopping(a.i + 1)
	a.take(n)
	t.pc = stopIdle
}

// StopIdle is stopTheWorldWithSema: the Ps in syscalls and the idle ones are stopped at
// once, the list and the mask.
func (a *actor) StopIdle() {
	n, t := a.step(stopIdle)
	n.stopTakeable(a.ms)
	n.stopped |= n.pidle
	if !a.bug.stopKeepsIdle {
		n.pidle = 0
	}
	t.pc = stopNpidle
}

// stopTakeable stops the Ps of the first ms Ms that are in syscalls.
func (s *State) stopTakeable(ms int) {
	for i := range ms {
		if t := &s.ms[i]; inKernel.has(t.pc) && t.myp != 0 {
			s.stopped = s.stopped.with(t.myp)
			t.myp = 0
		}
	}
}

// StopNpidle is the end of these pidlegets: npidle, and the lock is released.
func (a *actor) StopNpidle() {
	n, t := a.step(stopNpidle)
	if !a.bug.stopNpidleKept {
		n.npidle = 0
	}
	n.lock = 0
	t.pc = resize
}

// StopAgain is the first look at the Ps in syscalls once more, while who stops the world
// waits: the fix stop_again.
func (a *actor) StopAgain() {
	if !a.stopsAgain(a.s) {
		return
	}
	n, _ := a.step(stopAgain)
	n.stopTakeable(a.ms)
}

// stopsAgain reports whether the fix stop_again lets who stops the world look once more,
// and stop a P.
func (m *Machine) stopsAgain(s *State) bool {
	return m.fix.stopAgain && s.lock == 0 && m.takeable(s, s.procs) != 0
}

// allStopped reports whether all Ps have stopped but that of the M which stops them.
func (s *State) allStopped(t *thread) bool { return s.stopped.with(t.myp) == s.procs }

// StopStarting is a G that is in startm being preempted there, too: the bug
// start_preempted.
func (a *actor) StopStarting() {
	if !a.bug.startPreempted || a.t.ret != run || a.s.stopping() == 0 || a.s.stopping() == a.i+1 || !a.free() {
		return
	}
	n, t := a.step(stopStarting)
	n.stopped = n.stopped.with(t.myp)
	t.myp = 0
	t.pc = limbo
}

// StopRunning is preemptall: a G that runs is preempted. It goes to runnext, and wakep
// (goschedImpl).
func (a *actor) StopRunning() {
	if a.s.stopping() == 0 || a.s.stopping() == a.i+1 {
		return
	}
	n, t := a.step(stopRunning)
	if a.bug.stopRunLost {
		t.pc = top
	} else {
		a.putNext(n, t)
		t.ret = top
	}
	t.leaves(lockedReady)
}

// TopCheck is findRunnable at its top: is the world to be stopped?
func (a *actor) TopCheck() {
	if a.after.wake == top || !a.mayFind() {
		return
	}
	_, t := a.step(topCheck)
	switch {
	case a.s.stopping() == 0:
		t.pc = a.after.top
	case t.has(spin):
		t.pc = stopSpinning
	default:
		t.pc = stopP
	}
}

// StopSpinning is gcstopm: the M spins no more, and wakes nobody.
func (a *actor) StopSpinning() {
	n, t := a.step(stopSpinning)
	if !a.bug.stopSpinKept {
		n.nmspinning--
	}
	t.put(spin, false)
	t.pc = stopP
}

// StopP is gcstopm: the M's P has stopped.
func (a *actor) StopP() {
	if !a.free() {
		return
	}
	n, t := a.step(stopP)
	if !a.bug.stopPLost {
		n.stopped = n.stopped.with(t.myp)
	}
	t.myp = 0
	t.pc = stop
}

// Resize is procresize, when all have stopped: GOMAXPROCS is raised to all Ps, or becomes
// whatever it may.
func (a *actor) Resize() {
	if !a.free() || !a.s.allStopped(a.t) {
		return
	}
	if !a.has.shrink {
		a.resize(a.allPs, a.t.myp)
		return
	}
	for left := a.allPs; left != 0; left = (left - 1) & a.allPs {
		if left.has(a.t.myp) {
			a.resize(left, a.t.myp)
			continue
		}
		for mine := left; mine != 0; mine = mine.rest() {
			a.resize(left, mine.least())
		}
	}
}

// resize makes procs the Ps that there are, and mine that of who stopped the world. Ps
// without work are idle, and the others wait for an M. The Gs of a P that goes are put
// on the global queue, and its timer moves to mine. A P has one timer at most here: no P
// goes if mine would get two.
func (a *actor) resize(procs pset, mine uint8) {
	s := a.s
	gone := s.procs &^ procs
	if a.bug.shrinkKeeps {
		gone = 0
	}
	timed := (s.later | s.due) & gone.with(mine)
	if timed.size() > 1 {
		return
	}
	n, t := a.step(resize)
	a.take(n)
	n.procs = procs
	t.myp = mine
	for _, timers := range []*pset{&n.later, &n.due, &n.far} {
		if *timers&timed != 0 && !a.bug.shrinkLosesTimer {
			*timers = timers.with(mine)
		}
		*timers &^= gone
	}
	for ; gone != 0; gone = gone.rest() {
		p := gone.least()
		n.runq += s.queued(p)
		n.ring[p-1] = 0
		n.next = n.next.without(p)
	}
	n.pidle = procs.without(mine)
	t.todo = 0
	if !a.bug.startAllIdle {
		for others := n.pidle; others != 0; others = others.rest() {
			if p := others.least(); s.queued(p) > 0 {
				t.todo = t.todo.with(p)
			}
		}
		n.pidle &^= t.todo
	}
	n.stopped = 0
	t.pc = resizeIdle
}

// ResizeIdle is the end of procresize's pidleputs: npidle.
func (a *actor) ResizeIdle() {
	n, t := a.step(resizeIdle)
	if !a.bug.resizeNpidleKept {
		n.npidle = n.pidle.size()
	}
	t.pc = startWorld
}

// StartWorld is startTheWorldWithSema: gcwaiting is cleared, sysmon woken, and the
// lock is released.
func (a *actor) StartWorld() {
	n, t := a.step(startWorld)
	n.putStopping(0)
	if !a.bug.startNoSysmon {
		n.putSysmonwait(false)
	}
	n.lock = 0
	t.call(startP, run)
	if t.todo == 0 {
		a.started(t)
	}
}

// started is where who stopped the world goes when it has started: wakep, for what is on
// the global queue.
func (a *actor) started(t *thread) {
	if a.bug.startNoWakep {
		t.call(run, nowhere)
	} else {
		t.pc = wakepLoad
	}
}

// StartP is startTheWorldWithSema: an M for each P with work, and at the end wakep.
func (a *actor) StartP() {
	if !a.free() {
		return
	}
	for todo := a.t.todo; todo != 0; todo = todo.rest() {
		p := todo.least()
		set := a.idleOrNew()
		if a.bug.startTwice {
			set = a.parked()
		}
		for i := 0; set != 0; set, i = set>>1, i+1 {
			if set&1 == 0 {
				continue
			}
			n, t := a.step(startP)
			o := &n.ms[i]
			o.putNextp(p)
			o.pc = parked
			if t.todo = t.todo.without(p); t.todo == 0 {
				a.started(t)
			}
		}
	}
}
