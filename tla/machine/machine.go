// Package machine makes of a configuration of TLA+ the machine in Go that has the
// same states: what TLC's run of it explores and judges, without Java.
//
// A configuration file stays the only place that says which model it is. Its
// constants become those of a package such as spec/runqueue, its invariants
// and properties those of the same name, SYMMETRY the machine's own symmetry.
// What a search finds is told in the words of package tlc, so that it is compared
// with what is expected and shown as what TLC finds.
//
//interleave:off
package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/runqueue"
	"github.com/spindle-go/spindle/spec/sched"
	timeslices "github.com/spindle-go/spindle/spec/slices"
	"github.com/spindle-go/spindle/spec/twolevel"
	"github.com/spindle-go/spindle/spec/wakes"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// A NoneError is about what TLC alone can answer.
type NoneError struct{ Why string }

func (e *NoneError) Error() string { return "TLC alone answers it: " + e.Why }

// A Machine is the twin of a task.
type Machine struct {
	Task *tla.Task
	// Judged are the properties of the configuration, in its order.
	Judged []string

	// safe visits all states and judges the invariants; lively are the searches of
	// the properties about time, which may be several for one name.
	safe    func(context.Context, Options) (explore.Result, error)
	lively  []func(context.Context, Options) (explore.Result, error)
	timely  []string // their names
	steps   []string // of the properties about steps
	graph   func(ctx context.Context, max int) (*explore.Graph, error)
	actions []string
}

// Of returns the machine of t. The error wraps a *NoneError where there is none:
// for the module, or for the property that t says must fall.
func Of(t *tla.Task) (*Machine, error) {
	bad := func(err error) (*Machine, error) { return nil, fmt.Errorf("model %s: %w", t.Name, err) }
	cfg, err := tlc.ParseConfig(t.Config)
	if err != nil {
		return bad(err)
	}
	for section := range cfg.Other {
		if section != "SYMMETRY" {
			return bad(&NoneError{"expected no section but SYMMETRY, saw " + section})
		}
	}
	m := &Machine{Task: t}
	if len(cfg.Invariants)+len(cfg.Properties) == 0 {
		return bad(errors.New("expected INVARIANTS or PROPERTIES, saw none"))
	}
	err = cmp.Or(specification(t.Module, cfg), symmetry(t.Module, cfg))
	switch t.Module {
	case "RunQueue", "MCRunQueue", "MCRunQueueCalls", "MCRunQueueLive", "MCRunQueueRef", "MCRunQueueScripts":
		err = cmp.Or(err, m.runQueue(cfg))
	case "Sched", "MCSched", "MCSchedRef", "MCSchedCount", "MCSchedTicks":
		err = cmp.Or(err, m.sched(cfg))
	case "TwoLevel", "MCTwoLevel", "MCTwoLevelCount":
		err = cmp.Or(err, m.twoLevel(cfg))
	case "Slices", "MCSlices":
		err = cmp.Or(err, m.slices(cfg))
	default:
		err = &NoneError{"module " + t.Module + " has no machine in Go"}
	}
	if err != nil {
		return bad(err)
	}
	return m, nil
}

func properties(cfg *tlc.Config) []string { return slices.Concat(cfg.Invariants, cfg.Properties) }

func (m *Machine) runQueue(cfg *tlc.Config) error {
	c, err := runqueue.FromConstants(cfg.Constants, cfg.Specification == "CallSpec")
	if err != nil {
		return err
	}
	of, err := runqueue.New(c)
	if err != nil {
		return err
	}
	twin := twin[runqueue.State]{plain: of, invariants: of.Invariants(), refines: of.Refinements()}
	if cfg.Other["SYMMETRY"] != nil {
		for _, ops := range c.Free {
			if !slices.Equal(ops, c.Free[0]) {
				return fmt.Errorf("expected SYMMETRY where all threads make the same calls at will alone, saw Free %v", c.Free)
			}
		}
		if len(c.Free) == 0 || len(c.Loners) > 0 {
			return errors.New("expected SYMMETRY where all threads are alike alone, saw scripts or Loners")
		}
		twin.symmetric = of.Symmetric()
	}
	for p := range c.Ps { // \A p \in Ps, so one of them falls
		twin.liveness = append(twin.liveness, of.OpEnds(p))
	}
	return twin.into(m, cfg)
}

