package sched

// LockOSThread. A locked G runs on its M alone. Who finds it hands its P over to that M,
// which sleeps on its own and not on the idle list. A locked G has no place of its own
// among those that are queued: which of them it is, is found out when one is taken.

// locked returns the Ms of whose locked Gs this is true.
func (m *Machine) locked(s *State, is func(t *thread) bool) (set mset) {
	if !m.has.lock {
		return 0
	}
	for i := range m.ms {
		if is(&s.ms[i]) {
			set |= 1 << i
		}
	}
	return set
}

func waits(t *thread) bool { return t.lk() == lockedWaits }

// queued and given say of a locked G that may run whether it is still to be found.
func queued(t *thread) bool { return t.lk() == lockedReady && t.nextp() == 0 }
func given(t *thread) bool  { return t.lk() == lockedReady && t.nextp() != 0 }

// readied takes a step for each choice of whose locked Gs are among k that are ready now.
func (a *actor) readied(k int8, step func(of mset)) {
	all := a.locked(a.s, waits)
	for set := all; ; set = (set - 1) & all {
		if n := set.size(); n <= k && k-n <= a.s.blocked-all.size() {
			step(set)
		}
		if set == 0 {
			return
		}
	}
}

// madeReady is the locked Gs of these Ms being ready.
func (s *State) madeReady(of mset) {
	for i := range s.ms {
		if of>>i&1 != 0 {
			s.ms[i].putLk(lockedReady)
		}
	}
}

// mayFind reports whether the M may look for work: schedule asks first whether it is
// locked.
func (a *actor) mayFind() bool { return a.t.lk() == unlocked || a.bug.lockedSchedules }

// LockThread is lockOSThread.
func (a *actor) LockThread() {
	if a.has.lock && a.t.lk() == unlocked {
		_, t := a.step(lockThread)
		t.putLk(lockedOn)
		if a.bug.lockHalf {
			t.putLk(lockedWaits)
		}
	}
}

// UnlockThread is unlockOSThread.
func (a *actor) UnlockThread() {
	if a.t.lk() != unlocked {
		_, t := a.step(unlockThread)
		t.putLk(unlocked)
		if a.bug.unlockHalf {
			t.putLk(lockedReady)
		}
	}
}

// StopLocked is schedule, called by a locked M: stoplockedm hands its P off.
func (a *actor) StopLocked() {
	if a.mayFind() {
		return
	}
	_, t := a.step(stopLocked)
	if a.bug.lockedKeeps {
		t.pc = lockPark
		return
	}
	t.cand, t.myp = t.myp, 0
	t.call(handoffEmpty, lockPark)
}

// LockPark is the rest of stoplockedm: the M counts as asleep (incidlelocked, which asks
// checkdead), and sleeps.
func (a *actor) LockPark() {
	if !a.free() {
		return
	}
	_, t := a.step(lockPark)
	t.pc = lockpark
	if t.nextp() == 0 {
		t.pc = a.sleep(lockpark)
		if a.bug.lockedListed && t.pc == lockpark {
			t.pc = parked
		}
	}
}

// Execute is schedule with a G in hand: it runs it, or it is locked to another M, which
// gets the P and is woken (startlockedm). One that is locked must be there if all that
// are queued are.
func (a *actor) Execute() {
	ready := a.locked(a.s, queued)
	if a.inQueues(a.s) > ready.size() {
		_, t := a.step(execute)
		t.pc = a.runs(t)
	}
	for i := range a.ms {
		if ready>>i&1 != 0 {
			n, t := a.step(execute)
			if a.bug.lockedElsewhere {
				t.pc = a.runs(t)
				continue
			}
			n.ms[i].putNextp(t.myp)
			t.myp = 0
			t.pc = stop
		}
	}
}

// runs is where an M goes that runs the G that it has in hand.
func (a *actor) runs(t *thread) place {
	if t.has(spin) {
		return resetSpinning
	}
	return run
}

// inQueues is how many Gs are in queues, or in hands between two.
func (m *Machine) inQueues(s *State) int8 {
	n := int8(m.config.Gs) - s.blocked - s.netgs - (s.later | s.due).size() - m.locked(s, given).size()
	for i := range m.ms {
		n -= int8(b2i(executes(&s.ms[i])))
	}
	return n
}

// executes reports whether an M runs a G of its own, which is in no queue.
func executes(t *thread) bool {
	switch t.pc {
	case latePut:
		return true
	case limbo:
		return t.cand != 0
	case kick, overflow:
		return t.ret == run || t.ret == goyield
	}
	return executing.has(t.pc) || passing.has(t.pc) && callers.has(t.ret)
}

var (
	executing = placesOf(run, goyield, preempted).and(inSyscall).and(inExit).and(inStop).and(inForEach)
	callers   = placesOf(run, goyield, syscall, latePut, safeTake, safeWait)
)

// WakeLocked is stoplockedm returning: acquirep(nextp), execute.
func (a *actor) WakeLocked() {
	if a.t.nextp() == 0 {
		return
	}
	n, t := a.step(wakeLocked)
	t.acquireNextp()
	n.renew(t.myp)
	if !a.bug.lockedStale {
		t.putLk(lockedOn)
	}
	t.pc = run
}

// goneQueued is where an M goes whose G was queued: schedule, or stoplockedm.
func (a *actor) goneQueued() place {
	switch {
	case a.bug.lockedReadLate:
		return exitLate
	case a.t.lk() != unlocked:
		return lockPark
	}
	return stop
}

// ExitLate is exitsyscall asking whether its G is locked when it is queued, and another
// may run and lock it already: the bug locked_read_late.
func (a *actor) ExitLate() {
	_, t := a.step(exitLate)
	t.pc = stop
	if t.lk() != unlocked {
		t.pc = lockPark
	}
	if a.locked(a.s, func(t *thread) bool { return t.pc == run && t.lk() != unlocked }) != 0 {
		_, t := a.step(exitLate)
		t.pc = lockPark
	}
}
