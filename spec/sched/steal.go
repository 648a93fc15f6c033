package sched

// stealWork: from any P that the M has not looked at yet.

// lookedAt is where a thief goes that found nothing at p.
func (a *actor) lookedAt(t *thread, p uint8) {
	if t.todo = t.todo.without(p); t.todo != 0 {
		t.pc = steal
		return
	}
	t.pc = a.after.scan
	if a.bug.recheckFirst && !a.has.idlework {
		t.todo = a.s.procs // the Ps' queues are looked at again now
	}
}

// StealRing is runqgrab and the end of runqsteal: half of the ring, rounded up; the last
// is run, the rest is put in the thief's ring by a store of its own.
func (a *actor) StealRing() {
	victims := a.t.todo
	if a.has.timer {
		if a.t.pc == steal {
			return // StealTimer comes first, and has chosen one
		}
		victims = pset(0).with(a.t.cand)
	}
	for ; victims != 0; victims = victims.rest() {
		p := victims.least()
		n, t := a.step(stealRing)
		t.cand = 0
		switch ring := &n.ring[p-1]; {
		case *ring > 0:
			k := *ring - *ring/2
			*ring -= k
			t.putNum(k - 1)
			t.todo = 0
			if k > 1 {
				t.pc = stealPut
			} else {
				t.pc = a.found()
			}
		case a.bug.noRunnextSteal:
			a.lookedAt(t, p)
		default:
			t.cand = p
			t.pc = stealNext
		}
	}
}

// StealPut is runqsteal's store of the thief's tail.
func (a *actor) StealPut() {
	n, t := a.step(stealPut)
	n.ring[t.myp-1] += t.num()
	t.putNum(0)
	t.pc = a.found()
}

// StealNext is runqgrab, the ring being empty: runnext.
func (a *actor) StealNext() {
	n, t := a.step(stealNext)
	p := t.cand
	t.cand = 0
	if a.s.next.has(p) {
		if !a.bug.nextKept {
			n.next = n.next.without(p)
		}
		t.todo = 0
		t.pc = a.found()
	} else {
		a.lookedAt(t, p)
	}
}

// Extra is findRunnable at the further source of work: gcBgMarkWorkerPool.
func (a *actor) Extra() {
	n, t := a.step(extra)
	spins, found := t.has(spin), a.s.extra() == 1 && !a.bug.searchNoExtra
	switch {
	case found && spins:
		n.putExtra(2)
		t.call(resetSpinning, runextra)
	case found:
		n.putExtra(2)
		t.call(runextra, nowhere)
	case spins:
		t.pc = a.after.unspun
	default:
		t.pc = dropLock
	}
}
