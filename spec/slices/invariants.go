package slices

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec/explore"
)

// Invariants are those of the module, by their names there, and the probes of module
// MCSlices, which must be violated, lest the machine prove nothing.
func (m *Machine) Invariants() []explore.Invariant[State] {
	return []explore.Invariant[State]{
		{Name: "TypeOK", Requirement: "DN-ONE-PLACE", Holds: func(s *State) bool { return int(s.tick) < m.config.Tick }},
		{Name: "OnePlace", Requirement: "DN-ONE-PLACE", Holds: onePlace},
		{Name: "ReadyBound", Requirement: "DN-READY-LIVE", Holds: func(s *State) bool { return int(s.late) <= m.config.Most }},
		{Name: "NeverTick", Holds: func(s *State) bool {
			finds := s.run == none && s.hand == none
			return !finds || s.tick != 0 || s.global[0] == none || s.next == none && s.ring[0] == none
		}},
		{Name: "NeverAsked", Holds: func(s *State) bool { return !s.run.paired() || !s.asked || !s.next.paired() }},
		{Name: "NeverOver", Holds: func(s *State) bool { return s.hand == none || !s.inherits || !s.asked }},
		{Name: "NeverBehind", Holds: func(s *State) bool { return !s.inherits || !s.hand.paired() || s.ring.times(third) == 0 }},
	}
}

// onePlace: no G is lost, and none is in two places.
func onePlace(s *State) bool {
	for _, g := range gs {
		n := s.ring.times(g) + s.global.times(g)
		for _, here := range []bool{s.run == g, s.hand == g, s.next == g, s.wait(g)} {
			if here {
				n++
			}
		}
		if n != 1 {
			return false
		}
	}
	return true
}

// Liveness is the temporal property of the module, for one G after the other: weak fairness
// for the M and for sysmon, none for the steps that make the third G runnable.
func (m *Machine) Liveness() (all []explore.Liveness[State]) {
	fair := func(step explore.Step) int {
		if actor(step.Actor) == world {
			return -1
		}
		return int(step.Actor)
	}
	for _, g := range gs { // \A g \in Gs, so one of them falls
		all = append(all, explore.Liveness[State]{
			Name: "ReadyLive", Requirement: "DN-READY-LIVE", Bad: func(s *State) bool { return s.queued(g) },
			Fair: fair, Weak: func(int) bool { return true },
		})
	}
	return all
}

// Vars implements [explore.Machine].
func (m *Machine) Vars(s *State) []explore.Var {
	var waits []string
	for _, g := range gs {
		if s.wait(g) {
			waits = append(waits, fmt.Sprintf("%q", g))
		}
	}
	return []explore.Var{{Name: "S", Value: fmt.Sprintf(
		"[asked |-> %s, global |-> %s, hand |-> %q, inherits |-> %s, late |-> %d, next |-> %q, ring |-> %s, run |-> %q, seen |-> %s, tick |-> %d, waits |-> {%s}]",
		truth(s.asked), s.global.text(), s.hand, truth(s.inherits), s.late, s.next, s.ring.text(), s.run, truth(s.seen), s.tick, strings.Join(waits, ", "))}}
}

// text is a list as a sequence.
func (l *list) text() string {
	var quoted []string
	for _, g := range l[:l.len()] {
		quoted = append(quoted, fmt.Sprintf("%q", g))
	}
	return "<<" + strings.Join(quoted, ", ") + ">>"
}

// truth is a value in TLA+ syntax.
func truth(is bool) string {
	if is {
		return "TRUE"
	}
	return "FALSE"
}
