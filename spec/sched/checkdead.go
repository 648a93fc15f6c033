package sched

// checkdead counts the Ms that are not asleep, when one more goes to sleep.

// sleep is where the M goes that goes to sleep at this place.
func (a *actor) sleep(at place) place {
	if a.falseAlarm() {
		return threw
	}
	return at
}

// falseAlarm reports whether a deadlock is reported though a G may run, or waits in the
// poller, or sysmon has it from there.
func (a *actor) falseAlarm() bool {
	if !a.dead() {
		return false
	}
	if work(a.s) || a.s.netgs > 0 {
		return true
	}
	if a.sysmon == 0 {
		return false
	}
	t := &a.s.ms[a.sysmon-1]
	return t.delta() > 0 && t.num() > 0
}

// dead reports whether nobody is awake but the M, who is about to sleep, and sysmon; and
// no timer is set.
func (a *actor) dead() bool {
	for i := range a.ms {
		t := &a.s.ms[i]
		switch uint8(i) {
		case a.i:
		case a.sysmon - 1:
			// While it hands a P off that it took from a syscall, or starts Ms for Gs that it
			// injected, it counts itself (incidlelocked(-1)).
			if (inHandoff.has(t.pc) || t.pc == startM) && !a.bug.retakeUncounted || inInject.has(t.pc) && !a.bug.injectUncounted {
				return false
			}
		default:
			if !asleep(t) {
				return false
			}
		}
	}
	return (a.s.later|a.s.due)&a.s.procs == 0
}

// asleep reports whether checkdead counts the M as asleep: with the bug newm_uncounted
// also one that is not made yet and has its P.
func asleep(t *thread) bool {
	return (t.pc == parked || t.pc == lockpark) && t.nextp() == 0 || t.pc == unborn
}
