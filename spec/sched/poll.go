package sched

// The network poller. A last M without a P waits there.

// NetBlock is netpollblock: the running G waits in the poller,
func (a *actor) NetBlock() {
	if !a.has.net || a.t.lk() != unlocked {
		return
	}
	n, t := a.step(netBlock)
	if !a.bug.netblockLost {
		n.netgs++
	}
	t.pc = netWait
}

// NetWait is netpollblockcommit: and is counted.
func (a *actor) NetWait() {
	n, t := a.step(netWait)
	if !a.bug.netwaitUncounted {
		n.netwaiters++
	}
	t.pc = top
}

// NetReady is the world: a G that waits in the poller may run now.
func (a *actor) NetReady() {
	if a.s.netready < a.s.netgs {
		a.out.Add(uint8(netReady-words), a.i, a.s).netready++
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
	_, t := a.step(netTest)
	switch {
	case a.s.poller == 0 && a.s.netwaiters > 0 && !a.bug.searchNoNet:
		t.pc = netGet
	case a.bug.netSpinsTwice:
		t.call(spinAdd, steal)
	default:
		t.pc = a.throttle()
	}
}

// NetGet is findRunnable's netpoll(0): one G is run, the others are injected.
func (a *actor) NetGet() {
	n, t := a.step(netGet)
	a.netpoll(n, t)
	switch k := a.s.netready; k {
	case 0:
		t.putNum(0)
		t.pc = a.throttle()
	default:
		t.putNum(k - 1)
		t.todo = 0
		t.pc = injectLoad
		if k == 1 {
			t.pc = netAdjust
		}
	}
}

// NetAdjust is netpollAdjustWaiters: only now, when the Gs are where they can be seen.
func (a *actor) NetAdjust() {
	n, t := a.step(netAdjust)
	if !a.bug.netAdjustFirst {
		n.netwaiters -= t.delta()
	}
	t.putDelta(0)
	switch {
	case a.i+1 == a.sysmon:
		t.pc = sysmon
		if a.has.sysmon {
			t.pc = sysRetake
		}
	case t.myp == 0:
		t.pc = stop
	default:
		t.pc = a.found()
	}
}

// PollTest is findRunnable after the re-check, without a P: is there anything to wait
// for?
func (a *actor) PollTest() {
	_, t := a.step(pollTest)
	t.pc = stop
	if (a.s.netwaiters > 0 || t.pollUntil() != 0) && !a.bug.noLastPoll {
		t.pc = pollSwap
	}
}

// PollSwap is sched.lastpoll.Swap(0): one M alone. Another's wait may be too long.
func (a *actor) PollSwap() {
	if a.buffered() {
		return
	}
	n, t := a.step(pollSwap)
	if a.bug.pollsetFirst && t.pollUntil() != 0 {
		n.putPollUntil(t.pollUntil())
	}
	switch {
	case a.s.poller == 0:
		n.poller = a.i + 1
		t.call(pollSet, nowhere)
	case t.pollUntil() != 0 && !a.bug.deadlineSwapStops:
		t.putNum(int8(t.pollUntil()))
		t.call(timerBreak, stop)
	default:
		t.call(stop, nowhere)
	}
}

// PollSet is pollUntil.Store: until when it waits.
func (a *actor) PollSet() {
	n, t := a.step(pollSet)
	n.putPollUntil(t.pollUntil())
	if a.bug.pollsetAlways {
		n.putPollUntil(near)
	}
	t.pc = poll
}

// pollOver reports what an M waits for in the poller: a G that may run, a break, the
// deadline of a timer that it knows of.
func (s *State) pollOver(t *thread) bool {
	due := s.due & s.procs
	return s.netready > 0 || s.brk() || t.pollUntil().until(near) && due != 0 || t.pollUntil().until(far) && due&s.far != 0
}

// Poll is netpoll(delay) when it returns.
func (a *actor) Poll() {
	if !a.s.pollOver(a.t) {
		return
	}
	n, t := a.step(poll)
	a.netpoll(n, t)
	t.putNum(a.s.netready)
	n.putBrk(false)
	t.pc = pollClear
}

// PollClear is pollUntil.Store(0).
func (a *actor) PollClear() {
	n, t := a.step(pollClear)
	if !a.bug.pollUntilKept {
		n.putPollUntil(0)
	}
	t.pc = pollLast
}

// PollLast is lastpoll.Store(now).
func (a *actor) PollLast() {
	n, t := a.step(pollLast)
	if !a.bug.lastpollKept {
		n.poller = 0
	}
	n.putPolled(a.has.sysmon)
	t.pc = pollGet
}

// PollGet is findRunnable's pidleget then: without a P the M injects what it got, and
// stops. With the fix poll_need it is pidlegetSpinning.
func (a *actor) PollGet() {
	if !a.free() && !a.bug.pollGetUnlocked || a.getIdle(pollGet, pollIdle) {
		return
	}
	n, t := a.step(pollGet)
	if a.fix.pollNeed {
		n.putNeedspinning(true)
	}
	if t.num() > 0 {
		t.call(injectGlob, netAdjust)
	} else {
		t.call(stop, nowhere)
	}
}

// PollIdle is the end of pidleget: npidle, and the lock is released; acquirep. The M runs
// a G if it got one, and injects the others. If it got none it searches again, and spins
// if it did before.
func (a *actor) PollIdle() {
	n, t := a.step(pollIdle)
	if !a.bug.pollNpidleKept {
		n.npidle--
	}
	if a.fix.pollWakesSysmon {
		n.putSysmonwait(false)
	}
	n.lock = 0
	t.acquire()
	n.renew(t.myp)
	switch {
	case t.num() > 1:
		t.call(injectLoad, nowhere)
	case t.num() == 1:
		t.call(netAdjust, nowhere)
	case t.has(was):
		t.call(spinAdd, top)
	default:
		t.call(top, nowhere)
	}
	t.putNum(max(0, t.num()-1))
}
