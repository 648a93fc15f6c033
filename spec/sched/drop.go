package sched

// findRunnable: nothing found. Drop the P, stop spinning.

// ClearLate is needspinning being cleared when the scan is over: the bug
// clear_after_scan.
func (a *actor) ClearLate() {
	n, t := a.step(clearLate)
	n.putNeedspinning(false)
	t.pc = dropLock
}

// DropLock takes the lock: whether the world is being stopped or forEachP waits for this
// P, the global queue, and needspinning if the M does not spin.
func (a *actor) DropLock() {
	if !a.free() {
		return
	}
	n, t := a.step(dropLock)
	if a.s.stopping() != 0 || a.s.safefn.has(t.myp) && !a.bug.dropNoSafe {
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
	if !t.has(spin) && a.s.needspinning() && !a.bug.noNeedspinning {
		t.call(spinAdd, top)
	} else {
		t.pc = dropPut
	}
}

// DropPut is releasep and pidleput: the list and the mask. An M that spins will look at
// the Ps again that there are now.
func (a *actor) DropPut() {
	n, t := a.step(dropPut)
	n.pidle = n.pidle.with(t.myp)
	t.myp = 0
	t.todo = 0
	if t.has(spin) || a.bug.recheckEverybody {
		t.todo = a.s.procs
	}
	t.pc = dropIdle
}

// DropIdle is the end of pidleput: npidle, and the lock is released.
func (a *actor) DropIdle() {
	n, t := a.step(dropIdle)
	n.npidle++
	n.lock = 0
	switch {
	case t.has(spin):
		t.pc = decrement
	case a.bug.recheckEverybody:
		t.pc = recheckGlob
	default:
		t.pc = a.after.drop
	}
}

// Decrement is nmspinning going down: the M spins no more, and must look at every
// source again.
func (a *actor) Decrement() {
	n, t := a.step(decrement)
	if a.bug.decrementBuffered {
		t.put(tok, true)
	} else {
		n.nmspinning--
	}
	t.put(spin, false)
	t.put(was, a.polls)
	switch {
	case a.bug.recheckFirst:
		t.pc, t.todo = a.after.extra, 0
	case a.bug.noRecheckGlob:
		t.pc = recheck
	default:
		t.pc = recheckGlob
	}
}

// looksAgain is where an M is after its decrement of nmspinning.
var looksAgain = placesOf(recheckGlob, recheck, recheckGet, recheckExtra, recheckExtraGet, recheckTimers, recheckTimer, pollTest, pollSwap, stop)

// buffered reports whether the M's decrement is not visible yet: the bug
// decrement_buffered. It is before the M takes the lock or swaps a word.
func (a *actor) buffered() bool {
	return a.bug.decrementBuffered && a.t.has(tok) && looksAgain.has(a.t.pc)
}

// FlushDecrement is the decrement becoming visible, some time after it was made.
func (a *actor) FlushDecrement() {
	n, t := a.step(flushDecrement)
	n.nmspinning--
	t.put(tok, false)
}
