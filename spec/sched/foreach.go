package sched

// forEachP: every P runs a function at a safe point. A P's flag (runSafePointFn) is a bit
// of safefn until it has.

// ForEachP is forEachPInternal's section under the lock: it sets the flags of all other Ps,
// and runs the function for those that are idle.
func (a *actor) ForEachP() {
	if !a.has.safepoint || a.s.foreach() != 0 || a.s.stopping() != 0 || !a.free() {
		return
	}
	n, t := a.step(forEachP)
	n.putForeach(a.i + 1)
	n.safefn = a.s.procs.without(t.myp)
	if !a.bug.safeNoIdle {
		n.safefn &^= a.s.pidle
	}
	t.todo = a.s.procs.without(t.myp)
	t.pc = safeTake
	if t.todo == 0 {
		t.pc = safeWait
	}
}

// SafeTake is forEachPInternal's look at each P once: one whose flag is set, and whose M is
// in a syscall, is taken and handed off.
func (a *actor) SafeTake() {
	for todo := a.t.todo; todo != 0; todo = todo.rest() {
		p := todo.least()
		n, t := a.step(safeTake)
		if t.todo = t.todo.without(p); t.todo == 0 {
			t.pc = safeWait
		}
		if i := a.holder(p); i >= 0 && a.s.safefn.has(p) {
			if !a.bug.safeTakeKeeps {
				n.ms[i].myp = 0
			}
			t.cand = p
			t.call(handoffEmpty, t.pc)
		}
	}
}

// SafeWait is the end of forEachPInternal: every P has run the function.
func (a *actor) SafeWait() {
	if a.s.safefn != 0 && !a.bug.safeNoWait {
		return
	}
	n, t := a.step(safeWait)
	n.putForeach(0)
	t.pc = run
}

// SafeAgain is the look of SafeTake once more, while forEachPInternal waits: the fix
// safe_again.
func (a *actor) SafeAgain() {
	if !a.fix.safeAgain {
		return
	}
	for set := a.takeable(a.s, a.s.safefn); set != 0; set = set.rest() {
		p := set.least()
		n, t := a.step(safeAgain)
		n.ms[a.holder(p)].myp = 0
		t.cand = p
		t.call(handoffEmpty, safeWait)
	}
}

// SafeStale is the take of SafeTake and SafeAgain for a P whose flag is not set any more: the fix safe_stale. forEachP has seen
// the flag before. The machine does not remember that, so it may take any P whose flag is not set.
func (a *actor) SafeStale() {
	if !a.fix.safeStale {
		return
	}
	for set := a.takeable(a.s, a.s.procs&^a.s.safefn); set != 0; set = set.rest() {
		p := set.least()
		if a.t.pc == safeTake && !a.t.todo.has(p) {
			continue
		}
		n, t := a.step(safeStale)
		n.ms[a.holder(p)].myp = 0
		t.cand = p
		if t.todo = t.todo.without(p); t.todo == 0 {
			t.pc = safeWait
		}
		t.call(handoffEmpty, t.pc)
	}
}

// SafePreempt is preemptall: a G that runs is preempted, if forEachP waits for its P.
func (a *actor) SafePreempt() {
	if !a.s.safefn.has(a.t.myp) {
		return
	}
	_, t := a.step(safePreempt)
	t.pc = preempted
	if a.bug.safePreemptDrops {
		t.pc = top
	}
}

// SafeCheck is findRunnable at its top: runSafePointFn.
func (a *actor) SafeCheck() {
	n, t := a.step(safeCheck)
	n.safefn = n.safefn.without(t.myp)
	t.pc = a.after.safe
	if a.bug.safeSkipsQueue {
		t.pc = globTest
	}
}

// holder is the M, from 0, that is in a syscall and holds P p, or -1.
func (a *actor) holder(p uint8) int {
	for i := range a.ms {
		if t := &a.s.ms[i]; inKernel.has(t.pc) && t.myp == p {
			return i
		}
	}
	return -1
}

// takeable are those of a set of Ps that lie with Ms in syscalls.
func (m *Machine) takeable(s *State, of pset) (set pset) {
	for i := range m.ms {
		if t := &s.ms[i]; inKernel.has(t.pc) {
			set |= of & (1 << t.myp)
		}
	}
	return set
}

// safeQuiet: when all is quiet, and nobody runs who could be preempted, every P has run
// forEachP's function.
func (m *Machine) safeQuiet(s *State) bool {
	if s.foreach() == 0 || s.safefn == 0 || m.fix.safeAgain && m.takeable(s, s.safefn) != 0 {
		return true
	}
	return s.ms[s.foreach()-1].pc != safeWait || !m.calmBut(s, s.foreach())
}
