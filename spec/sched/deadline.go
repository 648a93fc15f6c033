package sched

// A deadline is when a timer may be due: 0 is none.
type deadline uint8

const (
	near deadline = 1 + iota
	far           // with the feature deadlines; else all are near
)

// deadlines are those that a timer may be for.
func (m *Machine) deadlines() []deadline {
	if m.has.deadlines {
		return []deadline{near, far}
	}
	return []deadline{near}
}

// until reports whether who waits until d waits until w, or less: 0 is no end.
func (d deadline) until(w deadline) bool { return d != 0 && d <= w }

// sooner is the earlier of two.
func (a *actor) sooner(d, w deadline) deadline {
	if w == 0 || d.until(w) || d != 0 && a.bug.deadlineFirst {
		return d
	}
	return w
}

// when is the deadline of P p's timer, 0 if there is none.
func (s *State) when(p uint8) deadline {
	switch {
	case !(s.later | s.due).has(p):
		return 0
	case s.far.has(p):
		return far
	}
	return near
}

// setTimer puts a timer into P p's heap,
func (s *State) setTimer(p uint8, w deadline) {
	s.later = s.later.with(p)
	if w == far {
		s.far = s.far.with(p)
	}
}

// and endTimer takes it out when it was due.
func (s *State) endTimer(p uint8) {
	s.due = s.due.without(p)
	s.far = s.far.without(p)
}

// wakes is wakeNetPoller being called.
func (t *thread) wakes(w deadline, ret place) {
	t.call(timerWake, ret)
	t.putNum(int8(w))
}
