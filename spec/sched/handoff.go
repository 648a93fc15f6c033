package sched

// handoffp: the P in cand belongs to an M that is blocked. It goes on at ret.

// HandoffEmpty is handoffp's runqempty.
func (a *actor) HandoffEmpty() {
	_, t := a.step(doHandoffEmpty)
	t.pc = hglob
	if !a.bug.handoffNoRing && (a.s.ring[t.cand-1] > 0 || a.s.next.has(t.cand) && !a.bug.handoffNoNext) {
		t.pc = start
	}
}

// HandoffGlob is handoffp's look at the global queue without the lock.
func (a *actor) HandoffGlob() {
	_, t := a.step(doHandoffGlob)
	switch {
	case a.s.runq > 0 && !a.bug.handoffNoGlob:
		t.pc = start
	case a.has.idlework && !a.bug.handoffNoExtra:
		t.pc = hextra
	default:
		t.pc = hspin
	}
}

// HandoffExtra is handoffp's look at the further source of work: gcMarkWorkAvailable.
func (a *actor) HandoffExtra() {
	_, t := a.step(doHandoffExtra)
	t.pc = hspin
	if a.s.extra == 1 {
		t.pc = start
	}
}

// HandoffSpin is handoffp's look at nmspinning: if nobody spins and no P is idle,
// somebody must look for work.
func (a *actor) HandoffSpin() {
	_, t := a.step(doHandoffSpin)
	t.num = a.s.nmspinning
	t.pc = hidle
}

// HandoffIdle is handoffp's look at npidle.
func (a *actor) HandoffIdle() {
	_, t := a.step(doHandoffIdle)
	t.num = 0
	t.pc = hlock
	if a.t.num+a.s.npidle == 0 && !a.bug.handoffNoSpin {
		t.pc = hcas
	}
}

// HandoffCAS is handoffp's swap of nmspinning from 0 to 1.
func (a *actor) HandoffCAS() {
	n, t := a.step(doHandoffCAS)
	if a.s.nmspinning == 0 {
		n.nmspinning = 1
		t.put(tok, true)
		t.pc = hclear
	} else {
		t.pc = hlock
	}
}

// HandoffClear is needspinning being cleared then; the lock is released if it is held,
// as with the fix handoff_need.
func (a *actor) HandoffClear() {
	if a.fix.clearLocked && !a.free() && !a.mine() {
		return
	}
	n, t := a.step(doHandoffClear)
	if !a.fix.dropClears || a.mine() {
		n.needspinning = 0
	}
	a.release(n)
	t.pc = start
}

// lastPoll reports whether this is the last P that runs, and nobody polls.
func (a *actor) lastPoll() bool {
	return a.polls && a.s.npidle == a.s.procs.size()-1 && a.s.poller == 0 && !a.bug.handoffNoPoll
}

// HandoffLock takes the lock: the world is being stopped; or there is something in the
// global queue by now; or somebody must poll; or else the P becomes idle.
func (a *actor) HandoffLock() {
	if !a.free() {
		return
	}
	n, t := a.step(doHandoffLock)
	if a.has.stw && a.s.stopping != 0 {
		n.stopped = n.stopped.with(t.cand)
		t.cand = 0
		t.goOn()
		return
	}
	if a.s.runq > 0 && !a.bug.handoffNoGlobcheck || a.lastPoll() {
		t.pc = start
		return
	}
	a.take(n)
	t.pc = hput
	if a.fix.handoffNeed && a.s.needspinning == 1 {
		t.pc = hadd
	}
}

// HandoffAdd is the M that gets the P spinning, as one that drops its P would: the fix
// handoff_need.
func (a *actor) HandoffAdd() {
	n, t := a.step(doHandoffAdd)
	n.nmspinning++
	t.put(tok, true)
	t.pc = hclear
}

// HandoffPut is handoffp's nobarrierWakeTime and pidleput: the list and the mask.
func (a *actor) HandoffPut() {
	n, t := a.step(doHandoffPut)
	t.put(pu, (n.later | n.due).has(t.cand))
	n.pidle = n.pidle.with(t.cand)
	t.cand = 0
	t.pc = hputnp
}

// HandoffPutIdle is the end of pidleput: npidle, and the lock is released; who polls is
// told of the P's timers.
func (a *actor) HandoffPutIdle() {
	n, t := a.step(doHandoffPutIdle)
	n.npidle++
	n.lock = 0
	if t.has(pu) && !a.bug.handoffNoTimer {
		t.pc = timewake
	} else {
		t.goOn()
	}
	t.put(pu, false)
}
