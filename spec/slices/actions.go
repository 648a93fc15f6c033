package slices

import "github.com/spindle-go/spindle/spec/explore"

// An action is a step, by its place in the list of their names.
type action uint8

const (
	doReady action = iota
	doPark
	doGopreempt
	doWakeGlobal
	doWakeTimer
	doFindTick
	doFindNext
	doFindRing
	doFindGlobal
	doExecute
	doRetake
	doPreemptone

	actions
)

var actionNames = [actions]string{
	"Ready", "Park", "Gopreempt", "WakeGlobal", "WakeTimer", "FindTick", "FindNext", "FindRing", "FindGlobal", "Execute",
	"Retake", "Preemptone",
}

// An actor takes steps: the M, with the Gs that it runs; sysmon; and the world, which makes
// the third G runnable.
type actor uint8

const (
	theM actor = iota
	sysmon
	world

	actors
)

var actorNames = [actors]string{"M", "sysmon", "world"}

// by is the actor of an action.
func (do action) by() actor {
	switch do {
	case doWakeGlobal, doWakeTimer:
		return world
	case doRetake, doPreemptone:
		return sysmon
	}
	return theM
}

// A stepper takes the steps from s.
type stepper struct {
	*Machine
	s   *State
	out *explore.Successors[State]
}

// step adds a step that leads to a copy of the state, which it returns.
func (t *stepper) step(do action) *State { return t.out.Add(uint8(do), uint8(do.by()), t.s) }

// Next implements [explore.Machine].
func (m *Machine) Next(s *State, out *explore.Successors[State]) {
	t := stepper{m, s, out}
	switch {
	case s.run != none:
		t.running()
	case s.hand != none:
		t.execute()
	default:
		t.find()
	}
	t.wake()
	if m.config.HaveSysmon {
		t.watch()
	}
}

// running are Ready, Park and Gopreempt.
func (t *stepper) running() {
	g := t.s.run
	if other := g.other(); g.paired() && t.s.wait(other) {
		n := t.step(doReady)
		n.waits &^= 1 << other
		if !t.bug(readyForgets) {
			t.runqput(n, other)
		}
	} else {
		n := t.step(doPark)
		n.run = none
		if !t.bug(parkForgets) {
			n.waits |= 1 << g
		}
	}
	if t.s.asked {
		n := t.step(doGopreempt)
		n.run = none
		if !t.bug(preemptForgets) {
			t.goschedImpl(n, g)
		}
	}
}

// runqput puts a G in runnext, whose old G goes to the ring, or else in the ring.
func (t *stepper) runqput(n *State, g name) {
	next := t.config.HaveSysmon || t.bug(runnextWithoutSysmon)
	if !next || t.bug(askedReadiesBehind) && t.s.asked {
		n.ring.add(g)
		return
	}
	if n.next != none && !t.bug(kickForgets) {
		n.ring.add(n.next)
	}
	n.next = g
}

// goschedImpl puts a G that yields behind all others of the global queue.
func (t *stepper) goschedImpl(n *State, g name) {
	switch {
	case t.bug(askedToRing):
		n.ring.add(g)
	case t.bug(askedToHead):
		n.global.push(g)
	default:
		n.global.add(g)
	}
}

// wake are WakeGlobal and WakeTimer: the third G becomes runnable.
func (t *stepper) wake() {
	if !t.s.wait(third) {
		return
	}
	if t.config.Global {
		n := t.step(doWakeGlobal)
		n.waits &^= 1 << third
		if !t.bug(wakeForgets) {
			n.global.add(third)
		}
	}
	if t.config.Timer && t.s.run == none && t.s.hand == none {
		n := t.step(doWakeTimer)
		n.waits &^= 1 << third
		if !t.bug(timerForgets) {
			t.runqput(n, third)
		}
	}
}

// globalFirst reports whether the global queue comes first.
func (t *stepper) globalFirst() bool {
	return t.s.tick == 0 && t.s.global[0] != none && !t.bug(noTick)
}

// find are FindTick, FindNext, FindRing and FindGlobal: the order of findRunnable.
func (t *stepper) find() {
	switch s := t.s; {
	case t.globalFirst():
		n := t.step(doFindTick)
		g := n.global.take()
		if !t.bug(tickForgets) {
			n.hand = g
		}
	case s.next != none:
		n := t.step(doFindNext)
		n.hand, n.next, n.inherits = s.next, none, !t.bug(inheritCounts)
	case s.ring[0] != none:
		n := t.step(doFindRing)
		if t.bug(ringNewest) {
			n.hand = n.ring.last()
		} else {
			n.hand = n.ring.take()
		}
	case s.global[0] != none:
		n := t.step(doFindGlobal)
		n.hand = n.global.take()
		if !t.bug(batchForgets) {
			n.ring = n.global
		}
		n.global = list{}
	}
}

// execute is Execute: the G runs, in the time slice of the one before or in a new one.
func (t *stepper) execute() {
	n := t.step(doExecute)
	n.hand, n.inherits = none, false
	g, inherits := t.s.hand, t.s.inherits
	if inherits && t.s.asked && !t.bug(askedReadiesBehind) && !t.bug(sliceHandedOn) {
		t.goschedImpl(n, g)
		return
	}
	n.run = g
	n.seen = n.seen && inherits && !t.bug(inheritNeverEnds)
	n.asked = n.asked && inherits
	switch {
	case g == third:
		n.late = 0
	case t.s.queued(third) && !inherits:
		n.late = min(n.late+1, uint8(t.config.Most)+1)
	}
	if !inherits && !t.bug(slicesUncounted) {
		if n.tick++; int(n.tick) == t.config.Tick && !t.bug(tickRunsOn) {
			n.tick = 0
		}
	}
}

// watch are Retake and Preemptone: sysmon.
func (t *stepper) watch() {
	if !t.s.seen {
		t.step(doRetake).seen = !t.bug(neverSeen)
	} else if !t.s.asked {
		t.step(doPreemptone).asked = !t.bug(noPreempt)
	}
}
