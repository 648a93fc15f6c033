package sched

// findRunnable: may the M spin? The throttle is 2*nmspinning < gomaxprocs-npidle.

// SpinLoad is the throttle's look at nmspinning.
func (a *actor) SpinLoad() {
	_, t := a.step(doSpinLoad)
	t.num = a.s.nmspinning
	t.pc = idleload
}

// IdleLoad is the throttle's look at npidle, and what it decides.
func (a *actor) IdleLoad() {
	_, t := a.step(doIdleLoad)
	t.num = 0
	switch {
	case 2*a.t.num < a.s.procs.size()-a.s.npidle:
		t.call(spinadd, steal)
		if a.fix.clearFirst {
			t.pc = clearfirst
		}
	case a.has.idlework:
		t.pc = extra
	default:
		t.pc = drop
	}
}

// SpinAdd is becomeSpinning: nmspinning.
func (a *actor) SpinAdd() {
	n, t := a.step(doSpinAdd)
	n.nmspinning++
	t.put(spin, true)
	t.put(was, false)
	t.pc = spinclear
}

// SpinClear is becomeSpinning: needspinning. The M goes on at ret, and releases the
// lock if it has it.
func (a *actor) SpinClear() {
	throttle := a.t.ret == steal
	if (a.fix.clearLocked || a.fix.throttleLocked && throttle) && !a.free() && !a.mine() {
		return
	}
	n, t := a.step(doSpinClear)
	keeps := throttle && (a.bug.clearAfterScan || a.fix.throttleKeeps || a.fix.clearFirst) ||
		a.fix.dropClears && !a.mine()
	if !keeps {
		n.needspinning = 0
	}
	a.release(n)
	switch t.ret {
	case steal:
		t.todo = a.victims(t.myp)
		t.call(a.toSteal(t.myp), nowhere)
	case reset:
		t.call(reset, nowhere)
	case resetextra:
		t.call(reset, runextra)
	default:
		t.goOn()
	}
}

// ClearFirst is needspinning being cleared before nmspinning is raised: the fix
// clear_first.
func (a *actor) ClearFirst() {
	n, t := a.step(doClearFirst)
	n.needspinning = 0
	t.pc = spinadd
}
