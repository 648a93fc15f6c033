// Package machinetest checks what the explorer takes a machine's word for: that
// Next depends on the state alone and leaves it as it is, that Vars shows
// different states differently, and that Canonical is a renaming, which the
// search and the invariants cannot tell from the state that it was given.
package machinetest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
)

// Check walks all states of m, at most max, and fails t where m is no machine.
// Names of actions in dead are those that this configuration never takes: every
// other one must be taken, and these must not. If t is not short of time, use it
// on one small configuration of each shape.
func Check[S comparable](t testing.TB, m explore.Machine[S], max int, dead []string, invariants ...explore.Invariant[S]) {
	t.Helper()
	c := &checker[S]{m: m, invariants: invariants, shown: make(map[string]S), taken: make([]bool, len(m.Actions()))}
	if err := explore.Walk(context.Background(), m, max, c.state); err != nil {
		t.Errorf("%v", err)
		return
	}
	for i, name := range m.Actions() {
		switch listed := slices.Contains(dead, name); {
		case listed && c.taken[i]:
			t.Errorf("action %s is taken; it is listed as dead", name)
		case !listed && !c.taken[i]:
			t.Errorf("action %s is never taken", name)
		}
	}
	for _, name := range dead {
		if !slices.Contains(m.Actions(), name) {
			t.Errorf("%s is listed as dead, and is no action", name)
		}
	}
	if c.orbits != nil {
		r, err := explore.Explore(context.Background(), m, explore.Options[S]{})
		if err != nil {
			t.Errorf("%v", err)
		} else if r.Distinct != len(c.orbits) {
			t.Errorf("a search with symmetry finds %d states, want the %d representatives of all", r.Distinct, len(c.orbits))
		}
	}
}

type checker[S comparable] struct {
	m          explore.Machine[S]
	invariants []explore.Invariant[S]
	shown      map[string]S
	names      []string // of the variables
	taken      []bool
	orbits     map[S]bool
	again      explore.Successors[S]
	mine, its  []explore.Edge[S]
}

// state checks one state and its steps.
func (c *checker[S]) state(s *S, steps []explore.Edge[S]) error {
	actions, actors := c.m.Actions(), c.m.Actors()
	c.again.Reset()
	c.m.Next(s, &c.again)
	if !slices.Equal(steps, c.again.Edges()) {
		return fmt.Errorf("the second time Next adds different steps: %s", explore.Text(c.m.Vars(s)))
	}
	for _, e := range steps {
		if int(e.Step.Action) >= len(actions) || int(e.Step.Actor) >= len(actors) {
			return fmt.Errorf("step %+v: there are %d actions and %d actors", e.Step, len(actions), len(actors))
		}
		c.taken[e.Step.Action] = true
	}
	var names []string
	vars := c.m.Vars(s)
	for _, v := range vars {
		names = append(names, v.Name)
	}
	if c.names == nil {
		c.names = names
	}
	if !slices.Equal(names, c.names) {
		return fmt.Errorf("the variables of Vars are %v here and %v there", names, c.names)
	}
	text := explore.Text(vars)
	if other, ok := c.shown[text]; ok {
		return fmt.Errorf("two states are shown alike: %+v and %+v as\n%s", other, *s, text)
	}
	c.shown[text] = *s
	if sym, ok := c.m.(explore.Symmetric[S]); ok {
		return c.renamed(sym, s, steps)
	}
	return nil
}

// renamed holds s against its representative: the same steps up to renaming,
// and the same invariants.
func (c *checker[S]) renamed(sym explore.Symmetric[S], s *S, steps []explore.Edge[S]) error {
	if c.orbits == nil {
		c.orbits = make(map[S]bool)
	}
	r := *s
	sym.Canonical(&r)
	twice := r
	sym.Canonical(&twice)
	if twice != r {
		return fmt.Errorf("asked again, Canonical changes what it returned: %+v, then %+v, then %+v", *s, r, twice)
	}
	c.orbits[r] = true
	for _, v := range c.invariants {
		if v.Holds(s) != v.Holds(&r) {
			return fmt.Errorf("%s is %v of a state and not of its representative:\n%s\n-- and --\n%s", v.Name, v.Holds(s), explore.Text(c.m.Vars(s)), explore.Text(c.m.Vars(&r)))
		}
	}
	c.again.Reset()
	c.m.Next(&r, &c.again)
	c.mine = representatives(c.mine[:0], sym, steps)
	c.its = representatives(c.its[:0], sym, c.again.Edges())
	if !alike(c.mine, c.its) {
		return fmt.Errorf("a state and its representative have different steps, names apart:\n%s\n-- and --\n%s", explore.Text(c.m.Vars(s)), explore.Text(c.m.Vars(&r)))
	}
	return nil
}

// representatives are the steps without names: no actor, and where they lead up
// to renaming.
func representatives[S comparable](to []explore.Edge[S], sym explore.Symmetric[S], steps []explore.Edge[S]) []explore.Edge[S] {
	for _, e := range steps {
		e.Step.Actor = 0
		sym.Canonical(&e.To)
		to = append(to, e)
	}
	return to
}

// alike reports whether a and b are the same but for the order.
func alike[S comparable](a, b []explore.Edge[S]) bool {
	left := make(map[explore.Edge[S]]int)
	for _, e := range a {
		left[e]++
	}
	for _, e := range b {
		if left[e]--; left[e] < 0 {
			return false
		}
	}
	return len(a) == len(b)
}
