package sched

import "github.com/spindle-go/spindle/spec/explore"

// Invariants are those of the module, by their names there, in the order in which
// configurations have them.
func (m *Machine) Invariants() []explore.Invariant[State] {
	return []explore.Invariant[State]{
		{Name: "TypeOK", Holds: m.typeOK},
		{Name: "POwned", Requirement: "DN-P-OWNED", Holds: m.pOwned},
		{Name: "SpinCount", Requirement: "DN-SPIN-COUNT", Holds: m.spinCount},
		{Name: "IdleEmpty", Requirement: "DN-IDLE-EMPTY", Holds: m.idleEmpty},
		{Name: "IdleCount", Requirement: "DN-IDLE-COUNT", Holds: m.idleCount},
		{Name: "NoLocalSpin", Requirement: "DN-LOCAL-SPIN", Holds: m.noLocalSpin},
		{Name: "OnePlace", Requirement: "DN-ONE-PLACE", Holds: m.onePlace},
		{Name: "ExtraOnce", Requirement: "DN-ONE-PLACE", Holds: m.extraOnce},
		{Name: "RingBounds", Requirement: "DN-RING", Holds: m.ringBounds},
		{Name: "LockHeld", Requirement: "DN-LOCK", Holds: m.lockHeld},
		{Name: "DeadTrue", Requirement: "DN-DEADLOCK", Holds: m.deadTrue},
		{Name: "WorkRescuer", Requirement: "DN-WORK-RESCUER", Holds: m.workRescuer},
		{Name: "WorkQuiet", Requirement: "DN-WORK-QUIET", Holds: m.workQuiet},
		{Name: "PollQuiet", Requirement: "TM-POLL", Holds: m.pollQuiet},
		{Name: "TimerKnown", Requirement: "TM-POLL", Holds: m.timerKnown},
		{Name: "StopQuiet", Requirement: "DN-STOP", Holds: m.stopQuiet},
		{Name: "SafeQuiet", Requirement: "DN-SAFEPOINT", Holds: m.safeQuiet},
		{Name: "SafeEnds", Requirement: "DN-SAFEPOINT", Holds: func(s *State) bool { return s.foreach() != 0 || s.safefn == 0 }},
		{Name: "LockedQueued", Requirement: "SY-LOCKED", Holds: func(s *State) bool { return m.locked(s, queued).size() <= m.inQueues(s) }},
		{Name: "LockedAlone", Requirement: "SY-LOCKED", Holds: m.lockedAlone},
	}
}

// Probes are what must be violated, lest the machine prove nothing: those of module
// MCSched, and a promise that Go does not make.
func (m *Machine) Probes() []explore.Invariant[State] {
	never := func(at place) func(*State) bool {
		return func(s *State) bool {
			for i := range m.ms {
				if s.ms[i].pc == at {
					return false
				}
			}
			return true
		}
	}
	return []explore.Invariant[State]{
		{Name: "NeverNeedspinning", Holds: func(s *State) bool { return !s.needspinning() }},
		{Name: "NeverReglob", Holds: never(recheckGlobGet)},
		{Name: "NeverOverflow", Holds: never(overflow)},
		{Name: "NeverSecondSpinner", Holds: func(s *State) bool {
			n := 0
			for i := range m.ms {
				n += int(b2i(s.ms[i].has(spin)))
			}
			return n < 2
		}},
		m.EnoughMs(),
		{Name: "PollPrompt", Requirement: "TM-POLL-IDLE", Holds: m.pollPrompt},
		{Name: "SyscallQuiet", Requirement: "SY-HANDOFF", Holds: m.syscallQuiet},
	}
}

func (m *Machine) typeOK(s *State) bool {
	most := near
	if m.has.deadlines {
		most = far
	}
	ms, ps, gs := int8(m.ms), int8(m.config.Ps), int8(m.config.Gs)
	ok := int8(s.lock) <= ms && in(s.nmspinning, 2*ms) && in(s.npidle, ps) &&
		s.pidle&^s.procs == 0 && s.procs&^m.allPs == 0 && in(s.runq, gs) &&
		s.next&^m.allPs == 0 && in(s.blocked, gs) && s.extra() <= 2 &&
		in(s.netgs, gs) && in(s.netready, s.netgs) && -ms <= s.netwaiters && s.netwaiters <= (ms+1)*gs &&
		int8(s.poller) <= ms && s.seen&^m.allPs == 0 && (s.later|s.due)&^m.allPs == 0 && s.later&s.due == 0 && s.far&^(s.later|s.due) == 0 &&
		int8(s.stopping()) <= ms && s.stopped&^s.procs == 0 && int8(s.foreach()) <= ms && s.safefn&^s.procs == 0 && s.pollUntil() <= most
	for i := range m.ms {
		t := &s.ms[i]
		ok = ok && int8(t.myp) <= ps && int8(t.nextp()) <= ps && int8(t.cand) <= ps && t.todo&^m.allPs == 0 &&
			in(t.num(), 2*ms+gs) && t.pollUntil() <= most && t.cnt() <= gs && t.delta() <= gs
	}
	return ok
}

