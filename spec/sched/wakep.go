package sched

// wakep is called when a G became runnable. It goes on at ret.

// WakepLoad is wakep's look at nmspinning.
func (a *actor) WakepLoad() {
	_, t := a.step(wakepLoad)
	if a.s.nmspinning == 0 && !(a.bug.wakepNpidle && a.s.npidle == 0) {
		t.pc = wakepCAS
		if a.fix.wordStands {
			t.pc = wakepBusy
		}
	} else {
		t.goOn()
	}
}

// WakepBusy is the look at npidle that wakep takes with the fix word_stands.
func (a *actor) WakepBusy() {
	_, t := a.step(wakepBusy)
	t.pc = wakepCAS
	if a.s.npidle == 0 {
		t.pc = wakepWord
	}
}

// WakepWord is that at needspinning: if it is set, whoever is about to drop a P will look.
func (a *actor) WakepWord() {
	_, t := a.step(wakepWord)
	t.pc = wakepCAS
	if a.s.needspinning() {
		t.goOn()
	}
}

// WakepCAS is wakep's swap of nmspinning from 0 to 1.
func (a *actor) WakepCAS() {
	if a.t.has(sb) {
		return
	}
	n, t := a.step(wakepCAS)
	if a.s.nmspinning == 0 {
		n.nmspinning = 1
		t.put(tok, true)
		t.pc = wakepGet
		if a.bug.wakeWithoutP {
			t.pc = startM
		}
	} else {
		t.goOn()
	}
}

// WakepGet is wakep's lock and pidlegetSpinning: an idle P, or needspinning is set.
func (a *actor) WakepGet() {
	if !a.free() {
		return
	}
	if a.getIdle(wakepGet, wakepIdle) {
		return
	}
	n, t := a.step(wakepGet)
	if a.bug.needUnlocked {
		t.pc = wakepNeed
		return
	}
	a.take(n)
	switch {
	case a.fix.undoFirst:
		a.giveBack(n, t)
	case !a.bug.wakepPidleget:
		n.putNeedspinning(true)
	}
	t.pc = wakepUndo
}

// getIdle adds a step for each idle P: the M takes the lock and it. It reports whether
// there is an idle P.
func (a *actor) getIdle(do, to place) bool {
	for idle := a.s.pidle; idle != 0; idle = idle.rest() {
		n, t := a.step(do)
		a.take(n)
		t.cand = idle.least()
		n.pidle = n.pidle.without(t.cand)
		if a.fix.pidlegetWakesSysmon {
			n.putSysmonwait(false)
		}
		t.pc = to
	}
	return a.s.pidle != 0
}

// WakepNeed is needspinning being set after the lock was released, which the bug
// need_unlocked does.
func (a *actor) WakepNeed() {
	n, t := a.step(wakepNeed)
	n.putNeedspinning(true)
	t.pc = wakepUndo
}

// WakepIdle is the end of wakep's pidleget: npidle, and the lock is released.
func (a *actor) WakepIdle() {
	n, t := a.step(wakepIdle)
	if !a.bug.wakepNpidleKept {
		n.npidle--
	}
	n.lock = 0
	t.pc = startM
}

// WakepUndo is wakep without an idle P: nmspinning goes down again, and the lock is
// released.
func (a *actor) WakepUndo() {
	n, t := a.step(wakepUndo)
	switch {
	case !a.fix.undoFirst || a.bug.needUnlocked:
		a.giveBack(n, t)
	case !a.bug.wakepPidleget:
		n.putNeedspinning(true)
	}
	if !a.bug.returnLocked && !a.bug.needUnlocked {
		n.lock = 0
	}
	if a.fix.reload || a.fix.retest {
		t.pc = wakepAgain
	} else {
		t.goOn()
	}
}

// giveBack takes back the M that spins that was counted and will not come.
func (a *actor) giveBack(n *State, t *thread) {
	if !a.bug.leakNmspinning {
		n.nmspinning--
	}
	t.put(tok, false)
}

// WakepAgain is a second look that wakep takes with the fix reload, if somebody cleared
// needspinning meanwhile, and with retest, if there is an idle P now.
func (a *actor) WakepAgain() {
	_, t := a.step(wakepAgain)
	if a.fix.reload && !a.s.needspinning() || a.fix.retest && a.s.npidle != 0 {
		t.pc = wakepLoad
	} else {
		t.goOn()
	}
}