func (m *Machine) sched(cfg *tlc.Config) error {
	values, counts, err := counted(cfg)
	if err != nil {
		return err
	}
	c, err := sched.FromConstants(values)
	if err != nil {
		return err
	}
	of, err := sched.New(c)
	if err != nil {
		return err
	}
	if counts != nil {
		kinds := map[string]wakes.Kind{"Ready": wakes.Spawn, "EnterSyscall": wakes.Syscall, "StartM": wakes.Wake}
		for _, name := range of.Choices() {
			if _, known := kinds[name]; !known {
				kinds[name] = wakes.Never
			}
		}
		return countedTwin(of, of.Symmetric(), kinds, *counts, of.Probes()...).into(m, cfg)
	}
	if m.Task.Module == "MCSchedTicks" {
		clock := of.Clock()
		twin := twin[sched.State]{plain: clock, symmetric: clock.Symmetric(), invariants: slices.Concat(clock.Invariants(), of.Probes())}
		return twin.into(m, cfg)
	}
	twin := twin[sched.State]{
		plain: of, symmetric: of.Symmetric(),
		invariants: slices.Concat(of.Invariants(), of.Probes()), refines: of.Refinements(), liveness: of.Liveness(),
	}
	return twin.into(m, cfg)
}

func (m *Machine) twoLevel(cfg *tlc.Config) error {
	values, counts, err := counted(cfg)
	if err != nil {
		return err
	}
	c, err := twolevel.FromConstants(values)
	if err != nil {
		return err
	}
	of, err := twolevel.New(c)
	if err != nil {
		return err
	}
	if counts != nil {
		kinds := map[string]wakes.Kind{"Spawn": wakes.Spawn, "EnterSyscall": wakes.Syscall, "EnsureWake": wakes.Wake}
		return countedTwin(of, of.Symmetric(), kinds, *counts).into(m, cfg)
	}
	twin := twin[twolevel.State]{plain: of, symmetric: of.Symmetric(), invariants: of.Invariants(), liveness: of.Liveness()}
	return twin.into(m, cfg)
}

func (m *Machine) slices(cfg *tlc.Config) error {
	if seen := cfg.Other["SYMMETRY"]; seen != nil {
		return fmt.Errorf("SYMMETRY: expected none, since Gs have names, saw %v", seen)
	}
	c, err := timeslices.FromConstants(cfg.Constants)
	if err != nil {
		return err
	}
	of, err := timeslices.New(c)
	if err != nil {
		return err
	}
	twin := twin[timeslices.State]{plain: of, invariants: of.Invariants(), liveness: of.Liveness()}
	return twin.into(m, cfg)
}

// counted returns the constants of a protocol, and if its wake-ups are counted how they
// are.
func counted(cfg *tlc.Config) (map[string]string, *wakes.Config, error) {
	values := maps.Clone(cfg.Constants)
	if cfg.Specification != "CountSpec" {
		return values, nil, nil
	}
	c, err := wakes.FromConstants(values)
	return values, &c, err
}

// countedTwin is of with its wake-ups counted. The invariants are of's.
func countedTwin[S comparable](of, symmetric explore.Machine[S], kinds map[string]wakes.Kind, c wakes.Config, invariants ...explore.Invariant[S]) *twin[wakes.State[S]] {
	m := wakes.New(of, kinds, c)
	all := m.Invariants()
	for _, i := range invariants {
		all = append(all, explore.Invariant[wakes.State[S]]{Name: i.Name, Requirement: i.Requirement, Holds: func(s *wakes.State[S]) bool { return i.Holds(&s.Of) }})
	}
	return &twin[wakes.State[S]]{plain: m, symmetric: m.Symmetric(symmetric), invariants: all}
}

