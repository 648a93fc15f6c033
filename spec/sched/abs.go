package sched

import "github.com/spindle-go/spindle/spec/explore"

// Refinements are what the steps of the machine are to others, by their names in the
// modules.
func (m *Machine) Refinements() []explore.Refinement[State] {
	return []explore.Refinement[State]{{
		Name: "UserView", Requirement: "DN-USER",
		Begins: func(s *State) bool { return m.view(s) == user{waiting: int8(m.config.Gs - 1), running: 1} },
		Allows: func(from, to *State) bool { return m.view(from).allows(m.view(to), int8(m.config.Ps)) },
	}, {
		Name: "LockGuards", Requirement: "DN-LOCK",
		Begins: func(*State) bool { return true },
		Allows: func(from, to *State) bool {
			return from.lock == 0 || from.ms[from.lock-1] != to.ms[from.lock-1] || m.guarded(from) == m.guarded(to)
		},
	}}
}

// guards are what the lock is for: the global queue and the idle lists.
type guards struct {
	runq, npidle int8
	pidle        pset
	idle         mset
}

func (m *Machine) guarded(s *State) guards {
	g := guards{runq: s.runq, npidle: s.npidle, pidle: s.pidle}
	for i := range m.ms {
		if t := &s.ms[i]; t.pc == parked && t.nextp() == 0 {
			g.idle |= 1 << i
		}
	}
	return g
}

// A user is what the author of a program may assume, module SchedAbs: how many Gs wait
// for something, may run, run, or are away in syscalls.
type user struct{ waiting, runnable, running, away int8 }

// view is what a user sees of s. A G runs from the step that takes it off a queue, and
// may run from the step that puts it there, or that gives it to an M that will.
func (m *Machine) view(s *State) user {
	u := user{waiting: s.blocked + s.netgs + (s.later | s.due).size()}
	for i := range m.ms {
		t := &s.ms[i]
		away := inSyscall.has(t.pc) || inExit.has(t.pc) || t.ret == syscall && passing.has(t.pc)
		u.running += int8(b2i(given(t) || hasG(t) && !away))
		u.away += int8(b2i(away))
	}
	u.runnable = int8(m.config.Gs) - u.waiting - u.running - u.away
	return u
}

// allows reports whether an action of the module, or none, leads from u to v, where so
// many may run at a time.
func (u user) allows(v user, procs int8) bool {
	if v == u {
		return true
	}
	free := u.running < procs
	for k := int8(1); k <= u.waiting; k++ {
		ready := user{u.waiting - k, u.runnable + k, u.running, u.away}
		resume := user{u.waiting - k, u.runnable + k - 1, u.running + 1, u.away}
		if v == ready || free && v == resume {
			return true
		}
	}
	switch v {
	case user{u.waiting, u.runnable - 1, u.running + 1, u.away}: // Run
		return u.runnable > 0 && free
	case user{u.waiting + 1, u.runnable, u.running - 1, u.away}, // Wait
		user{u.waiting, u.runnable + 1, u.running - 1, u.away}, // Yield
		user{u.waiting, u.runnable, u.running - 1, u.away + 1}: // Leave
		return u.running > 0
	case user{u.waiting, u.runnable, u.running + 1, u.away - 1}: // Return
		return u.away > 0 && free
	case user{u.waiting, u.runnable + 1, u.running, u.away - 1}:
		return u.away > 0
	}
	return false
}
