package sched

// injectglist: the Gs that an M has in its hands become runnable, as many Ms are started
// as there are idle Ps for them, and it goes on at ret.

// InjectGlob is injectglist without a P: all go to the global queue (globrunqputbatch).
func (a *actor) InjectGlob() {
	if !a.free() {
		return
	}
	n, t := a.step(injectGlob)
	n.runq += t.num()
	if a.bug.injectNoStart {
		t.putNum(0)
		t.goOn()
		return
	}
	t.putCnt(t.num())
	t.putNum(0)
	t.pc = injectIdle
}

// InjectLoad is injectglist with a P: as many go to the global queue as there are idle
// Ps.
func (a *actor) InjectLoad() {
	_, t := a.step(injectLoad)
	t.putCnt(min(a.s.npidle, t.num()))
	if a.bug.injectForgets {
		t.putNum(t.cnt())
	}
	t.pc = injectPut
	if a.s.npidle > 0 {
		t.pc = injectSome
	}
}

// InjectSome is injectglist's globrunqputbatch of these.
func (a *actor) InjectSome() {
	if !a.free() {
		return
	}
	n, t := a.step(injectSome)
	n.runq += t.cnt()
	if !a.bug.injectTwice {
		t.putNum(t.num() - t.cnt())
	}
	t.call(injectIdle, injectPut)
}

// InjectPut is injectglist's runqputbatch of the others, and at the end wakep.
func (a *actor) InjectPut() {
	n, t := a.step(injectPut)
	n.ring[t.myp-1] += t.num()
	t.putNum(0)
	t.putCnt(0)
	if a.bug.injectStaleNpidle {
		t.call(netAdjust, nowhere)
	} else {
		t.call(wakepLoad, netAdjust)
	}
}

// InjectIdle is injectglist's startIdle: pidlegetSpinning.
func (a *actor) InjectIdle() {
	if !a.free() && !a.bug.injectIdleUnlocked || a.getIdle(injectIdle, injectNpidle) {
		return
	}
	n, t := a.step(injectIdle)
	if !a.bug.injectPidleget {
		n.putNeedspinning(true)
	}
	t.putCnt(0)
	t.goOn()
}

// InjectNpidle is the end of pidleget: npidle.
func (a *actor) InjectNpidle() {
	n, t := a.step(injectNpidle)
	if !a.bug.injectNpidleKept {
		n.npidle--
	}
	if a.bug.injectUnlocked {
		n.lock = 0
	}
	t.pc = injectStart
}

// InjectStart is startm with the lock held, which is then released; the M does not spin.
func (a *actor) InjectStart() {
	if !a.free() && !a.mine() {
		return
	}
	for set, i := a.idleOrNew(), 0; set != 0; set, i = set>>1, i+1 {
		if set&1 == 0 {
			continue
		}
		n, t := a.step(injectStart)
		o := &n.ms[i]
		o.putNextp(t.cand)
		o.pc = parked
		if !a.bug.injectLocked {
			n.lock = 0
		}
		t.cand = 0
		if t.cnt() == 1 {
			t.goOn()
		} else {
			t.pc = injectIdle
		}
		t.putCnt(t.cnt() - 1)
	}
}
