package sched

import (
	"sync"

	"github.com/spindle-go/spindle/spec/explore"
)

// A Machine is the transition system of one configuration.
type Machine struct {
	config   Config
	has      features
	fix      fixes
	bug      bugs
	ms       int
	allPs    pset
	ringCap  int8
	sysmon   uint8 // the M, or 0
	polls    bool  // whether there is anything for which an M waits in the poller
	after    route
	renaming renaming
	actors   []string
}

var _ explore.Machine[State] = (*Machine)(nil)

// New returns the machine of c, or says what is wrong with c.
func New(c Config) (*Machine, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	m := &Machine{config: c, ms: c.Ms, allPs: allPs(c.Ps), ringCap: int8(c.RingCap), sysmon: uint8(c.Sysmon)}
	for _, set := range []struct {
		kind  string
		of    []named
		names []string
	}{
		{"feature", m.has.names(), c.Features},
		{"fix or assumption", m.fix.names(), c.Fixes},
		{"bug", m.bug.names(), c.Bugs},
	} {
		if err := turnOn(set.kind, set.of, set.names); err != nil {
			return nil, err
		}
	}
	m.polls = m.has.net || m.has.timer
	m.after = newRoute(m)
	m.renaming = newRenaming(&c)
	for i := range c.Ms {
		m.actors = append(m.actors, "M"+string(rune('1'+i)))
	}
	m.actors = append(m.actors, "world")
	return m, nil
}

// Config returns what New was given.
func (m *Machine) Config() Config { return m.config }

// Actions implements [explore.Machine].
func (m *Machine) Actions() []string { return actionNames }

// Actors implements [explore.Machine].
func (m *Machine) Actors() []string { return m.actors }

// Init implements [explore.Machine]: one M runs the first G; the others are not made
// yet, and no P but its own is busy.
func (m *Machine) Init(out *explore.Successors[State]) {
	procs := m.config.firstProcs()
	s := State{procs: procs, npidle: procs.size() - 1, blocked: int8(m.config.Gs - 1)}
	for i := range m.ms {
		s.ms[i].pc = unborn
	}
	if m.sysmon != 0 {
		s.ms[m.sysmon-1].pc = sysmon
	}
	for _, i := range m.config.FirstM {
		for _, p := range m.config.FirstP {
			n := out.Add(0, 0, &s)
			n.pidle = procs.without(uint8(p))
			n.ms[i-1].pc, n.ms[i-1].myp = run, uint8(p)
		}
	}
}

// Next implements [explore.Machine].
func (m *Machine) Next(s *State, out *explore.Successors[State]) {
	a := actors.Get().(*actor)
	*a = actor{Machine: m, s: s, out: out}
	for i := range m.ms {
		a.i, a.t = uint8(i), &s.ms[i]
		a.act()
	}
	a.i = uint8(m.ms)
	for _, do := range taken[world] {
		do(a)
	}
	actors.Put(a)
}

// actors are there to be used again: those that the table's methods get would be allocated.
var actors = sync.Pool{New: func() any { return new(actor) }}

// An actor is an M that takes its steps from a state. Its methods are the actions of
// the module, by their names there, and look at what the module's look at, but for
// pc, which act has looked at. They add the steps to out.
type actor struct {
	*Machine
	s   *State
	out *explore.Successors[State]
	t   *thread // of s
	i   uint8   // which it is, from 0; after the last M it is the world
}

// step adds a step that leads to a copy of the state. It returns the copy, and what
// there is of the M.
func (a *actor) step(do place) (*State, *thread) {
	n := a.out.Add(uint8(do-words), a.i, a.s)
	return n, &n.ms[a.i]
}

// free reports whether nobody has the lock.
func (a *actor) free() bool { return a.s.lock == 0 }

// take takes the lock, in the next state.
func (a *actor) take(n *State) { n.lock = a.i + 1 }

// mine reports whether this M has the lock.
func (a *actor) mine() bool { return a.s.lock == a.i+1 }

// release releases the lock if this M has it.
func (a *actor) release(n *State) {
	if a.mine() {
		n.lock = 0
	}
}

// A route is where an M goes from some places on its search, which depends on what there
// is to look at.
type route struct {
	wake   place // begins the search: top, where there is nothing to look at before the queues
	top    place // after the look whether the world is to be stopped
	safe   place // after the look at forEachP's flag
	scan   place // after the last victim
	unspun place // after the further source of work, if it spins
	exec   place // with a G in hand
	drop   place // without a P, if it does not look at everything again
	queues place // after it looked at the Ps' queues again
	extra  place // and at the further source
}

func newRoute(m *Machine) route {
	pick := func(on bool, yes, no place) place {
		if on {
			return yes
		}
		return no
	}
	var r route
	r.safe = pick(m.has.timer, timersCheck, getNext)
	r.top = pick(m.has.safepoint, safeCheck, r.safe)
	r.wake = pick(m.has.stw || m.has.timer || m.has.safepoint, getNext, top)
	r.unspun = pick(m.bug.clearAfterScan, clearLate, pick(m.bug.recheckFirst, recheck, dropLock))
	r.scan = pick(m.has.idlework, extra, r.unspun)
	r.exec = pick(m.has.lock, execute, run)
	r.drop = pick(m.polls, pollTest, stop)
	r.extra = pick(m.has.timer, recheckTimers, r.drop)
	r.queues = pick(m.has.idlework && !m.bug.extraNoRecheck, recheckExtra, r.extra)
	return r
}
