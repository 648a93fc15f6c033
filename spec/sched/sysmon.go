package sched

// sysmon, and others without a P. Without the feature sysmon it may do all this at any
// moment.

// Retake is retake: the P of an M that is in a syscall; handoffp.
func (a *actor) Retake() {
	if !a.has.syscall || a.has.sysmon {
		return
	}
	for i := range a.ms {
		if o := &a.s.ms[i]; !inKernel.has(o.pc) || o.myp == 0 {
			continue
		}
		n, t := a.step(retake)
		t.cand = n.ms[i].myp
		if !a.bug.retakeKeeps {
			n.ms[i].myp = 0
		}
		t.call(handoffEmpty, sysmon)
	}
}

// Preempt is preemptone: the G that an M runs is to yield, and does.
func (a *actor) Preempt() {
	if !a.has.preempt || a.has.sysmon {
		return
	}
	for i := range a.ms {
		if a.s.ms[i].pc == run {
			n, _ := a.step(preempt)
			n.ms[i].pc = preempted
			if a.bug.preemptPuts {
				n.runq++
			}
		}
	}
}

// Preempted is gopreempt_m, which is goschedImpl.
func (a *actor) Preempted() { a.putGlobal(preempted) }

// Inject is injectglist without a P: some Gs became runnable.
func (a *actor) Inject() {
	if !a.has.inject {
		return
	}
	for k := int8(1); k <= a.s.blocked; k++ {
		a.readied(k, func(set mset) {
			n, t := a.step(inject)
			if !a.bug.injectCopies {
				n.blocked -= k
			}
			n.madeReady(set)
			t.putNum(k)
			t.call(injectGlob, sysmon)
		})
	}
}

// SysPoll is sysmon's netpoll(0), if nobody has polled for long.
func (a *actor) SysPoll() {
	if !a.has.net || a.has.sysmon || a.s.poller != 0 || a.s.netready <= 0 {
		return
	}
	n, t := a.step(sysPoll)
	a.netpoll(n, t)
	t.putNum(a.s.netready)
	t.call(injectGlob, netAdjust)
}
