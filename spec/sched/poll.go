package sched

// The network poller. A last M without a P waits there.

// NetBlock is netpollblock: the running G waits in the poller,
func (a *actor) NetBlock() {
	if !a.has.net || a.t.lk() != unlocked {
		return
	}
	n, t := a.step(doNetBlock)
	n.netgs++
	t.pc = netwait
}

// NetWait is netpollblockcommit: and is counted.
func (a *actor) NetWait() {
	n, t := a.step(doNetWait)
	n.netwaiters++
	t.pc = top
}

// NetReady is the world: a G that waits in the poller may run now.
func (a *actor) NetReady() {
	if a.s.netready < a.s.netgs {
		a.out.Add(uint8(doNetReady), a.i, a.s).netready++
	}
}

// netpoll takes the Gs that may run out of the poller.
func (a *actor) netpoll(n *State, t *thread) {
	n.netgs -= a.s.netready
	n.netready = 0
	t.putDelta(a.s.netready)
	if a.bug.netAdjustFirst {
		n.netwaiters -= a.s.netready
	}
}

// NetTest is findRunnable before its netpoll(0): is anybody there, and does nobody wait
// there already?
func (a *actor) NetTest() {
	_, t := a.step(doNetTest)
	t.pc = a.throttle()
	if a.s.poller == 0 && a.s.netwaiters > 0 && !a.bug.searchNoNet {
		t.pc = netget
	}
}

// NetGet is findRunnable's netpoll(0): one G is run, the others are injected.
func (a *actor) NetGet() {
	n, t := a.step(doNetGet)
	a.netpoll(n, t)
	switch k := a.s.netready; k {
	case 0:
		t.num = 0
		t.pc = a.throttle()
	default:
		t.num = k - 1
		t.todo = 0
		t.pc = injload
		if k == 1 {
			t.pc = netadj
		}
	}
}

// NetAdjust is netpollAdjustWaiters: only now, when the Gs are where they can be seen.
func (a *actor) NetAdjust() {
	n, t := a.step(doNetAdjust)
	if !a.bug.netAdjustFirst {
		n.netwaiters -= t.delta()
	}
	t.putDelta(0)
	switch {
	case a.i+1 == a.sysmon:
		t.pc = sysmon
	case t.myp == 0:
		t.pc = stop
	default:
		t.pc = a.found()
	}
}

// PollTest is findRunnable after the re-check, without a P: is there anything to wait
// for?
func (a *actor) PollTest() {
	_, t := a.step(doPollTest)
	t.pc = stop
	if (a.s.netwaiters > 0 || t.has(pu)) && !a.bug.noLastPoll {
		t.pc = pollswap
	}
}

// PollSwap is sched.lastpoll.Swap(0): one M alone. Another's wait may be too long.
func (a *actor) PollSwap() {
	if a.buffered() {
		return
	}
	n, t := a.step(doPollSwap)
	if a.bug.pollsetFirst && t.has(pu) {
		n.polluntil = 1
	}
	switch {
	case a.s.poller == 0:
		n.poller = a.i + 1
		t.call(pollset, nowhere)
	case t.has(pu):
		t.call(timeread, stop)
	default:
		t.call(stop, nowhere)
	}
}

// PollSet is pollUntil.Store: until when it waits.
func (a *actor) PollSet() {
	n, t := a.step(doPollSet)
	n.polluntil = b2i(t.has(pu))
	t.pc = polling
}

// pollOver reports what an M waits for in the poller: a G that may run, a break, a timer
// that it knows of.
func (s *State) pollOver(t *thread) bool {
	return s.netready > 0 || s.brk == 1 || t.has(pu) && s.due&s.procs != 0
}

// Poll is netpoll(delay) when it returns.
func (a *actor) Poll() {
	if !a.s.pollOver(a.t) {
		return
	}
	n, t := a.step(doPoll)
	a.netpoll(n, t)
	t.num = a.s.netready
	n.brk = 0
	t.pc = pollclear
}

// PollClear is pollUntil.Store(0).
func (a *actor) PollClear() {
	n, t := a.step(doPollClear)
	n.polluntil = 0
	t.pc = polllast
}

// PollLast is lastpoll.Store(now).
func (a *actor) PollLast() {
	n, t := a.step(doPollLast)
	n.poller = 0
	t.pc = pollget
}

// PollGet is findRunnable's pidleget then: without a P the M injects what it got, and
// stops.
func (a *actor) PollGet() {
	if !a.free() || a.getIdle(doPollGet, pollnp) {
		return
	}
	_, t := a.step(doPollGet)
	if t.num > 0 {
		t.call(injglob, netadj)
	} else {
		t.call(stop, nowhere)
	}
}

// PollIdle is the end of pidleget: npidle, and the lock is released; acquirep. The M runs
// a G if it got one, and injects the others. If it got none it searches again, and spins
// if it did before.
func (a *actor) PollIdle() {
	n, t := a.step(doPollIdle)
	n.npidle--
	n.lock = 0
	t.acquire()
	switch {
	case t.num > 1:
		t.call(injload, nowhere)
	case t.num == 1:
		t.call(netadj, nowhere)
	case t.has(was):
		t.call(spinadd, top)
	default:
		t.call(top, nowhere)
	}
	t.num = max(0, t.num-1)
}
