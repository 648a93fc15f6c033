package runqueue

import "github.com/spindle-go/spindle/spec/explore"

// OpEnds is the property of that name in tla/MCRunQueueLive.tla, for p's thread: no put,
// get or drain of its own goes on for ever, if every thread goes on. A steal is lock-free
// only: it ends, or somebody else's call does.
func (m *Machine) OpEnds(p int) explore.Liveness[State] {
	return explore.Liveness[State]{
		Name: "OpEnds", Requirement: "RQ-CRASH",
		Bad: func(s *State) bool {
			switch s.th[p].op {
			case Put, PutNext, PutBatch, Get, Drain:
				return true
			}
			return false
		},
		Fair: func(s explore.Step) int { return int(s.Actor) },
		Weak: func(int) bool { return true },
	}
}
