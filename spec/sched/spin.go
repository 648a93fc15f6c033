package sched

// findRunnable: may the M spin? The throttle is 2*nmspinning < gomaxprocs-npidle.

// SpinLoad is the throttle's look at nmspinning.
func (a *actor) SpinLoad() {
	n, t := a.step(spinLoad)
	if a.bug.throttleCounts {
		n.nmspinning++
	}
	t.putNum(a.s.nmspinning)
	t.pc = idleLoad
}

// IdleLoad is the throttle's look at npidle, and what it decides.
func (a *actor) IdleLoad() {
	_, t := a.step(idleLoad)
	t.putNum(0)
	switch {
	case 2*a.t.num() < a.s.procs.size()-a.s.npidle:
		t.call(spinAdd, steal)
		if a.fix.clearFirst {
			t.pc = clearFirst
		}
	case a.has.idlework:
		t.pc = extra
	default:
		t.pc = dropLock
	}
}

// SpinAdd is becomeSpinning: nmspinning.
func (a *actor) SpinAdd() {
	n, t := a.step(spinAdd)
	if !a.bug.spinUncounted {
		n.nmspinning++
	}
	t.put(spin, true)
	t.put(was, false)
	t.pc = spinClear
}

// SpinClear is becomeSpinning: needspinning. The M goes on at ret, and releases the
// lock if it has it.
func (a *actor) SpinClear() {
	throttle := a.t.ret == steal
	if (a.fix.clearLocked || a.fix.throttleLocked && throttle) && !a.free() && !a.mine() {
		return
	}
	n, t := a.step(spinClear)
	keeps := throttle && (a.bug.clearAfterScan || a.fix.throttleKeeps || a.fix.clearFirst) ||
		a.fix.dropClears && !a.mine()
	if !keeps {
		n.putNeedspinning(false)
	}
	a.release(n)
	switch t.ret {
	case steal:
		t.todo = a.victims(t.myp)
		t.call(a.toSteal(t.myp), nowhere)
	case resetSpinning:
		t.call(resetSpinning, nowhere)
	case runextra:
		t.pc = resetSpinning
	default:
		t.goOn()
	}
}

// ClearFirst is needspinning being cleared before nmspinning is raised: the fix
// clear_first.
func (a *actor) ClearFirst() {
	n, t := a.step(clearFirst)
	n.putNeedspinning(false)
	t.pc = spinAdd
}
