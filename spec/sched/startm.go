package sched

// startm finds an M for the P in cand. It spins if there is a token for it.

// idleOrNew are the Ms that startm may take, a bit each: those that are idle, or if
// there are none those that are not made yet.
func (a *actor) idleOrNew() (set mset) {
	var fresh mset
	for i := range a.ms {
		switch t := &a.s.ms[i]; {
		case t.pc == parked && t.nextp() == 0:
			set |= 1 << i
		case t.pc == unborn && t.nextp() == 0:
			fresh |= 1 << i
		}
	}
	if set == 0 {
		return fresh
	}
	return set
}

// hasFreeM reports whether there is an M that startm may take.
func (m *Machine) hasFreeM(s *State) bool {
	for i := range m.ms {
		if t := &s.ms[i]; (t.pc == parked || t.pc == unborn) && t.nextp() == 0 {
			return true
		}
	}
	return false
}

// parked are the Ms that sleep, those that have a P already among them.
func (a *actor) parked() (set mset) {
	for i := range a.ms {
		if a.s.ms[i].pc == parked {
			set |= 1 << i
		}
	}
	return set
}

// StartM is startm: mget and notewakeup, or newm.
func (a *actor) StartM() {
	if !a.free() && !a.bug.startmUnlocked {
		return
	}
	for set, i := a.idleOrNew(), 0; set != 0; set, i = set>>1, i+1 {
		if set&1 == 0 {
			continue
		}
		n, t := a.step(startM)
		o := &n.ms[i]
		o.putNextp(t.cand)
		switch {
		case t.cand == 0:
			o.pc = seek
		case a.bug.noteLost && o.pc == parked:
			o.pc = limbo
		case !a.bug.newmUncounted:
			o.pc = parked
		}
		o.put(spin, t.has(tok))
		t.put(tok, false)
		t.cand = 0
		t.goOn()
	}
}

// Wake is the M waking: stopm returns, or mstart begins; acquirep(nextp).
func (a *actor) Wake() {
	if a.t.nextp() == 0 {
		return
	}
	_, t := a.step(wake)
	t.acquireNextp()
	if a.bug.wakeKeeps {
		t.putNextp(t.myp)
	}
	t.pc = top
}

// Seek is the M that was woken looking for a P by itself: the bug wake_without_p.
func (a *actor) Seek() {
	if !a.free() {
		return
	}
	if a.s.pidle == 0 {
		n, t := a.step(seek)
		n.nmspinning--
		t.put(spin, false)
		t.pc = stop
		return
	}
	for idle := a.s.pidle; idle != 0; idle = idle.rest() {
		n, t := a.step(seek)
		t.myp = idle.least()
		n.pidle = n.pidle.without(t.myp)
		n.npidle--
		t.pc = top
	}
}
