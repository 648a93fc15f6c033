package sched

// The timers: each P has one place in its heap.

// TimerSet is timeSleep: the running G sleeps; its timer is in the heap of this P,
func (a *actor) TimerSet() {
	if !a.has.timer || a.t.lk() != unlocked || (a.s.later | a.s.due).has(a.t.myp) {
		return
	}
	for _, w := range a.deadlines() {
		n, t := a.step(timerSet)
		n.setTimer(t.myp, w)
		if a.bug.timerNoWake {
			t.call(top, nowhere)
		} else {
			t.wakes(w, top)
		}
	}
}

// TimerAfter is time.AfterFunc: the running G goes on, and another is made runnable
// later.
func (a *actor) TimerAfter() {
	if !a.has.timer || a.s.blocked <= a.locked(a.s, waits).size() || (a.s.later | a.s.due).has(a.t.myp) {
		return
	}
	for _, w := range a.deadlines() {
		n, t := a.step(timerAfter)
		n.blocked--
		n.setTimer(t.myp, w)
		if !a.bug.timerNoWake {
			t.wakes(w, run)
		}
	}
}

// TimerWake is wakeNetPoller: who polls must know, or somebody is to be woken who will.
func (a *actor) TimerWake() {
	_, t := a.step(timerWake)
	t.pc = timerBreak
	if a.bug.deadlineWakeFar {
		t.putNum(int8(far))
	}
	if a.s.poller == 0 && !a.bug.timerBreakOnly {
		t.pc = wakepLoad
		t.putNum(0)
	}
}

// TimerBreak is wakeNetPoller's netpollBreak, unless who polls wakes in time by itself.
func (a *actor) TimerBreak() {
	n, t := a.step(timerBreak)
	until := a.s.pollUntil().until(deadline(t.num())) || a.s.pollUntil() != 0 && a.bug.deadlineNoBreak
	if !until && !a.bug.timerNoBreak {
		n.putBrk(true)
	}
	t.putNum(0)
	t.goOn()
}

// TimerDue is the world: time passes, first to the near deadline.
func (a *actor) TimerDue() {
	later := a.s.later
	if later&^a.s.far != 0 {
		later &^= a.s.far
	}
	for ; later != 0; later = later.rest() {
		n := a.out.Add(uint8(timerDue-words), a.i, a.s)
		n.later = n.later.without(later.least())
		n.due = n.due.with(later.least())
	}
}

// TimersCheck is timers.check of the M's own P: what is due is run, and it knows of what
// is not.
func (a *actor) TimersCheck() {
	n, t := a.step(timersCheck)
	if n.due.has(t.myp) {
		n.endTimer(t.myp)
		t.call(timerPut, getNext)
		t.putPollUntil(0)
		return
	}
	t.putPollUntil(n.when(t.myp))
	if a.bug.timersForget {
		t.putPollUntil(0)
	}
	t.pc = getNext
}

// TimerPut is goready of the G that slept: runqput, and then wakep.
func (a *actor) TimerPut() {
	n, t := a.step(timerPut)
	a.putNext(n, t)
	if a.bug.timerNoWakep && t.pc == wakepLoad {
		t.goOn()
	}
}

// putNext is runqput of a G that goes to runnext, and then wakep.
func (a *actor) putNext(n *State, t *thread) {
	n.next = n.next.with(t.myp)
	t.pc = wakepLoad
	if a.s.next.has(t.myp) {
		t.pc = kick
	}
}

// StealTimer is stealWork: a victim's timers, before its queue.
func (a *actor) StealTimer() {
	if !a.has.timer {
		return
	}
	for todo := a.t.todo; todo != 0; todo = todo.rest() {
		p := todo.least()
		n, t := a.step(stealTimer)
		if n.due.has(p) {
			if !a.bug.stealTimerKept {
				n.endTimer(p)
			}
			t.todo = 0
			t.call(timerPut, top)
			continue
		}
		t.cand = p
		if t.pollUntil() == 0 || !a.bug.deadlineStealFirst {
			t.putPollUntil(a.sooner(t.pollUntil(), n.when(p)))
		}
		t.pc = stealRing
	}
}

// RecheckTimers is checkTimersNoP, after the re-check and without a P: at the Ps that
// there are,
func (a *actor) RecheckTimers() {
	_, t := a.step(recheckTimers)
	t.todo = a.s.procs
	t.pc = recheckTimer
	if a.bug.timersOfRunning {
		if t.todo &^= a.s.pidle; t.todo == 0 {
			t.pc = pollTest
		}
	}
}

// RecheckTimer is checkTimersNoP: one after the other.
func (a *actor) RecheckTimer() {
	for todo := a.t.todo; todo != 0; todo = todo.rest() {
		p := todo.least()
		n, t := a.step(recheckTimer)
		t.todo = t.todo.without(p)
		if !a.bug.noRecheckTimers && (t.pollUntil() == 0 || !a.bug.deadlineRecheckFirst) {
			t.putPollUntil(a.sooner(t.pollUntil(), n.when(p)))
		}
		t.pc = recheckTimer
		if t.todo == 0 {
			t.pc = pollTest
		}
	}
}