// Graph returns all states and steps in words, without regard to symmetry. More
// than max states are an error.
func (m *Machine) Graph(ctx context.Context, max int) (*explore.Graph, error) {
	return m.graph(ctx, max)
}

// A twin is a machine with all that it can judge.
type twin[S comparable] struct {
	plain      explore.Machine[S]
	symmetric  explore.Machine[S] // where the configuration has symmetry
	invariants []explore.Invariant[S]
	refines    []explore.Refinement[S]
	liveness   []explore.Liveness[S]
}

// into gives m the searches that cfg asks for.
func (t *twin[S]) into(m *Machine, cfg *tlc.Config) error {
	m.actions = t.plain.Actions()
	m.graph = func(ctx context.Context, max int) (*explore.Graph, error) { return explore.GraphOf(ctx, t.plain, max) }
	var judge explore.Options[S]
	for i, name := range properties(cfg) {
		m.Judged = append(m.Judged, name)
		at := slices.IndexFunc(t.invariants, func(i explore.Invariant[S]) bool { return i.Name == name })
		if state := at >= 0; state != (i < len(cfg.Invariants)) && slices.Contains(t.names(), name) {
			return fmt.Errorf("expected INVARIANTS about one state and PROPERTIES about steps or time, saw %s in the other section", name)
		}
		if at >= 0 {
			judge.Invariants = append(judge.Invariants, t.invariants[at])
			continue
		}
		if i := slices.IndexFunc(t.refines, func(r explore.Refinement[S]) bool { return r.Name == name }); i >= 0 {
			judge.Refines = append(judge.Refines, t.refines[i])
			m.steps = append(m.steps, name)
			continue
		}
		known := false
		for _, l := range t.liveness {
			if l.Name == name {
				known = true
				m.timely = append(m.timely, name)
				m.lively = append(m.lively, func(ctx context.Context, o Options) (explore.Result, error) {
					return explore.Lively(ctx, t.plain, l, limits(explore.Options[S]{}, o))
				})
			}
		}
		if !known {
			return fmt.Errorf("expected a property of the machine (%s), saw %s", strings.Join(t.names(), " "), name)
		}
	}
	machine := t.plain
	if cfg.Other["SYMMETRY"] != nil {
		if len(m.lively) > 0 {
			return errors.New("expected no SYMMETRY beside a property about time, saw both")
		}
		machine = t.symmetric
	}
	if len(m.lively) > 0 && cfg.Specification != fair {
		return fmt.Errorf("expected SPECIFICATION %s, which has the fairness, beside %s, saw %s", fair, m.timely[0], cfg.Specification)
	}
	m.safe = func(ctx context.Context, o Options) (explore.Result, error) {
		return explore.Explore(ctx, machine, limits(judge, o))
	}
	if len(judge.Invariants)+len(judge.Refines) == 0 && len(m.lively) > 0 { // the searches for a circle count the states
		m.safe = nil
	}
	return nil
}

// limits returns of with the parameters of a run.
func limits[S comparable](of explore.Options[S], o Options) explore.Options[S] {
	of.Workers, of.Spare, of.Seed, of.Progress = o.Workers, o.Spare, o.Seed, o.Progress
	of.MaxStates, of.MaxMemory = o.MaxStates, o.MaxMemory
	return of
}

func (t *twin[S]) names() []string {
	var list []string
	for _, i := range t.invariants {
		list = append(list, i.Name)
	}
	for _, r := range t.refines {
		list = append(list, r.Name)
	}
	for _, l := range t.liveness {
		if !slices.Contains(list, l.Name) {
			list = append(list, l.Name)
		}
	}
	return list
}
