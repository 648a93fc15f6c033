package sched

// Ready is ready or newproc: the running G makes another runnable. runqput swaps it
// into runnext, and what was there is in the M's hands now.
func (a *actor) Ready() {
	if a.s.blocked == 0 {
		return
	}
	a.readied(1, func(set mset) {
		n, t := a.step(doReady)
		n.blocked--
		n.madeReady(set)
		if a.bug.wakepFirst {
			t.call(wakeload, late)
			return
		}
		n.next = n.next.with(t.myp)
		switch {
		case a.s.next.has(t.myp):
			t.call(kick, run)
		case !a.bug.readyNoWakep:
			t.call(wakeload, run)
		}
	})
}

// LatePut is runqput after wakep, which the bug wakep_first has.
func (a *actor) LatePut() {
	n, t := a.step(doLatePut)
	n.next = n.next.with(t.myp)
	if a.s.next.has(t.myp) {
		t.call(kick, run)
	} else {
		t.call(run, nowhere)
	}
}

// Kick is the rest of runqput: what runnext held goes to the tail of the ring, if there
// is room.
func (a *actor) Kick() {
	if a.t.has(sb) {
		return
	}
	n, t := a.step(doKick)
	ring := &n.ring[t.myp-1]
	if *ring >= a.ringCap {
		*ring -= a.ringCap / 2
		t.num = a.ringCap/2 + 1
		t.pc = overflow
		return
	}
	if a.bug.noStoreload {
		t.put(sb, true)
	} else {
		*ring++
	}
	if a.bug.wakeIfEmpty {
		t.goOn()
	} else {
		t.pc = wakeload
	}
}

// Flush is the store of tail becoming visible, some time after it was made: the bug
// no_storeload has no barrier there.
func (a *actor) Flush() {
	n, t := a.step(doFlush)
	t.put(sb, false)
	n.ring[t.myp-1]++
}

// Overflow is runqputslow: half of the ring and the new G go to the global queue.
func (a *actor) Overflow() {
	if !a.free() {
		return
	}
	n, t := a.step(doOverflow)
	n.runq += t.num
	t.num = 0
	t.pc = wakeload
}

// Block is gopark or goexit: the running G is gone, and the M calls schedule.
func (a *actor) Block() {
	if a.t.has(sb) {
		return
	}
	n, t := a.step(doBlock)
	n.blocked++
	t.leaves(lockedWaits)
	t.pc = top
}

// putGlobal is goschedImpl: the running G goes to the global queue; wakep; schedule.
func (a *actor) putGlobal(do action) {
	if !a.free() {
		return
	}
	n, t := a.step(do)
	n.runq++
	t.leaves(lockedReady)
	if a.bug.goschedNoWakep {
		t.pc = top
	} else {
		t.call(wakeload, top)
	}
}

// Gosched is Gosched.
func (a *actor) Gosched() {
	if a.has.yield {
		a.putGlobal(doGosched)
	}
}

// Goyield is goyield_m: the running G goes to the tail of its own ring, and nobody is
// woken.
func (a *actor) Goyield() {
	if !a.has.yield || a.s.ring[a.t.myp-1] >= a.ringCap {
		return
	}
	n, t := a.step(doGoyield)
	n.ring[t.myp-1]++
	t.leaves(lockedReady)
	t.pc = top
}

// EnterSyscall is entersyscall: the P stays, but may be taken.
func (a *actor) EnterSyscall() {
	if !a.has.syscall || a.t.has(sb) {
		return
	}
	_, t := a.step(doEnterSyscall)
	t.pc = syscall
	if a.has.stw && !a.bug.syscallNoStop {
		t.pc = sysgc
	}
	t.todo = pset(0).with(t.myp)
}

// EnterSyscallBlock is entersyscallblock: the M hands its P off at once.
func (a *actor) EnterSyscallBlock() {
	if !a.has.block || a.t.has(sb) {
		return
	}
	_, t := a.step(doEnterSyscallBlock)
	t.call(hempty, syscall)
	t.todo = pset(0).with(t.myp)
	t.cand, t.myp = t.myp, 0
}

// ExitSyscall is exitsyscall: the P is still there, or another is to be found.
func (a *actor) ExitSyscall() {
	_, t := a.step(doExitSyscall)
	if t.myp != 0 {
		t.pc, t.todo = run, 0
	} else {
		t.pc = exitold
	}
}

// SubmitExtra is somebody putting something into the further source of work.
func (a *actor) SubmitExtra() {
	if !a.has.idlework || a.s.extra != 0 {
		return
	}
	n, t := a.step(doSubmitExtra)
	n.extra = 1
	if !a.bug.extraNoWakep {
		t.call(wakeload, run)
	}
}

// ExtraDone is the end of that work.
func (a *actor) ExtraDone() {
	n, t := a.step(doExtraDone)
	n.extra = 0
	t.pc = top
}