func in(n, most int8) bool { return 0 <= n && n <= most }

// pOwned: each P is in exactly one place.
func (m *Machine) pOwned(s *State) bool {
	var once, twice pset
	add := func(set pset) {
		twice |= once & set
		once |= set
	}
	add(s.pidle)
	add(s.stopped)
	for i := range m.ms {
		t := &s.ms[i]
		add(1 << t.myp)
		add(1 << t.nextp())
		switch t.pc {
		case stealNext, stealRing: // a victim is in nobody's hands
			continue
		case resizeIdle, startWorld, startP:
			add(t.todo)
		}
		add(1 << t.cand)
	}
	return s.procs&^once == 0 && s.procs&twice == 0
}

// spinCount: nmspinning counts the Ms that spin, and the tokens of those to come.
func (m *Machine) spinCount(s *State) bool {
	n := int8(0)
	for i := range m.ms {
		f := s.ms[i].flags
		n += int8(f&spin/spin + f&tok/tok)
	}
	return n == s.nmspinning
}

// idleEmpty: a P that is idle, or is not there, has no work.
func (m *Machine) idleEmpty(s *State) bool {
	for idle := s.pidle | m.allPs&^s.procs; idle != 0; idle = idle.rest() {
		if s.queued(idle.least()) != 0 {
			return false
		}
	}
	return true
}

// idleCount: npidle is the number of idle Ps while nobody is changing it.
func (m *Machine) idleCount(s *State) bool {
	return s.lock != 0 || s.npidle == s.pidle.size()
}

// noLocalSpin: an M that is to spin gets a P without work.
func (m *Machine) noLocalSpin(s *State) bool {
	for i := range m.ms {
		if t := &s.ms[i]; t.pc == startM && t.has(tok) && t.cand != 0 && s.queued(t.cand) != 0 {
			return false
		}
	}
	return true
}

// ringBounds: no ring holds more than it can, and less than nothing is not.
func (m *Machine) ringBounds(s *State) bool {
	for _, n := range s.ring {
		if !in(n, m.ringCap) {
			return false
		}
	}
	return true
}

// onePlace: no G is lost, and none is in two places.
func (m *Machine) onePlace(s *State) bool {
	n := s.runq + s.blocked + s.next.size() + s.netgs + (s.later | s.due).size()
	for _, k := range s.ring {
		n += k
	}
	for i := range m.ms {
		t := &s.ms[i]
		n += inHands(t) + int8(t.flags&sb/sb) + int8(b2i(given(t)))
	}
	return n == int8(m.config.Gs)
}

// extraOnce: one M does the further work, or nobody.
func (m *Machine) extraOnce(s *State) bool {
	n := uint8(0)
	for i := range m.ms {
		t := &s.ms[i]
		n += b2i(t.pc == runextra || t.pc == recheckExtraIdle || t.ret == runextra)
	}
	return n == b2i(s.extra() == 2)
}

// Where an M is on its way through wakep, through handoffp and others.
var (
	inWakep   = placesOf(enlistLoad, enlistSpin, wakepLoad, wakepBusy, wakepWord, wakepCAS, wakepGet, wakepNeed, wakepIdle, wakepUndo, wakepAgain)
	inHandoff = placesOf(handoffEmpty, handoffGlob, handoffExtra, handoffSpin, handoffIdle, handoffCAS, handoffClear, handoffLock, handoffAdd, handoffPut, handoffPutIdle)
	inExit    = placesOf(exitOld, exitTry, exitGet, exitIdle, exitNoP, exitPut)
	inForEach = placesOf(safeTake, safeWait)
	inStop    = placesOf(stopIdle, stopNpidle, resize, resizeIdle, startWorld, startP)
	inPoll    = placesOf(pollClear, pollLast, pollGet, pollIdle)
	inInject  = placesOf(injectIdle, injectNpidle, injectStart)
	inKernel  = placesOf(syscall, syscallLook, syscallWake)
	inSyscall = placesOf(syscallStop, enterStatus).and(inKernel)
	passing   = placesOf(startM, timerWake, timerBreak).and(inWakep).and(inHandoff)
)

