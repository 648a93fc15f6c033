// Package slices is the machine of tla/Slices.tla in Go: two Gs that ready each other, and
// a third that waits for its turn.
//
// Module and package have the same variables, actions and damages, and the same state
// graphs, which a test compares. The module has the comments on the rules.
//
//interleave:off
package slices

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec/constants"
	"github.com/spindle-go/spindle/spec/explore"
)

// The largest numbers that a configuration may have.
const (
	MaxTick = 61
	MaxMost = 100
)

// A Config is what the constants of the module are.
type Config struct {
	HaveSysmon    bool
	Global, Timer bool // the Ways: how the third G becomes runnable
	Tick, Most    int
	Bugs          []string
}

// FromConstants reads the constants of a configuration file of the module: each name
// with its value in TLA+ syntax.
func FromConstants(values map[string]string) (Config, error) {
	r := constants.New(values)
	r.What = "constant "
	c := Config{Tick: r.Number("Tick"), Most: r.Number("Most"), Bugs: r.Strings("Bugs")}
	switch sysmon := r.Take("HaveSysmon"); sysmon {
	case "TRUE", "FALSE":
		c.HaveSysmon = sysmon == "TRUE"
	default:
		r.Fail("HaveSysmon", "TRUE or FALSE", sysmon)
	}
	for _, way := range r.Strings("Ways") {
		switch way {
		case "global":
			c.Global = true
		case "timer":
			c.Timer = true
		default:
			r.Fail("Ways", `some of "global", "timer"`, way)
		}
	}
	if err := r.Err(); err != nil {
		return c, fmt.Errorf("slices: %w", err)
	}
	return c, nil
}

// A bug is a change that breaks the rules, by its place in the list of their names.
type bug uint8

const (
	runnextWithoutSysmon bug = iota
	kickForgets
	askedToRing
	askedToHead
	askedReadiesBehind
	sliceHandedOn
	readyForgets
	parkForgets
	preemptForgets
	wakeForgets
	timerForgets
	noTick
	tickForgets
	inheritCounts
	ringNewest
	batchForgets
	slicesUncounted
	tickRunsOn
	inheritNeverEnds
	neverSeen
	noPreempt
)

var bugNames = []string{
	"runnext_without_sysmon", "kick_forgets", "asked_to_ring", "asked_to_head", "asked_readies_behind", "slice_handed_on",
	"ready_forgets", "park_forgets", "preempt_forgets", "wake_forgets", "timer_forgets", "no_tick", "tick_forgets",
	"inherit_counts", "ring_newest", "batch_forgets", "slices_uncounted", "tick_runs_on", "inherit_never_ends",
	"never_seen", "no_preempt",
}

// Bugs are the names that Config.Bugs may have.
func Bugs() []string { return slices.Clone(bugNames) }

// A Machine is the transition system of one configuration.
type Machine struct {
	config Config
	bugs   uint32
}

var _ explore.Machine[State] = (*Machine)(nil)

// New returns the machine of c, or says what is wrong with c.
func New(c Config) (*Machine, error) {
	for _, n := range []struct {
		what             string
		got, least, most int
	}{{"Tick", c.Tick, 1, MaxTick}, {"Most", c.Most, 0, MaxMost}} {
		if n.got < n.least || n.got > n.most {
			return nil, fmt.Errorf("slices: expected a %s of %d to %d, saw %d", n.what, n.least, n.most, n.got)
		}
	}
	m := &Machine{config: c}
	for _, name := range c.Bugs {
		i := slices.Index(bugNames, name)
		if i < 0 {
			return nil, fmt.Errorf("slices: unknown bug: expected some of %s, saw %q", strings.Join(bugNames, ", "), name)
		}
		m.bugs |= 1 << i
	}
	return m, nil
}

func (m *Machine) bug(b bug) bool { return m.bugs>>b&1 != 0 }

// Actions implements [explore.Machine].
func (m *Machine) Actions() []string { return actionNames[:] }

// Actors implements [explore.Machine]. They are the groups of fairness, too.
func (m *Machine) Actors() []string { return actorNames[:] }

// Init implements [explore.Machine]: one G of the pair runs, in the first time slice; the
// others wait.
func (m *Machine) Init(out *explore.Successors[State]) {
	*out.Add(0, 0, &State{}) = State{run: a, waits: 1<<b | 1<<third, tick: uint8(1 % m.config.Tick)}
}

// A State is one state of the machine. Its bytes are its identity, so it has no padding.
type State struct {
	run      name // the G that runs
	hand     name // the G that findRunnable returned
	inherits bool // whether that one inherits the time slice
	next     name // runnext
	ring     list
	global   list
	waits    uint8 // a set of Gs
	tick     uint8 // schedtick, modulo Tick
	seen     bool  // whether sysmon has seen this time slice
	asked    bool  // whether it has asked for its end
	late     uint8 // how many time slices began while the third G was queued
}

// A name is a G, or none.
type name uint8

const (
	none name = iota
	a
	b
	third
)

// gs are all Gs.
var gs = [...]name{a, b, third}

var names = [...]string{"none", "a", "b", "c"}

// String returns the G's name in the module.
func (g name) String() string { return names[g] }

// other is the other G of the pair.
func (g name) other() name { return a + b - g }

func (g name) paired() bool { return g == a || g == b }

// room is how many Gs a list holds: all, since no bug makes one G two.
const room = 3

// A list is of Gs, the first one first; none stands behind the last.
type list [room]name

func (l *list) len() int {
	if n := slices.Index(l[:], none); n >= 0 {
		return n
	}
	return room
}

func (l *list) add(g name) { l[l.len()] = g }

func (l *list) push(g name) {
	copy(l[1:], l[:])
	l[0] = g
}

// take takes the first.
func (l *list) take() (g name) {
	g = l[0]
	copy(l[:], l[1:])
	l[room-1] = none
	return g
}

// last takes the last.
func (l *list) last() (g name) {
	n := l.len() - 1
	g, l[n] = l[n], none
	return g
}

func (l *list) times(g name) (n int) {
	for _, x := range l {
		if x == g {
			n++
		}
	}
	return n
}

// queued reports whether g may run and does not.
func (s *State) queued(g name) bool {
	return s.hand == g || s.next == g || s.ring.times(g) > 0 || s.global.times(g) > 0
}

func (s *State) wait(g name) bool { return s.waits>>g&1 != 0 }
