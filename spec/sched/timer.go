package sched

// The timers: each P has one place in its heap.

// TimerSet is timeSleep: the running G sleeps; its timer is in the heap of this P,
func (a *actor) TimerSet() {
	if !a.has.timer || a.t.lk() != unlocked || (a.s.later | a.s.due).has(a.t.myp) {
		return
	}
	n, t := a.step(doTimerSet)
	n.later = n.later.with(t.myp)
	if a.bug.timerNoWake {
		t.call(top, nowhere)
	} else {
		t.call(timewake, top)
	}
}

// TimerAfter is time.AfterFunc: the running G goes on, and another is made runnable
// later.
func (a *actor) TimerAfter() {
	if !a.has.timer || a.s.blocked <= a.locked(waits).size() || (a.s.later | a.s.due).has(a.t.myp) {
		return
	}
	n, t := a.step(doTimerAfter)
	n.blocked--
	n.later = n.later.with(t.myp)
	if !a.bug.timerNoWake {
		t.call(timewake, run)
	}
}

// TimerWake is wakeNetPoller: who polls must know, or somebody is to be woken who will.
func (a *actor) TimerWake() {
	_, t := a.step(doTimerWake)
	t.pc = timeread
	if a.s.poller == 0 {
		t.pc = wakeload
	}
}

// TimerBreak is wakeNetPoller's netpollBreak, unless who polls wakes in time by itself.
func (a *actor) TimerBreak() {
	n, t := a.step(doTimerBreak)
	if a.s.polluntil == 0 {
		n.brk = 1
	}
	t.goOn()
}

// TimerDue is the world: time passes.
func (a *actor) TimerDue() {
	for later := a.s.later; later != 0; later = later.rest() {
		n := a.out.Add(uint8(doTimerDue), a.i, a.s)
		n.later = n.later.without(later.least())
		n.due = n.due.with(later.least())
	}
}

// TimersCheck is timers.check of the M's own P: what is due is run, and it knows of what
// is not.
func (a *actor) TimersCheck() {
	n, t := a.step(doTimersCheck)
	if n.due.has(t.myp) {
		n.due = n.due.without(t.myp)
		t.call(timerput, getnext)
	} else {
		t.put(pu, n.later.has(t.myp))
		t.pc = getnext
	}
}

// TimerPut is goready of the G that slept: runqput, and then wakep.
func (a *actor) TimerPut() {
	n, t := a.step(doTimerPut)
	a.putNext(n, t)
}

// putNext is runqput of a G that goes to runnext, and then wakep.
func (a *actor) putNext(n *State, t *thread) {
	n.next = n.next.with(t.myp)
	t.pc = wakeload
	if a.s.next.has(t.myp) {
		t.pc = kick
	}
}

// StealTimer is stealWork: a victim's timers, before its queue.
func (a *actor) StealTimer() {
	for todo := a.t.todo; todo != 0; todo = todo.rest() {
		p := todo.least()
		n, t := a.step(doStealTimer)
		if n.due.has(p) {
			n.due = n.due.without(p)
			t.todo = 0
			t.call(timerput, top)
			continue
		}
		t.cand = p
		t.put(pu, t.has(pu) || n.later.has(p))
		t.pc = stealring
	}
}

// RecheckTimers is checkTimersNoP, after the re-check and without a P: at the Ps that
// there are,
func (a *actor) RecheckTimers() {
	_, t := a.step(doRecheckTimers)
	t.todo = a.s.procs
	t.pc = retimer
}

// RecheckTimer is checkTimersNoP: one after the other.
func (a *actor) RecheckTimer() {
	for todo := a.t.todo; todo != 0; todo = todo.rest() {
		p := todo.least()
		n, t := a.step(doRecheckTimer)
		t.todo = t.todo.without(p)
		t.put(pu, t.has(pu) || (n.later|n.due).has(p) && !a.bug.noRecheckTimers)
		t.pc = retimer
		if t.todo == 0 {
			t.pc = polltest
		}
	}
}
