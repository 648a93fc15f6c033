package sched

import "github.com/spindle-go/spindle/spec/explore"

// A Clock is a machine with the feature sysmon, and a clock: for how many of sysmon's
// ticks, up to 3, has a G waited while no M found one? Module MCSchedTicks.
type Clock struct{ *Machine }

// Clock returns the machine with a clock.
func (m *Machine) Clock() *Clock { return &Clock{m} }

var _ explore.Machine[State] = (*Clock)(nil)

// Symmetric is as [Machine.Symmetric].
func (c *Clock) Symmetric() explore.Machine[State] { return symmetricClock{c} }

type symmetricClock struct{ *Clock }

var _ explore.Symmetric[State] = symmetricClock{}

// Canonical implements [explore.Symmetric].
func (c symmetricClock) Canonical(s *State) { symmetric{c.Machine}.Canonical(s) }

// Invariants are what the machine has no name for.
func (c *Clock) Invariants() []explore.Invariant[State] {
	return append(c.Machine.Invariants(),
		explore.Invariant[State]{Name: "TwoTicks", Requirement: "SY-TICKS", Holds: func(s *State) bool { return s.late() <= 2 }})
}

// Vars implements [explore.Machine].
func (c *Clock) Vars(s *State) []explore.Var {
	return append(c.Machine.Vars(s), explore.Var{Name: "late", Value: digits(s.late())})
}

// Next implements [explore.Machine].
//
// 10 ms are longer than the steps of Ms that are about to do something, so that a tick
// counts when all is quiet, and nobody waits for another M: the code would make one. Time passes while sysmon is in its deep sleep, too.
func (c *Clock) Next(s *State, out *explore.Successors[State]) {
	first := len(out.Edges())
	c.Machine.Next(s, out)
	quiet := c.allCalm(s) && !c.needsM(s)
	for i := range out.Edges()[first:] {
		e := &out.Edges()[first+i]
		switch {
		case !c.waits(&e.To) || c.finds(s, &e.To):
			e.To.putLate(0)
		case quiet && e.Step.Action == uint8(sysTick-words):
			e.To.putLate(min(s.late()+1, 3))
		}
	}
	if quiet && c.sysmon != 0 && s.ms[c.sysmon-1].pc == deep && s.late() < 3 && c.waits(s) {
		out.Add(uint8(sysTick-words), c.sysmon-1, s).putLate(s.late() + 1)
	}
}

// needsM reports whether an M waits for another one.
func (c *Clock) needsM(s *State) bool {
	for i := range c.ms {
		if starting.has(s.ms[i].pc) {
			return !c.hasFreeM(s)
		}
	}
	return false
}

// waits reports whether a G waits in a queue, or in the poller and may run, or is on its
// way from there.
func (c *Clock) waits(s *State) bool {
	if s.netready > 0 || work(s) {
		return true
	}
	for i := range c.ms {
		if t := &s.ms[i]; t.num() > 0 && (t.pc == injectGlob || inPoll.has(t.pc)) {
			return true
		}
	}
	return false
}

// finds reports whether a step is one with which an M that had no G has found one, and not
// by coming back with it from a syscall.
func (c *Clock) finds(from, to *State) bool {
	for i := range c.ms {
		f := &from.ms[i]
		if !inExit.has(f.pc) && serves(&to.ms[i]) && !serves(f) {
			return true
		}
	}
	return false
}

// serves reports whether an M with a P has a G.
func serves(t *thread) bool { return t.myp != 0 && inHands(t) > 0 }
