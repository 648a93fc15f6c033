package sched

// findRunnable: nothing found. Drop the P, stop spinning.

// ClearLate is needspinning being cleared when the scan is over: the bug
// clear_after_scan.
func (a *actor) ClearLate() {
	n, t := a.step(doClearLate)
	n.needspinning = 0
	t.pc = drop
}

// DropLock takes the lock: whether the world is being stopped, the global queue, and
// needspinning if the M does not spin.
func (a *actor) DropLock() {
	if !a.free() {
		return
	}
	n, t := a.step(doDropLock)
	if a.has.stw && a.s.stopping != 0 {
		t.pc = top
		t.todo = 0
		return
	}
	if a.s.runq > 0 && !a.bug.dropNoGlobcheck {
		a.takeBatch(n, t)
		t.todo = 0
		return
	}
	a.take(n)
	if !t.has(spin) && a.s.needspinning == 1 && !a.bug.noNeedspinning {
		t.call(spinadd, top)
	} else {
		t.pc = dropput
	}
}

// DropPut is releasep and pidleput: the list and the mask. An M that spins will look at
// the Ps again that there are now.
func (a *actor) DropPut() {
	n, t := a.step(doDropPut)
	n.pidle = n.pidle.with(t.myp)
	t.myp = 0
	t.todo = 0
	if t.has(spin) || a.bug.recheckEverybody {
		t.todo = a.s.procs
	}
	t.pc = dropnp
}

// DropIdle is the end of pidleput: npidle, and the lock is released.
func (a *actor) DropIdle() {
	n, t := a.step(doDropIdle)
	n.npidle++
	n.lock = 0
	switch {
	case t.has(spin):
		t.pc = decr
	case a.bug.recheckEverybody:
		t.pc = reglob
	default:
		t.pc = a.after.drop
	}
}

// Decrement is nmspinning going down: the M spins no more, and must look at every
// source again.
func (a *actor) Decrement() {
	n, t := a.step(doDecrement)
	if a.bug.decrementBuffered {
		t.put(tok, true)
	} else {
		n.nmspinning--
	}
	t.put(spin, false)
	t.put(was, a.polls)
	switch {
	case a.bug.recheckFirst:
		t.pc = a.after.extra
	case a.bug.noRecheckGlob && a.bug.noRecheck:
		t.pc = a.after.queues
	case a.bug.noRecheckGlob:
		t.pc = recheck
	default:
		t.pc = reglob
	}
	if a.bug.noRecheck || a.bug.recheckFirst {
		t.todo = 0
	}
}

// looksAgain is where an M is after its decrement of nmspinning.
var looksAgain = placesOf(reglob, recheck, rescan, recheckget, reextra, reextraget, retimers, retimer, polltest, pollswap, stop)

// buffered reports whether the M's decrement is not visible yet: the bug
// decrement_buffered. It is before the M takes the lock or swaps a word.
func (a *actor) buffered() bool {
	return a.bug.decrementBuffered && a.t.has(tok) && looksAgain.has(a.t.pc)
}

// FlushDecrement is the decrement becoming visible, some time after it was made.
func (a *actor) FlushDecrement() {
	n, t := a.step(doFlushDecrement)
	n.nmspinning--
	t.put(tok, false)
}
