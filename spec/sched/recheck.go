package sched

// findRunnable without a P: everything is looked at again, and then the M sleeps.

// RecheckGlob is the global queue, under the lock; if it holds something,
// pidlegetSpinning. With the fix rescan also if the Ps are others than those that the M is
// to look at again: with a P it searches anew.
func (a *actor) RecheckGlob() {
	if !a.free() || a.buffered() {
		return
	}
	to, wants := recheckGlobIdle, a.s.runq != 0
	if !wants && a.fix.rescan && a.t.todo != a.s.procs {
		to, wants = reacquire, true
	}
	if wants && a.s.pidle != 0 {
		from := len(a.out.Edges())
		a.getIdle(recheckGlob, to)
		for i := range a.out.Edges()[from:] {
			a.out.Edges()[from+i].To.ms[a.i].todo = 0
		}
		return
	}
	n, t := a.step(recheckGlob)
	if wants && !a.bug.globPidleget {
		n.putNeedspinning(true)
	}
	t.pc = recheck
}

// RecheckGlobIdle is the end of pidleget: npidle.
func (a *actor) RecheckGlobIdle() {
	n, t := a.step(recheckGlobIdle)
	if !a.bug.reglobNpidleKept {
		n.npidle--
	}
	t.pc = recheckGlobGet
}

// acquired is where an M goes that has a P again and a G to run.
func (a *actor) acquired() place {
	if a.bug.rcNotSpinning {
		return a.after.exec
	}
	return spinAdd
}

// RecheckGlobGet is globrunqgetbatch, and the lock is released; acquirep.
func (a *actor) RecheckGlobGet() {
	n, t := a.step(recheckGlobGet)
	k := a.batch()
	n.runq -= k
	t.putNum(k - 1)
	n.lock = 0
	t.acquire()
	n.renew(t.myp)
	t.ret = resetSpinning
	if a.bug.rcNotSpinning {
		t.ret = nowhere
	}
	t.pc = a.acquired()
	if k > 1 {
		t.pc = recheckGlobPut
	}
}

// RecheckGlobPut is runqputbatch.
func (a *actor) RecheckGlobPut() {
	n, t := a.step(recheckGlobPut)
	n.ring[t.myp-1] += t.num()
	t.putNum(0)
	t.pc = a.acquired()
}

// Recheck is checkRunqsNoP: runqempty of a P that the M has not looked at yet.
func (a *actor) Recheck() {
	if a.bug.noRecheck {
		_, t := a.step(recheck)
		t.pc, t.todo = a.after.queues, 0
		return
	}
	for todo := a.t.todo; todo != 0; todo = todo.rest() {
		p := todo.least()
		_, t := a.step(recheck)
		if a.s.ring[p-1] != 0 || a.s.next.has(p) && !a.bug.recheckNoNext {
			t.todo = 0
			t.pc = recheckGet
			if a.bug.recheckFirst {
				t.pc = top
			}
			continue
		}
		t.todo = t.todo.without(p)
		switch {
		case t.todo != 0:
			t.pc = recheck
		case a.bug.recheckFirst:
			t.pc = dropLock
		default:
			t.pc = a.after.queues
		}
	}
}

// RecheckGet is checkRunqsNoP: a queue that is not empty was seen; pidlegetSpinning.
func (a *actor) RecheckGet() {
	if !a.free() || a.buffered() || a.getIdle(recheckGet, reacquire) {
		return
	}
	n, t := a.step(recheckGet)
	if !a.bug.recheckPidleget {
		n.putNeedspinning(true)
	}
	t.pc = a.after.queues
}

// Reacquire is the end of pidleget: npidle, and the lock is released; acquirep.
func (a *actor) Reacquire() {
	n, t := a.step(reacquire)
	n.npidle--
	n.lock = 0
	t.acquire()
	if a.bug.rcNotSpinning || a.bug.recheckEverybody {
		t.pc = top
	} else {
		t.call(spinAdd, top)
	}
}

// stale reports whether somebody works there: the bug extra_stale asks that instead of
// whether there is anything left to do.
func (a *actor) stale() bool { return a.bug.extraStale && a.s.extra() != 0 }

// RecheckExtra is checkIdleGCNoP: is there anything?
func (a *actor) RecheckExtra() {
	_, t := a.step(recheckExtra)
	t.pc = a.after.extra
	if a.s.extra() == 1 || a.stale() {
		t.pc = recheckExtraGet
	}
}

// RecheckExtraGet is checkIdleGCNoP: pidlegetSpinning; the work itself is taken under
// the same lock.
func (a *actor) RecheckExtraGet() {
	if !a.free() || a.buffered() {
		return
	}
	if a.s.pidle != 0 && (a.s.extra() == 1 || a.stale()) {
		from := len(a.out.Edges())
		a.getIdle(recheckExtraGet, recheckExtraIdle)
		for i := range a.out.Edges()[from:] {
			n := &a.out.Edges()[from+i].To
			if a.bug.extraUnlocked {
				n.npidle--
				n.lock = 0
				n.ms[a.i].pc = recheckExtraTry
			} else if !a.stale() {
				n.putExtra(2)
			}
		}
		return
	}
	n, t := a.step(recheckExtraGet)
	if a.s.pidle == 0 {
		n.putNeedspinning(true)
	}
	t.pc = a.after.extra
}

// RecheckExtraTry is the work being taken in a section of its own, and the P going back
// if it is gone: the bug extra_unlocked.
func (a *actor) RecheckExtraTry() {
	if !a.free() {
		return
	}
	n, t := a.step(recheckExtraTry)
	if a.s.extra() == 1 {
		n.putExtra(2)
		t.acquire()
		t.call(spinAdd, runextra)
		return
	}
	n.pidle = n.pidle.with(t.cand)
	n.npidle++
	t.cand = 0
	t.pc = a.after.extra
}

// RecheckExtraIdle is the end of pidleget: npidle, and the lock is released; acquirep.
func (a *actor) RecheckExtraIdle() {
	n, t := a.step(recheckExtraIdle)
	n.npidle--
	n.lock = 0
	t.acquire()
	n.renew(t.myp)
	t.call(spinAdd, runextra)
	if a.bug.extraStale {
		t.ret = top
	}
}

// Stop is stopm: onto the list of idle Ms, asleep.
func (a *actor) Stop() {
	if !a.free() || a.buffered() {
		return
	}
	_, t := a.step(stop)
	t.pc = a.sleep(parked)
	if a.bug.stopUnlisted && t.pc == parked {
		t.pc = limbo
	}
	t.put(was, false)
	t.putPollUntil(0)
}
