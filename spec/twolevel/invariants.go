package twolevel

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/spec/explore"
)

// Invariants are those of the module, by their names there, and the probes of module
// MCTwoLevel, which must be violated, lest the machine prove nothing.
func (m *Machine) Invariants() []explore.Invariant[State] {
	return []explore.Invariant[State]{
		{Name: "TypeOK", Requirement: "DN-ONE-PLACE", Holds: m.typeOK},
		{Name: "POwned", Requirement: "DN-P-OWNED", Holds: m.pOwned},
		{Name: "OnePlace", Requirement: "DN-ONE-PLACE", Holds: func(s *State) bool {
			return s.queue+s.blocked+m.count(s, holds) == int8(m.config.Gs)
		}},
		{Name: "SpinCount", Requirement: "DN-SPIN-COUNT", Holds: func(s *State) bool {
			return s.nspin == m.count(s, func(t *thread) bool { return t.spin != 0 })+m.count(s, func(t *thread) bool { return t.tok != 0 })
		}},
		{Name: "TwoCount", Requirement: "DN-SPIN-COUNT", Holds: func(s *State) bool {
			return s.ntwo == m.count(s, func(t *thread) bool { return t.pc == twotake || t.pc == twosub })
		}},
		{Name: "SpinBound", Requirement: "DN-SPIN-BOUND", Holds: func(s *State) bool { return s.nspin <= m.procs }},
		{Name: "WorkRescuer", Requirement: "DN-WORK-RESCUER", Holds: func(s *State) bool {
			return s.queue == 0 || s.free == 0 || m.count(s, rescuer) > 0
		}},
		{Name: "WorkQuiet", Requirement: "DN-WORK-QUIET", Holds: func(s *State) bool { return s.queue == 0 || s.free == 0 || !m.allCalm(s) }},
		{Name: "SyscallQuiet", Requirement: "SY-HANDOFF", Holds: func(s *State) bool {
			return s.queue == 0 || !m.allCalm(s) || m.count(s, func(t *thread) bool { return t.pc == syscall && t.myp != 0 }) == 0
		}},
		{Name: "NeverAtLimit", Holds: func(s *State) bool {
			return s.nspin != m.procs || m.count(s, func(t *thread) bool { return t.pc == joinload && t.myp != 0 }) == 0
		}},
		{Name: "NeverBoth", Holds: func(s *State) bool {
			return m.count(s, func(t *thread) bool { return t.spin == 1 }) == 0 || m.count(s, func(t *thread) bool { return t.spin == 2 }) == 0
		}},
	}
}

// count is how many Ms are so.
func (m *Machine) count(s *State, so func(*thread) bool) (n int8) {
	for i := range m.ms {
		if so(&s.ms[i]) {
			n++
		}
	}
	return n
}

// typeOK: every word holds what it may.
func (m *Machine) typeOK(s *State) bool {
	gs, ms := int8(m.config.Gs), int8(m.ms)
	in := func(n, most int8) bool { return 0 <= n && n <= most }
	return in(s.queue, gs) && in(s.blocked, gs) && in(s.nspin, ms) && in(s.ntwo, ms) && s.free&^m.allPs() == 0 &&
		m.count(s, func(t *thread) bool { return in(t.num, m.procs) }) == ms
}

// pOwned: each P is in exactly one place.
func (m *Machine) pOwned(s *State) bool {
	n := count(s.free)
	once := s.free
	for i := range m.ms {
		if p := s.ms[i].myp; p != 0 {
			n++
			once |= 1 << p
		}
	}
	return n == m.procs && once == m.allPs()
}

func inEnsure(t *thread) bool { return ensurecas <= t.pc && t.pc <= ensurewake }

// holds reports whether an M has a G in its hands, or runs it.
func holds(t *thread) bool {
	switch t.pc {
	case run, syscall, busy, exittake, exitput:
		return true
	}
	return inEnsure(t)
}

// rescuer reports whether an M is somebody who will see to it that a G is run.
func rescuer(t *thread) bool {
	switch t.pc {
	case get, joinload, joincas, requeue, refree:
		return true
	}
	return t.spin != 0 || t.tok != 0 || inEnsure(t)
}

// allCalm reports whether no M does anything by itself.
func (m *Machine) allCalm(s *State) bool {
	return m.count(s, func(t *thread) bool { return t.pc == run || t.pc == syscall || t.pc == parked }) == int8(m.ms)
}

// starved reports whether a G waits beside a P that does nothing for it: whose M has no
// G.
func (m *Machine) starved(s *State) bool {
	used := uint8(0)
	for i := range m.ms {
		if t := &s.ms[i]; holds(t) {
			used |= 1 << t.myp
		}
	}
	return s.queue > 0 && m.allPs()&^used != 0
}

// Liveness are the temporal properties of the module, by their names there: strong
// fairness for what each M does by itself, none for what the program does.
func (m *Machine) Liveness() []explore.Liveness[State] {
	chosen := func(step explore.Step) bool { return user(step.Action) }
	fair := func(step explore.Step) int {
		if user(step.Action) {
			return -1
		}
		return int(step.Actor)
	}
	return []explore.Liveness[State]{
		{Name: "WorkLive", Requirement: "DN-WORK-LIVE", Bad: m.starved, User: chosen, Fair: fair},
		{Name: "QuietLive", Requirement: "DN-QUIET", Bad: func(s *State) bool { return !m.allCalm(s) }, User: chosen, Fair: fair},
	}
}

// Vars implements [explore.Machine].
func (m *Machine) Vars(s *State) []explore.Var {
	var free []string
	for p := 1; p <= int(m.procs); p++ {
		if s.free>>p&1 != 0 {
			free = append(free, strconv.Itoa(p))
		}
	}
	var ms []string
	for i := range m.ms {
		t := &s.ms[i]
		ms = append(ms, fmt.Sprintf("[num |-> %d, p |-> %d, pc |-> %q, ret |-> %q, spin |-> %d, tok |-> %s]",
			t.num, t.myp, t.pc, t.ret, t.spin, strings.ToUpper(strconv.FormatBool(t.tok != 0))))
	}
	return []explore.Var{
		{Name: "S", Value: fmt.Sprintf("[blocked |-> %d, free |-> {%s}, nspin |-> %d, ntwo |-> %d, queue |-> %d]",
			s.blocked, strings.Join(free, ", "), s.nspin, s.ntwo, s.queue)},
		{Name: "M", Value: "<<" + strings.Join(ms, ", ") + ">>"},
	}
}
