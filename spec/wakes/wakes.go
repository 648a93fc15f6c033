// Package wakes counts what the wake-ups of a protocol cost, with a program that spawns
// and enters syscalls a bounded number of times: modules MCSchedCount and
// MCTwoLevelCount in Go, as a machine around that of the protocol.
//
//interleave:off
package wakes

import (
	"fmt"
	"strconv"

	"github.com/spindle-go/spindle/spec/constants"
	"github.com/spindle-go/spindle/spec/explore"
)

// A Kind is what a step of the protocol is here.
type Kind uint8

const (
	Other   Kind = iota
	Spawn        // a G is made runnable
	Syscall      // a syscall is entered
	Wake         // an M is woken or made
	Never        // what the program does not do
)

// A Config is what the constants of the modules are, besides the protocol's.
type Config struct {
	Spawns, Syscalls     int // at most so many
	PerSpawn, PerSyscall int // how many wake-ups each may cost
}

// FromConstants takes the constants of the modules out of those of a configuration
// file, and leaves the protocol's.
func FromConstants(values map[string]string) (Config, error) {
	own := make(map[string]string)
	for _, name := range []string{"MaxSpawns", "MaxSyscalls", "PerSpawn", "PerSyscall"} {
		if v, ok := values[name]; ok {
			own[name] = v
			delete(values, name)
		}
	}
	r := constants.New(own)
	r.What = "constant "
	c := Config{r.Number("MaxSpawns"), r.Number("MaxSyscalls"), r.Number("PerSpawn"), r.Number("PerSyscall")}
	err := r.Err()
	if n := c.PerSpawn*c.Spawns + c.PerSyscall*c.Syscalls; err == nil && (min(c.Spawns, c.Syscalls, c.PerSpawn, c.PerSyscall) < 0 || max(c.Spawns, c.Syscalls, n) > most) {
		err = fmt.Errorf("expected 0 to %d spawns, syscalls and wake-ups, saw %d, %d and %d", most, c.Spawns, c.Syscalls, n)
	}
	if err != nil {
		return c, fmt.Errorf("wakes: %w", err)
	}
	return c, nil
}

const most = 250 // what fits State's numbers, and one wake-up too many

// A State is a state of the protocol, and what was counted on the way to it.
type State[S comparable] struct {
	Of                      S
	Spawns, Syscalls, Wakes uint8
}

// A Machine is the transition system of a protocol whose steps are counted.
type Machine[S comparable] struct {
	of     explore.Machine[S]
	config Config
	kinds  []Kind // of each action
}

// New returns the machine around of. Its kinds are by the names of the actions; those
// that are in no list are Other.
func New[S comparable](of explore.Machine[S], kinds map[string]Kind, c Config) *Machine[S] {
	m := &Machine[S]{of: of, config: c}
	for _, name := range of.Actions() {
		m.kinds = append(m.kinds, kinds[name])
	}
	return m
}

// Actions implements [explore.Machine].
func (m *Machine[S]) Actions() []string { return m.of.Actions() }

// Actors implements [explore.Machine].
func (m *Machine[S]) Actors() []string { return m.of.Actors() }

// Init implements [explore.Machine].
func (m *Machine[S]) Init(out *explore.Successors[State[S]]) {
	var inner explore.Successors[S]
	m.of.Init(&inner)
	for _, e := range inner.Edges() {
		out.Add(e.Step.Action, e.Step.Actor, &State[S]{Of: e.To})
	}
}

// Next implements [explore.Machine].
func (m *Machine[S]) Next(s *State[S], out *explore.Successors[State[S]]) {
	var inner explore.Successors[S]
	m.of.Next(&s.Of, &inner)
	for _, e := range inner.Edges() {
		kind := m.kinds[e.Step.Action]
		if kind == Never || kind == Spawn && int(s.Spawns) == m.config.Spawns || kind == Syscall && int(s.Syscalls) == m.config.Syscalls {
			continue
		}
		n := out.Add(e.Step.Action, e.Step.Actor, s)
		n.Of = e.To
		switch kind {
		case Spawn:
			n.Spawns++
		case Syscall:
			n.Syscalls++
		case Wake:
			n.Wakes++
		}
	}
}

// Vars implements [explore.Machine].
func (m *Machine[S]) Vars(s *State[S]) []explore.Var {
	number := func(n uint8) string { return strconv.Itoa(int(n)) }
	return append(m.of.Vars(&s.Of), explore.Var{Name: "spawns", Value: number(s.Spawns)},
		explore.Var{Name: "syscalls", Value: number(s.Syscalls)}, explore.Var{Name: "wakes", Value: number(s.Wakes)})
}

// Invariants are those of the modules: the wake-ups are bounded by the spawns and the
// syscalls.
func (m *Machine[S]) Invariants() []explore.Invariant[State[S]] {
	return []explore.Invariant[State[S]]{{Name: "WakesBound", Requirement: "DN-WAKES", Holds: func(s *State[S]) bool {
		return int(s.Wakes) <= m.config.PerSpawn*int(s.Spawns)+m.config.PerSyscall*int(s.Syscalls)
	}}}
}

// Symmetric is the machine with the symmetry of the protocol's, which must have one.
func (m *Machine[S]) Symmetric(of explore.Machine[S]) explore.Machine[State[S]] {
	return symmetric[S]{m, of.(explore.Symmetric[S])}
}

type symmetric[S comparable] struct {
	*Machine[S]
	of explore.Symmetric[S]
}

// Canonical implements [explore.Symmetric].
func (m symmetric[S]) Canonical(s *State[S]) { m.of.Canonical(&s.Of) }
