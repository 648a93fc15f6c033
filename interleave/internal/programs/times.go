package programs

import "time"

// The clock: time goes by when no thread can go on, and then what is due is done in any order; or, in some programs, at any step.

// unit is what a program counts time in.
const unit = time.Millisecond

// An alarm is a timer that may be set, or starts a thread.
type alarm struct {
	set  bool
	when uint8
	due  bool // the clock has come to its moment, and has not done yet what is due

	locked bool // by who stops it or sets it again
}

// set has an alarm be due after a time, 0: at once.
func (s *state) set(i int, after uint8) { s.alarms[i] = alarm{set: true, when: s.now + after} }

// stepTimer is two steps: under its lock, and the unlock.
func (s *state) stepTimer(th *threadState, in Instr) result {
	a, c := &s.alarms[in.Obj], &s.channels[chans+in.Obj]
	switch {
	case th.stage > 0:
		a.locked = false
		return result{read: th.stage - 1}
	case a.locked:
		return result{waits: true}
	}
	was := a.set || c.values.n > 0
	c.values = list{}
	if *a = (alarm{}); in.Op == TimerReset {
		*a = alarm{set: true, when: th.until}
	}
	a.locked = true
	th.stage = flag(was) // and one more
	return result{more: true}
}

// fires does what is due of an alarm, and reports whether something was.
func (p *Program) fires(s *state, i int) bool {
	a := &s.alarms[i]
	if !a.set || a.locked || a.when > s.now {
		return false
	}
	*a = alarm{}
	if i >= timers {
		p.begin(s, i-timers)
		return true
	}
	switch c := &s.channels[chans+i]; {
	case c.gets.n > 0:
		p.goesOn(s, int(c.gets.item[0]), chans+i, false, s.now, false)
	case c.values.n == 0:
		c.values.push(s.now)
	}
	return true
}

// passes has time go by, to the first moment that something waits for, and reports whether there is one. The clock waits until it has done what was due.
func (p *Program) passes(s *state) bool {
	first := uint8(0)
	waits := func(when uint8) {
		if when > s.now && (first == 0 || when < first) {
			first = when
		}
	}
	alive := false
	for t, th := range s.threads {
		if th.status != runs {
			continue
		}
		alive = alive || !p.Threads[t].Daemon
		if p.Threads[t].Code[th.at].Op == Sleep {
			waits(th.until)
		}
	}
	for _, a := range s.alarms {
		if a.set && a.due {
			return false
		}
		if a.set {
			waits(a.when)
		}
	}
	if !alive || first == 0 {
		return false
	}
	s.now = first
	for i := range s.alarms {
		a := &s.alarms[i]
		a.due = a.set && a.when == s.now
	}
	return true
}
