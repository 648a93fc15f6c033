package sched

// exitsyscall without a P.

// ExitOld is exitsyscallTryGetP: the P that the M had, if another M is in a syscall
// with it.
func (a *actor) ExitOld() {
	found := false
	for i := range a.ms {
		if o := &a.s.ms[i]; !inKernel.has(o.pc) || !a.t.todo.has(o.myp) {
			continue
		}
		found = true
		n, t := a.step(exitOld)
		t.myp = n.ms[i].myp
		if !a.bug.oldKeeps {
			n.ms[i].myp = 0
		}
		t.todo = 0
		t.pc = run
	}
	if found {
		return
	}
	_, t := a.step(exitOld)
	t.todo = 0
	t.pc = exitTry
}

// ExitTry is exitsyscallTryGetP: is any P idle? Without the lock.
func (a *actor) ExitTry() {
	_, t := a.step(exitTry)
	t.pc = exitNoP
	switch {
	case a.s.pidle != 0:
		t.pc = exitGet
	case a.bug.exitLost:
		t.pc = stop
	}
}

// ExitGet is exitsyscallTryGetP: pidleget.
func (a *actor) ExitGet() {
	if !a.free() && !a.bug.exitGetUnlocked || a.getIdle(exitGet, exitIdle) {
		return
	}
	_, t := a.step(exitGet)
	t.pc = exitNoP
}

// ExitIdle is the end of pidleget: npidle; sysmon is woken, and the lock is
// released; acquirep.
func (a *actor) ExitIdle() {
	n, t := a.step(exitIdle)
	if !a.bug.npidleKept {
		n.npidle--
	}
	if !a.bug.exitNoSysmon {
		n.putSysmonwait(false)
	}
	n.lock = 0
	t.acquire()
	t.pc = run
}

// ExitNoP is exitsyscallNoP: an idle P, or the G goes to the global queue, under one
// lock.
func (a *actor) ExitNoP() {
	if !a.free() || a.getIdle(exitNoP, exitIdle) {
		return
	}
	n, t := a.step(exitNoP)
	if a.bug.exitUnlocked {
		t.pc = exitPut
		return
	}
	n.runq++
	t.leaves(lockedReady)
	t.pc = a.goneQueued()
}

// ExitPut is the put as a section of its own: the bug exit_unlocked.
func (a *actor) ExitPut() {
	if !a.free() {
		return
	}
	n, t := a.step(exitPut)
	n.runq++
	t.leaves(lockedReady)
	t.pc = a.goneQueued()
}
