// Package twolevel is the machine of tla/TwoLevel.tla in Go: the two levels of spinning
// with which Ms were first meant to look for work, Vyukov's "Scalable Go Scheduler
// Design" (2012).
//
// Module and package have the same variables, actions and damages, and the same state
// graphs, which a test compares. The module has the comments on the protocol.
//
//interleave:off
package twolevel

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec/constants"
	"github.com/spindle-go/spindle/spec/explore"
)

// The largest configuration that a State has room for.
const (
	MaxPs = 4
	MaxMs = 6
	MaxGs = 15
)

// A Config is what the constants of the module are. Ps and Ms are numbered from 1.
type Config struct {
	Ps, Ms, Gs int
	FirstM     []int // of which one runs at the start
	FirstP     []int // of which one is run at the start
	Bugs       []string
}

// FromConstants reads the constants of a configuration file of the module: each name
// with its value in TLA+ syntax.
func FromConstants(values map[string]string) (Config, error) {
	r := constants.New(values)
	r.What = "constant "
	ps, ms := r.Set("Ps"), r.Set("Ms")
	c := Config{
		Ps: len(ps), Ms: len(ms), Gs: r.Number("Gs"),
		FirstM: r.Places("FirstM", ms), FirstP: r.Places("FirstP", ps), Bugs: r.Strings("Bugs"),
	}
	r.Other("NoP", "Ps", ps)
	if err := r.Err(); err != nil {
		return c, fmt.Errorf("twolevel: %w", err)
	}
	return c, nil
}

// A bug is a change that breaks the protocol, by its place in the list of their names.
type bug uint8

const (
	spawnNoEnsure bug = iota
	syscallKeeps
	syscallShares
	syscallNoEnsure
	oneBlocksEarly
	leakSpin
	busyNoEnsure
	recheckFirst
	joinNoLimit
	oneBlocksAtLimit
	leakTwo
	decrementTwice
	noRecheckQueue
	noRecheckFree
	recheckBoth
	exitForgets
	exitNoSpin
	blockForgets
	exitDrops
	ensureIfSpins
	ensureIfBusy
	ensureUncounted
	ensureKeeps
	getKeeps
	twoBusy
	joinUncounted
	twoUncounted
	takeKeeps
	exitKeeps
	refreeNever
	parkCounts
)

var bugNames = []string{
	"spawn_no_ensure", "syscall_keeps", "syscall_shares", "syscall_no_ensure", "one_blocks_early", "leak_spin",
	"busy_no_ensure", "recheck_first", "join_no_limit", "one_blocks_at_limit", "leak_two", "decrement_twice",
	"no_recheck_queue", "no_recheck_free", "recheck_both", "exit_forgets", "exit_no_spin",
	"block_forgets", "exit_drops", "ensure_if_spins", "ensure_if_busy", "ensure_uncounted", "ensure_keeps",
	"get_keeps", "two_busy", "join_uncounted", "two_uncounted", "take_keeps", "exit_keeps", "refree_never", "park_counts",
}

// Bugs are the names that Config.Bugs may have.
func Bugs() []string { return slices.Clone(bugNames) }

// A Machine is the transition system of one configuration.
type Machine struct {
	config Config
	bugs   uint32
	ms     int
	procs  int8
	orders [][MaxPs + 1]uint8 // all ways to give Ps other names
	actors []string
}

var _ explore.Machine[State] = (*Machine)(nil)

// New returns the machine of c, or says what is wrong with c.
func New(c Config) (*Machine, error) {
	for _, n := range []struct {
		what      string
		got, most int
	}{{"Ps", c.Ps, MaxPs}, {"Ms", c.Ms, MaxMs}, {"Gs", c.Gs, MaxGs}} {
		if n.got < 1 || n.got > n.most {
			return nil, fmt.Errorf("twolevel: expected 1 to %d %s, saw %d", n.most, n.what, n.got)
		}
	}
	if len(c.FirstM) == 0 || len(c.FirstP) == 0 {
		return nil, fmt.Errorf("twolevel: no M or no P runs at the start")
	}
	m := &Machine{config: c, ms: c.Ms, procs: int8(c.Ps), orders: orders(c.Ps)}
	for _, name := range c.Bugs {
		i := slices.Index(bugNames, name)
		if i < 0 {
			return nil, fmt.Errorf("twolevel: unknown bug: expected some of %s, saw %q", strings.Join(bugNames, ", "), name)
		}
		m.bugs |= 1 << i
	}
	for i := range c.Ms {
		m.actors = append(m.actors, "M"+string(rune('1'+i)))
	}
	return m, nil
}

func (m *Machine) bug(b bug) bool { return m.bugs>>b&1 != 0 }

// Actions implements [explore.Machine].
func (m *Machine) Actions() []string { return actionNames[:] }

// Actors implements [explore.Machine].
func (m *Machine) Actors() []string { return m.actors }

// Init implements [explore.Machine]: one M runs the first G; the others sleep, and no P
// but its own is busy.
func (m *Machine) Init(out *explore.Successors[State]) {
	s := State{blocked: int8(m.config.Gs - 1)}
	for i := range m.ms {
		s.ms[i].pc = parked
	}
	for _, i := range m.config.FirstM {
		for _, p := range m.config.FirstP {
			n := out.Add(0, 0, &s)
			n.free = m.allPs() &^ (1 << p)
			n.ms[i-1].pc, n.ms[i-1].myp = run, uint8(p)
		}
	}
}

// allPs is the set of all Ps: bit p is P p's, and bit 0 is nobody's.
func (m *Machine) allPs() uint8 { return 1<<(m.procs+1) - 2 }

// Next implements [explore.Machine].
func (m *Machine) Next(s *State, out *explore.Successors[State]) {
	a := actor{Machine: m, s: s, out: out}
	for i := range m.ms {
		a.i, a.t = uint8(i), &s.ms[i]
		a.act()
	}
}

// A State is one state of the machine. Its bytes are its identity, so it has no padding.
type State struct {
	ms      [MaxMs]thread
	queue   int8
	nspin   int8
	ntwo    int8
	blocked int8
	free    uint8 // a set of Ps
}

// A thread is what there is of each M.
type thread struct {
	pc, ret place
	myp     uint8 // a P from 1, or 0
	spin    uint8
	num     int8
	tok     uint8 // 0 or 1
}

// goOn is where an M goes that has nothing (more) to ensure.
func (t *thread) goOn() { t.pc, t.ret = t.ret, nowhere }

// A place is where an M is (pc), or where it goes on (ret).
type place uint8

const (
	nowhere place = iota
	busy
	decr
	drop
	ensurecas
	ensurefree
	ensurespin
	ensurewake
	exitput
	exittake
	get
	joincas
	joinload
	park
	parked
	refree
	requeue
	run
	syscall
	testtwo
	twoadd
	twosub
	twotake
)

var placeNames = [...]string{
	"", "Busy", "Decrement", "Drop", "EnsureCAS", "EnsureFree", "EnsureSpin", "EnsureWake", "ExitPut", "ExitTake", "Get", "JoinCAS",
	"JoinLoad", "Park", "parked", "RecheckFree", "RecheckQueue", "run", "syscall", "TestTwo", "TwoAdd", "TwoSub", "TwoTake",
}

// String returns the place's name in the module.
func (p place) String() string { return placeNames[p] }

func count(set uint8) int8 { return int8(bits.OnesCount8(set)) }
