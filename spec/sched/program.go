package sched

// Ready is ready or newproc: the running G makes another runnable. runqput swaps it
// into runnext, and what was there is in the M's hands now. After wakep the G goes on, or
// yields to the other at once (semrelease1).
func (a *actor) Ready() {
	if a.s.blocked == 0 {
		return
	}
	a.readied(1, func(set mset) {
		a.readyFor(set, run)
		if a.has.yield && !a.bug.wakepFirst {
			a.readyFor(set, goyield)
		}
	})
}

// readyFor is Ready where the locked Gs of these Ms are ready, and the G goes on there.
func (a *actor) readyFor(set mset, to place) {
	n, t := a.step(ready)
	n.blocked--
	n.madeReady(set)
	if a.bug.wakepFirst {
		t.call(wakepLoad, latePut)
		return
	}
	n.next = n.next.with(t.myp)
	switch {
	case a.s.next.has(t.myp):
		t.call(kick, to)
	case a.bug.readyNoWakep:
		t.pc = to
	default:
		t.call(wakepLoad, to)
	}
}

// LatePut is runqput after wakep, which the bug wakep_first has.
func (a *actor) LatePut() {
	n, t := a.step(latePut)
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
	n, t := a.step(kick)
	ring := &n.ring[t.myp-1]
	if *ring >= a.ringCap {
		a.putSlow(n, t)
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
		t.pc = wakepLoad
	}
}

// putSlow is the ring being full: the M has half of it in its hands, and a G.
func (a *actor) putSlow(n *State, t *thread) {
	n.ring[t.myp-1] -= a.ringCap / 2
	t.putNum(a.ringCap/2 + 1)
	t.pc = overflow
}

// Flush is the store of tail becoming visible, some time after it was made: the bug
// no_storeload has no barrier there.
func (a *actor) Flush() {
	n, t := a.step(flush)
	t.put(sb, false)
	n.ring[t.myp-1]++
}

// Overflow is runqputslow: half of the ring and the new G go to the global queue.
// goyield_m wakes nobody.
func (a *actor) Overflow() {
	if !a.free() {
		return
	}
	n, t := a.step(overflow)
	n.runq += t.num() - int8(b2i(a.bug.overflowDrops))
	t.putNum(0)
	t.pc = wakepLoad
	if t.ret == nowhere {
		t.pc = top
	}
}

// Block is gopark or goexit: the running G is gone, and the M calls schedule.
func (a *actor) Block() {
	if a.t.has(sb) || a.fix.neverEnds {
		return
	}
	n, t := a.step(block)
	if !a.bug.blockLost {
		n.blocked++
	}
	t.leaves(lockedWaits)
	t.pc = top
}

// putGlobal is goschedImpl: the running G goes to the global queue; wakep; schedule.
func (a *actor) putGlobal(do place) {
	if !a.free() {
		return
	}
	n, t := a.step(do)
	n.runq++
	t.leaves(lockedReady)
	if a.bug.goschedNoWakep {
		t.pc = top
	} else {
		t.call(wakepLoad, top)
	}
}

// Gosched is Gosched.
func (a *actor) Gosched() {
	if a.has.yield {
		a.putGlobal(gosched)
	}
}

// Goyield is goyield_m: the running G goes to the tail of its own ring, if there is room,
// and nobody is woken but with the fix goyield_wakep.
func (a *actor) Goyield() {
	n, t := a.step(goyield)
	t.leaves(lockedReady)
	if n.ring[t.myp-1] >= a.ringCap && !a.bug.goyieldFull {
		a.putSlow(n, t)
	} else {
		n.ring[t.myp-1]++
		t.pc = top
	}
	if a.fix.goyieldWakep {
		t.ret = top
		if t.pc == top {
			t.pc = wakepLoad
		}
	}
}

