package sched

import "github.com/spindle-go/spindle/spec/explore"

// Work conservation, in three strengths.

// work reports whether something waits to be run.
func work(s *State) bool {
	if s.runq > 0 || s.extra() == 1 {
		return true
	}
	for procs := s.procs; procs != 0; procs = procs.rest() {
		if s.queued(procs.least()) > 0 {
			return true
		}
	}
	return false
}

// calm reports whether an M does nothing by itself: it runs a program, which may never
// end, or is asleep, or waits in startm for another M to become free, which is so in the
// model alone.
func (m *Machine) calm(s *State, t *thread) bool {
	switch t.pc {
	case startM, injectStart, startP:
		return !m.hasFreeM(s)
	case run, runextra, syscall, sysmon, threw, limbo:
		return true
	case parked, lockpark, unborn:
		return t.nextp() == 0
	case deep:
		return s.sysmonwait()
	case poll:
		return !s.pollOver(t)
	}
	return false
}

// Waits reports whether an M waits for another one to become free, and none will by itself.
// That is so in the model alone: the runtime would make one.
func (m *Machine) Waits(s *State) bool {
	waits, others := false, true // whether the others wait, too
	for i := range m.ms {
		t := &s.ms[i]
		switch {
		case starting.has(t.pc) && !m.hasFreeM(s):
			if t.pc == injectStart {
				return true // it holds the lock, without which no M goes to sleep
			}
			waits = true
		case t.pc == resize && !s.allStopped(t), t.pc == safeWait && s.safefn != 0:
		case !m.calm(s, t) || t.has(sb):
			others = false
		}
	}
	return waits && others
}

// EnoughMs is that no M ever waits so.
func (m *Machine) EnoughMs() explore.Invariant[State] {
	return explore.Invariant[State]{Name: "EnoughMs", Holds: func(s *State) bool { return !m.Waits(s) }}
}

func (m *Machine) allCalm(s *State) bool {
	for i := range m.ms {
		if t := &s.ms[i]; !m.calm(s, t) || t.has(sb) {
			return false
		}
	}
	return true
}

// workQuiet: when all is quiet, no G waits beside an idle P.
func (m *Machine) workQuiet(s *State) bool {
	return s.pidle == 0 || !work(s) || !m.allCalm(s)
}

// Where an M has still to look at its own P, at the global queue, at the further source.
var (
	beforeNext  = placesOf(top, safeCheck, timersCheck, getNext)
	beforeExtra = placesOf(top, safeCheck, timersCheck, tickGet, getNext, getRing, globTest, globGet, netTest, netGet, spinLoad, idleLoad, extra)
	beforeGlob  = placesOf(dropLock).and(beforeExtra)
)

// willFind reports whether an M is on a search that has still to come where the work is.
func willFind(s *State, t *thread) bool {
	if t.myp == 0 {
		return false
	}
	return beforeNext.has(t.pc) && s.queued(t.myp) > 0 ||
		t.pc == getRing && s.ring[t.myp-1] > 0 ||
		s.runq > 0 && beforeGlob.has(t.pc) ||
		s.extra() == 1 && beforeExtra.has(t.pc)
}

// starting is where an M needs another one.
var starting = placesOf(startM, injectStart, startP)

// rescuing is where an M is somebody who will see to it.
var rescuing = placesOf(latePut, kick, startM, wakeAnyway,
	recheckGlob, recheckGlobIdle, recheckGlobGet, recheckGlobPut, recheck, recheckGet, reacquire,
	recheckExtra, recheckExtraGet, recheckExtraIdle, spinAdd, spinClear,
	injectGlob, injectLoad, injectSome, injectPut, timerPut, timerWake).
	and(inWakep).and(inHandoff).and(inInject).and(inPoll).and(inStop)

// rescuer reports whether an M is somebody who will see to it. One that waits in startm for
// another M to become free is nobody when all others are calm: none may ever become free.
func (m *Machine) rescuer(s *State, t *thread) bool {
	if starting.has(t.pc) && m.allCalm(s) {
		return false
	}
	return t.flags&(spin|tok|sb|nextpMask) != 0 || rescuing.has(t.pc) || willFind(s, t) ||
		t.pc == overflow && t.ret != nowhere || t.pc == top && t.lk() != unlocked
}

// workRescuer: while a G waits beside an idle P, somebody is about to see to it.
func (m *Machine) workRescuer(s *State) bool {
	if s.pidle == 0 || !work(s) {
		return true
	}
	for i := range m.ms {
		if m.rescuer(s, &s.ms[i]) {
			return true
		}
	}
	return false
}

// netDue reports whether a G in the poller may run or a timer is due.
func netDue(s *State) bool { return s.netready > 0 || s.due&s.procs != 0 }

// pollQuiet: when all is quiet and no P runs, nothing is due: somebody waits for it.
func (m *Machine) pollQuiet(s *State) bool {
	return s.pidle != s.procs || !netDue(s) || !m.allCalm(s)
}

// timerKnown: an M that drops its P knows of the P's timer.
func (m *Machine) timerKnown(s *State) bool {
	for i := range m.ms {
		if t := &s.ms[i]; t.pc == dropPut && s.when(t.myp) != 0 && !t.pollUntil().until(s.when(t.myp)) {
			return false
		}
	}
	return true
}

// pollPrompt: as pollQuiet, while one P is idle. Go does not promise it without sysmon.
func (m *Machine) pollPrompt(s *State) bool {
	return s.pidle == 0 || !netDue(s) || !m.allCalm(s)
}

// Liveness are the temporal properties of the module, by their names there: strong
// fairness for what each M does by itself, none for what the program does.
func (m *Machine) Liveness() []explore.Liveness[State] {
	user := func(step explore.Step) bool {
		return by(step.Action) != nobody && !(m.fix.sleepEnds && step.Action == uint8(sysTimeout-words))
	}
	fair := func(step explore.Step) int {
		if user(step) {
			return -1
		}
		return int(step.Actor)
	}
	list := []explore.Liveness[State]{
		{Name: "WorkLive", Requirement: "DN-WORK-LIVE", Bad: m.starved, User: user, Fair: fair},
		{Name: "QuietLive", Requirement: "DN-QUIET", Bad: func(s *State) bool { return !m.allCalm(s) }, User: user, Fair: fair},
	}
	if m.has.sysmon { // else nobody but the world makes it act
		list = append(list, explore.Liveness[State]{Name: "StopLive", Requirement: "DN-STOP-LIVE",
			Bad: func(s *State) bool { return s.stopping() != 0 }, User: user, Fair: fair})
	}
	return list
}

// starved reports whether a G waits beside a P that does nothing for it: whose M has no
// G.
func (m *Machine) starved(s *State) bool {
	var used pset
	for i := range m.ms {
		if t := &s.ms[i]; t.pc == runextra || inHands(t) > 0 {
			used = used.with(t.myp)
		}
	}
	return s.procs&^used != 0 && work(s)
}

// syscallQuiet: when all is quiet, no G is queued while a P lies with an M in a
// syscall. Go does not promise it.
func (m *Machine) syscallQuiet(s *State) bool {
	if !work(s) || !m.allCalm(s) {
		return true
	}
	for i := range m.ms {
		if inKernel.has(s.ms[i].pc) && s.ms[i].myp != 0 {
			return false
		}
	}
	return true
}
