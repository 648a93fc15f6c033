package sched

// handoffp: the P in cand belongs to an M that is blocked. It goes on at ret.

// HandoffEmpty is handoffp's runqempty.
func (a *actor) HandoffEmpty() {
	_, t := a.step(handoffEmpty)
	t.pc = handoffGlob
	if !a.bug.handoffNoRing && (a.s.ring[t.cand-1] > 0 || a.s.next.has(t.cand) && !a.bug.handoffNoNext) {
		t.pc = startM
	}
}

// HandoffGlob is handoffp's look at the global queue without the lock.
func (a *actor) HandoffGlob() {
	n, t := a.step(handoffGlob)
	switch {
	case a.s.runq > 0 && !a.bug.handoffNoGlob:
		t.pc = startM
		if a.bug.handoffTakesGlob {
			n.runq--
		}
	case a.has.idlework && !a.bug.handoffNoExtra:
		t.pc = handoffExtra
	default:
		t.pc = handoffSpin
	}
}

// HandoffExtra is handoffp's look at the further source of work: gcMarkWorkAvailable.
func (a *actor) HandoffExtra() {
	n, t := a.step(handoffExtra)
	t.pc = handoffSpin
	if a.s.extra() == 1 {
		t.pc = startM
		if a.bug.handoffTakesExtra {
			n.putExtra(2)
		}
	}
}

// HandoffSpin is handoffp's look at nmspinning: if nobody spins and no P is idle,
// somebody must look for work.
func (a *actor) HandoffSpin() {
	n, t := a.step(handoffSpin)
	if a.bug.handoffCounts {
		n.nmspinning++
	}
	t.putNum(a.s.nmspinning)
	t.pc = handoffIdle
}

// HandoffIdle is handoffp's look at npidle.
func (a *actor) HandoffIdle() {
	_, t := a.step(handoffIdle)
	t.putNum(0)
	t.pc = handoffLock
	if a.bug.handoffUnlocked {
		t.pc = handoffPut
	}
	if a.t.num()+a.s.npidle == 0 && !a.bug.handoffNoSpin {
		t.pc = handoffCAS
	}
}

// HandoffCAS is handoffp's swap of nmspinning from 0 to 1.
func (a *actor) HandoffCAS() {
	n, t := a.step(handoffCAS)
	if a.s.nmspinning == 0 {
		if !a.bug.handoffUncounted {
			n.nmspinning = 1
		}
		t.put(tok, true)
		t.pc = handoffClear
	} else {
		t.pc = handoffLock
	}
}

// HandoffClear is needspinning being cleared then; the lock is released if it is held,
// as with the fix handoff_need.
func (a *actor) HandoffClear() {
	if a.fix.clearLocked && !a.free() && !a.mine() {
		return
	}
	n, t := a.step(handoffClear)
	switch {
	case a.fix.dropClears && !a.mine():
	case a.bug.handoffWrongWord:
		n.nmspinning = 0
	default:
		n.putNeedspinning(false)
	}
	a.release(n)
	t.pc = startM
}

// lastPoll reports whether this is the last P that runs, and nobody polls.
func (a *actor) lastPoll() bool {
	return a.polls && a.s.npidle == a.s.procs.size()-1 && a.s.poller == 0 && !a.bug.handoffNoPoll
}

// HandoffLock takes the lock: the world is being stopped; forEachP's function is run for
// the P; then there is something in the global queue by now, or somebody must poll, or
// else the P becomes idle.
func (a *actor) HandoffLock() {
	if !a.free() {
		return
	}
	n, t := a.step(handoffLock)
	if a.has.stw && a.s.stopping() != 0 {
		n.stopped = n.stopped.with(t.cand)
		t.cand = 0
		t.goOn()
		return
	}
	if !a.bug.handoffNoSafe {
		n.safefn = n.safefn.without(t.cand)
	}
	if a.s.runq > 0 && !a.bug.handoffNoGlobcheck || a.lastPoll() {
		t.pc = startM
		return
	}
	a.take(n)
	t.pc = handoffPut
	if a.fix.handoffNeed && a.s.needspinning() {
		t.pc = handoffAdd
	}
}

// HandoffAdd is the M that gets the P spinning, as one that drops its P would: the fix
// handoff_need.
func (a *actor) HandoffAdd() {
	n, t := a.step(handoffAdd)
	n.nmspinning++
	t.put(tok, true)
	t.pc = handoffClear
}

// HandoffPut is handoffp's nobarrierWakeTime and pidleput: the list and the mask.
func (a *actor) HandoffPut() {
	n, t := a.step(handoffPut)
	t.putPollUntil(n.when(t.cand))
	n.pidle = n.pidle.with(t.cand)
	if !a.bug.handoffTwice {
		t.cand = 0
	}
	t.pc = handoffPutIdle
}

// HandoffPutIdle is the end of pidleput: npidle, and the lock is released; who polls is
// told of the P's timers.
func (a *actor) HandoffPutIdle() {
	n, t := a.step(handoffPutIdle)
	n.npidle++
	n.lock = 0
	if w := t.pollUntil(); w != 0 && !a.bug.handoffNoTimer {
		t.wakes(w, t.ret)
	} else {
		t.goOn()
	}
	t.putPollUntil(0)
}
