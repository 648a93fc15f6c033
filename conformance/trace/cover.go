package trace

import (
	"context"
	"fmt"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/runqueue"
)

// maxGraph bounds the states of a scope.
const maxGraph = 2_000_000

// A coverage counts the edges of the machine's graph that lie on some order of the steps of
// an execution that was replayed.
type coverage struct {
	t     *replayer
	state map[runqueue.State]int32
	edges []edges // by the number of the state

	// Of the execution at hand:
	steps   [][]ordered // of each thread
	orders  map[cut]runqueue.State
	clocks  map[runqueue.Word]clocks
	waiting []cut
}

// edges are the threads that have a step, and those whose step was covered.
type edges struct{ has, covered uint8 }

// A cut is how many steps of each thread were made.
type cut [runqueue.MaxPs]uint8

// ordered is a step with how many of each thread's steps must come before it.
type ordered struct {
	access runqueue.Access
	after  cut
}

// clocks says what comes before the next access to a word.
type clocks struct{ write, reads cut }

// newCover makes the graph of t's machine.
func newCover(t *replayer) (*coverage, error) {
	c := &coverage{t: t, state: make(map[runqueue.State]int32), orders: make(map[cut]runqueue.State),
		clocks: make(map[runqueue.Word]clocks), steps: make([][]ordered, t.threads)}
	err := explore.Walk(context.Background(), t.m, maxGraph, func(s *runqueue.State, steps []explore.Edge[runqueue.State]) error {
		c.state[*s] = int32(len(c.edges))
		var e edges
		for _, step := range steps {
			e.has |= 1 << step.Step.Actor
		}
		c.edges = append(c.edges, e)
		return nil
	})
	return c, err
}

// add marks the edges of the execution that t has replayed last. An error says that two
// steps which should be independent are not, or a state is not in the graph: then the replay
// itself is wrong.
func (c *coverage) add() error {
	c.order()
	clear(c.orders)
	start := c.t.m.Start()
	c.orders[cut{}] = start
	c.waiting = append(c.waiting[:0], cut{})
	for len(c.waiting) > 0 {
		at := c.waiting[len(c.waiting)-1]
		c.waiting = c.waiting[:len(c.waiting)-1]
		state := c.orders[at]
		number, known := c.state[state]
		if !known {
			return fmt.Errorf("trace: after %v steps a state that is not in the graph", at)
		}
		for p, steps := range c.steps {
			if int(at[p]) == len(steps) || !within(&steps[at[p]].after, &at) {
				continue
			}
			want := &steps[at[p]].access
			next := state
			a, ok := c.t.m.Take(&next, p)
			if !ok || !alike(&a, want) {
				return fmt.Errorf("trace: after %v steps expected that thread %d takes %s, saw %s: not independent of what it was moved past",
					at, p, c.t.phrase(want), c.t.phrase(&a))
			}
			c.edges[number].covered |= 1 << p
			to := at
			to[p]++
			if other, seen := c.orders[to]; !seen {
				c.orders[to] = next
				c.waiting = append(c.waiting, to)
			} else if other != next {
				return fmt.Errorf("trace: two orders of the same %v steps lead to different states", to)
			}
		}
	}
	return nil
}

// order finds for each step which others must come before it.
func (c *coverage) order() {
	for p := range c.steps {
		c.steps[p] = c.steps[p][:0]
	}
	clear(c.clocks)
	var last [runqueue.MaxPs]cut
	for _, s := range c.t.taken {
		after := last[s.thread]
		touch := func(w runqueue.Word, write bool) {
			k := c.clocks[w]
			after.join(&k.write)
			if write {
				after.join(&k.reads)
			}
		}
		a := &s.access
		writes := a.How == runqueue.Store || a.How == runqueue.Section || a.How == runqueue.Swap && !a.Failed
		touch(a.Word, writes)
		if a.Store {
			touch(a.Also, true)
		}
		c.steps[s.thread] = append(c.steps[s.thread], ordered{*a, after})
		now := after
		now[s.thread] = uint8(len(c.steps[s.thread]))
		last[s.thread] = now
		note := func(w runqueue.Word, write bool) {
			k := c.clocks[w]
			if write {
				k = clocks{write: now}
			} else {
				k.reads.join(&now)
			}
			c.clocks[w] = k
		}
		note(a.Word, writes)
		if a.Store {
			note(a.Also, true)
		}
	}
}

func (k *cut) join(o *cut) {
	for i := range k {
		k[i] = max(k[i], o[i])
	}
}

func within(k, o *cut) bool {
	for i := range k {
		if k[i] > o[i] {
			return false
		}
	}
	return true
}

// alike reports whether two steps do the same with the same values. What a store
// overwrites is nobody's business.
func alike(a, b *runqueue.Access) bool {
	return a.Action == b.Action && a.How == b.How && a.Word == b.Word && a.Failed == b.Failed && a.Wrote == b.Wrote &&
		(a.Read == b.Read || a.How == runqueue.Store) && a.Also == b.Also && a.Value == b.Value
}

// count returns how many edges were covered, how many there are, and up to ten that were
// not.
func (c *coverage) count() (covered, all int, missed []string) {
	ends := make([]runqueue.State, len(c.edges))
	for s, n := range c.state {
		ends[n] = s
	}
	for n, e := range c.edges {
		for p := range runqueue.MaxPs {
			if e.has>>p&1 == 0 {
				continue
			}
			all++
			if e.covered>>p&1 != 0 {
				covered++
			} else if len(missed) < 10 {
				s := ends[n]
				a, _ := c.t.m.Take(&s, p)
				missed = append(missed, fmt.Sprintf("thread %d: %s, from state %d", p, c.t.phrase(&a), n))
			}
		}
	}
	return covered, all, missed
}