// EnterSyscall is reentersyscall: it looks whether forEachP waits for its P, whose function
// it runs then, and whether the world is being stopped. Its G counts as running until
// EnterStatus; with none of the two features nobody can tell.
func (a *actor) EnterSyscall() {
	if !a.has.syscall || a.t.has(sb) {
		return
	}
	n, t := a.step(enterSyscall)
	n.safefn = n.safefn.without(t.myp)
	t.todo = pset(0).with(t.myp)
	if a.bug.enterDrops {
		t.myp = 0
	}
	switch {
	case a.s.stopping() != 0 && !a.bug.syscallNoStop:
		t.pc = syscallStop
	case a.has.stw || a.has.safepoint:
		t.pc = enterStatus
	default:
		t.pc = a.entered()
	}
}

// entered is where the M goes when its P may be taken.
func (a *actor) entered() place {
	if a.has.sysmon {
		return syscallLook
	}
	return syscall
}

// SyscallLook is reentersyscall's look whether sysmon is in its deep sleep.
func (a *actor) SyscallLook() {
	_, t := a.step(syscallLook)
	t.pc = syscall
	if a.s.sysmonwait() && !a.bug.syscallNoSysmon {
		t.pc = syscallWake
	}
}

// SyscallWake is entersyscallWakeSysmon.
func (a *actor) SyscallWake() {
	if !a.free() {
		return
	}
	n, t := a.step(syscallWake)
	n.putSysmonwait(false)
	t.pc = syscall
}

// SyscallStop is entersyscallHandleGCWait: the P is given to who stops the world.
func (a *actor) SyscallStop() {
	if !a.free() {
		return
	}
	n, t := a.step(syscallStop)
	if a.s.stopping() != 0 {
		n.stopped = n.stopped.with(t.myp)
		if !a.bug.syscallStopKeeps {
			t.myp = 0
		}
	}
	t.pc = a.entered()
}

// EnterStatus is reentersyscall's _Gsyscall: from now on the P may be taken.
func (a *actor) EnterStatus() {
	_, t := a.step(enterStatus)
	t.pc = a.entered()
	if a.bug.statusExits {
		t.pc = exitOld
	}
}

// EnterSyscallBlock is entersyscallblock: the M hands its P off at once.
func (a *actor) EnterSyscallBlock() {
	if !a.has.block || a.t.has(sb) {
		return
	}
	_, t := a.step(enterSyscallBlock)
	t.call(handoffEmpty, syscall)
	t.todo = pset(0).with(t.myp)
	t.cand = t.myp
	if !a.bug.blockKeepsP {
		t.myp = 0
	}
}

// ExitSyscall is exitsyscall: the P is still there, or another is to be found.
func (a *actor) ExitSyscall() {
	if a.fix.neverEnds {
		return
	}
	_, t := a.step(exitSyscall)
	if t.myp != 0 && !a.bug.exitSlow {
		t.pc, t.todo = run, 0
	} else {
		t.pc = exitOld
	}
}

// SubmitExtra is somebody putting something into the further source of work, and then
// enlistWorker; with the fix enlist_always it is wakep.
func (a *actor) SubmitExtra() {
	if !a.has.idlework || a.s.extra() != 0 {
		return
	}
	n, t := a.step(submitExtra)
	n.putExtra(1)
	switch {
	case a.bug.extraNoWakep:
	case a.fix.enlistAlways:
		t.call(wakepLoad, run)
	default:
		t.call(enlistLoad, run)
	}
}

// EnlistLoad is enlistWorker's look at npidle.
func (a *actor) EnlistLoad() {
	_, t := a.step(enlistLoad)
	t.pc = enlistSpin
	if (a.s.npidle == 0) != a.bug.enlistBusy {
		t.goOn()
	}
}

// EnlistSpin is enlistWorker's look at nmspinning.
func (a *actor) EnlistSpin() {
	_, t := a.step(enlistSpin)
	t.pc = wakepLoad
	if (a.s.nmspinning != 0) != a.bug.enlistSpins {
		t.goOn()
	}
}

// ExtraDone is the end of that work.
func (a *actor) ExtraDone() {
	n, t := a.step(extraDone)
	if !a.bug.extraKept {
		n.putExtra(0)
	}
	t.pc = top
}