// Where an M has a G of its own, and where it goes on with one (ret).
var (
	ownG = placesOf(run, goyield, preempted, execute, batchPut, stealPut, recheckGlobPut, injectLoad, injectSome, injectPut, wakeAnyway, latePut).
		and(inSyscall).and(inExit).and(inStop).and(inForEach)
	withG = placesOf(run, goyield, execute, syscall, netAdjust, latePut).and(inForEach)
)

// hasG reports whether an M has a G that it runs, or will run next: HasG of the module.
func hasG(t *thread) bool {
	switch t.pc {
	case kick, overflow:
		return t.ret == run || t.ret == goyield
	case injectIdle, injectNpidle, injectStart:
		return t.ret == injectPut
	case spinAdd, spinClear:
		return t.ret == resetSpinning
	case resetSpinning:
		return t.ret != runextra
	case netAdjust:
		return t.myp != 0
	case limbo:
		return t.cand != 0
	}
	return ownG.has(t.pc) || passing.has(t.pc) && withG.has(t.ret)
}

// carrying is where num is how many Gs an M carries.
var carrying = placesOf(overflow, batchPut, stealPut, recheckGlobPut, injectGlob, injectLoad, injectSome, injectPut).and(inInject).and(inPoll)

// carries is how many more an M carries, on their way from one queue to another: Carries
// of the module.
func carries(t *thread) int8 {
	switch {
	case t.pc == kick, t.pc == timerPut, t.pc == latePut, passing.has(t.pc) && t.ret == latePut:
		return 1
	case carrying.has(t.pc):
		return t.num()
	}
	return 0
}

// inHands is how many Gs an M has in its hands, the one that it runs among them.
func inHands(t *thread) int8 { return carries(t) + int8(b2i(hasG(t))) }

// under is where an M always has the lock.
var under = placesOf(wakepIdle, dropPut, dropIdle, recheckGlobIdle, recheckGlobGet, reacquire, recheckExtraIdle, handoffPut, handoffAdd, handoffPutIdle, exitIdle,
	injectNpidle, injectStart, pollIdle, stopIdle, stopNpidle, resizeIdle, startWorld)

// lockHeld: the lock is held just where a section has more than one step.
func (m *Machine) lockHeld(s *State) bool {
	for i := range m.ms {
		t, has := &s.ms[i], int(s.lock) == i+1
		want := under.has(t.pc)
		switch t.pc {
		case wakepUndo:
			want = !m.bug.needUnlocked
		case spinAdd, spinClear:
			want = t.myp != 0 && has
		case handoffClear: // these two with the lock by a fix alone
			want = has && m.fix.handoffNeed
		case batchPut:
			want = has && m.fix.batchLocked
		}
		if has != want {
			return false
		}
	}
	return true
}

// deadTrue: checkdead reports no deadlock while a G can run; and while every M is asleep
// none can.
func (m *Machine) deadTrue(s *State) bool {
	all := true
	for i := range m.ms {
		switch t := &s.ms[i]; {
		case t.pc == threw:
			return false
		case uint8(i+1) == m.sysmon:
			all = all && (t.pc == sysmon || t.pc == deep)
		default:
			all = all && asleep(t) && t.nextp() == 0
		}
	}
	return !all || !work(s)
}

// stopQuiet: when all is quiet, and nobody runs who could be preempted, the world has
// stopped.
func (m *Machine) stopQuiet(s *State) bool {
	if s.stopping() == 0 || m.stopsAgain(s) {
		return true
	}
	t := &s.ms[s.stopping()-1]
	return t.pc != resize || s.allStopped(t) || !m.calmBut(s, s.stopping())
}

// calmBut reports whether all Ms but one are calm, run nothing that could be preempted,
// and do not wait for another M: the code would make one, who then stops.
func (m *Machine) calmBut(s *State, one uint8) bool {
	for i := range m.ms {
		if t := &s.ms[i]; uint8(i+1) != one && (!m.calm(s, t) || running.has(t.pc) || starting.has(t.pc)) {
			return false
		}
	}
	return true
}

var running = placesOf(run, runextra)

// searches is where a locked M never is.
var searches = placesOf(execute, getNext, getRing, globTest, resetSpinning, sysmon)

// lockedAlone: a locked G runs on its M alone, and its M runs no other, nor looks for
// one.
func (m *Machine) lockedAlone(s *State) bool {
	for i := range m.ms {
		t := &s.ms[i]
		switch t.lk() {
		case unlocked:
			if t.pc == lockPark || t.pc == lockpark {
				return false
			}
			continue
		case lockedWaits, lockedReady:
			if t.pc == run || t.pc == goyield {
				return false
			}
		}
		if searches.has(t.pc) {
			return false
		}
	}
	return true
}
