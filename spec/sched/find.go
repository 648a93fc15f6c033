package sched

// schedule, and the first half of findRunnable: sources that any M may take from.

// found is where an M goes that has found a G: schedule calls resetspinning if it
// spins.
func (a *actor) found() place {
	switch {
	case a.bug.lockedFirst:
	case a.t.has(spin):
		return resetSpinning
	case a.bug.wakeNonspinning:
		return wakeAnyway
	}
	return a.after.exec
}

// ResetSpinning is resetspinning: the M spins no more; wakep.
func (a *actor) ResetSpinning() {
	n, t := a.step(resetSpinning)
	n.nmspinning--
	if a.bug.resetTwice {
		n.nmspinning--
	}
	t.put(spin, false)
	to := t.ret
	if to == nowhere {
		to = a.after.exec
	}
	if a.bug.resetNoWakep {
		t.call(to, nowhere)
	} else {
		t.call(wakepLoad, to)
	}
}

// WakeAnyway is wakep by an M that did not spin, as in Go 1.5: the bug
// wake_nonspinning.
func (a *actor) WakeAnyway() {
	_, t := a.step(wakeAnyway)
	t.call(wakepLoad, a.after.exec)
}

// Tick is findRunnable looking at the global queue first, every 61st time.
func (a *actor) Tick() {
	if !a.has.tick || a.s.runq == 0 || a.t.pc != a.after.wake || !a.mayFind() {
		return
	}
	_, t := a.step(tick)
	t.pc = tickGet
}

// TickGet is globrunqget then.
func (a *actor) TickGet() {
	if !a.free() {
		return
	}
	n, t := a.step(tickGet)
	switch {
	case a.s.runq == 0:
		t.pc = getNext
		return
	case a.bug.tickNoReset:
		t.pc = a.after.exec
	default:
		t.pc = a.found()
	}
	n.runq--
	n.renew(t.myp)
}

// GetNext is runqget: runnext. A G from there goes on with the schedtick of the last one;
// every other gets a new one.
func (a *actor) GetNext() {
	if a.t.pc == top && a.after.wake != top || !a.mayFind() {
		return
	}
	n, t := a.step(getNext)
	if a.s.next.has(t.myp) {
		n.next = n.next.without(t.myp)
		t.pc = a.found()
	} else {
		n.renew(t.myp)
		t.pc = getRing
	}
}

// GetRing is runqget: the ring.
func (a *actor) GetRing() {
	n, t := a.step(getRing)
	if ring := &n.ring[t.myp-1]; *ring > 0 {
		*ring--
		t.pc = a.found()
	} else {
		t.pc = globTest
	}
}

// victims are the Ps that an M that holds p may steal from.
func (a *actor) victims(p uint8) pset {
	if a.bug.noSteal {
		return 0
	}
	return a.s.procs.without(p)
}

// toSteal is where an M goes that spins and holds p: to the first victim, if there is
// one.
func (a *actor) toSteal(p uint8) place {
	if a.victims(p) == 0 {
		return a.after.scan
	}
	return steal
}

// throttle is where an M goes that found nothing in any queue that it looked at, nor in
// the poller.
func (a *actor) throttle() place {
	if a.t.has(spin) {
		return a.toSteal(a.t.myp)
	}
	return spinLoad
}

// beyond is where an M goes for which there is nothing on the global queue, and what it
// has then still to look at.
func (a *actor) beyond(t *thread) {
	t.todo = 0
	if t.has(spin) {
		t.todo = a.victims(t.myp)
	}
	t.pc = a.throttle()
	if a.has.net {
		t.pc = netTest
	}
}

// GlobTest is findRunnable's look at the global queue without the lock.
func (a *actor) GlobTest() {
	_, t := a.step(globTest)
	switch {
	case a.s.runq > 0 && !a.bug.searchNoGlob:
		t.pc = globGet
	case a.bug.globDrops:
		t.pc, t.todo = dropLock, 0
	default:
		a.beyond(t)
	}
}

// batch is how many globrunqgetbatch takes: a fair share, at least one, at most what a
// ring can take.
func (a *actor) batch() int8 {
	room := a.ringCap / 2
	if a.bug.batchWhole {
		room = a.s.runq
	}
	return max(1, min(room, a.s.runq, a.s.runq/a.s.procs.size()+1))
}

// takeBatch is what GlobGet and DropLock do when they hold the lock and there is
// something on the global queue: one G is run, the others of the batch are put in the
// ring after the lock was released. The fix batch_locked keeps the lock until then.
func (a *actor) takeBatch(n *State, t *thread) {
	k := a.batch()
	n.runq -= k
	t.putNum(k - 1)
	if k == 1 {
		t.pc = a.found()
		return
	}
	if a.fix.batchLocked {
		a.take(n)
	}
	t.pc = batchPut
}

// GlobGet is globrunqgetbatch, under the lock.
func (a *actor) GlobGet() {
	if !a.free() && !a.bug.globUnlocked {
		return
	}
	n, t := a.step(globGet)
	if a.s.runq > 0 {
		a.takeBatch(n, t)
	} else {
		a.beyond(t)
	}
}

// BatchPut is runqputbatch, after the lock was released. With the fix batch_wakep an M
// that does not spin calls wakep then.
func (a *actor) BatchPut() {
	n, t := a.step(batchPut)
	n.ring[t.myp-1] += t.num()
	t.putNum(0)
	a.release(n)
	if a.fix.batchWakep && !t.has(spin) {
		t.call(wakepLoad, a.after.exec)
	} else {
		t.pc = a.found()
	}
}
