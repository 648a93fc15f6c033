package explore

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"github.com/spindle-go/spindle/internal/cputime"
)

// A Liveness is the property that the machine does not stay bad for ever while
// its users do nothing:
//
//	[]<>~Bad \/ []<><<UserStep>>_vars
//
// A step that changes nothing is no step, as TLA+'s <<A>>_vars has it; and two
// states are a step of every action that leads from the one to the other.
type Liveness[S comparable] struct {
	Name        string
	Requirement string // an id of the catalogue
	Bad         func(*S) bool
	// User says which steps users choose to take; nil: none.
	User func(Step) bool
	// Fair says to which of the groups 0 to 63 a step belongs, or -1: a group that
	// can take a step again and again takes one again and again. nil: none.
	Fair func(Step) int
	// Weak says of which groups only this is assumed: one that can take a step
	// from some time on always, takes one again and again. nil: of none.
	Weak func(group int) bool
}

// Lively looks for an infinite behaviour of m that is fair and breaks l. Of the
// options, MaxStates, MaxMemory, Seed and Progress have a meaning here: it has one
// worker. Symmetry is not used: a cycle up to renaming need not be one.
func Lively[S comparable](ctx context.Context, m Machine[S], l Liveness[S], o Options[S]) (Result, error) {
	checkState[S]()
	begin, cpu := time.Now(), cputime.Used()
	o.Invariants, o.Deadlock, o.NoSymmetry = nil, false, true
	b := &builder[S]{exploration: newExploration(m, o), l: l, x: newIndex[S](o.Seed)}
	b.more = func() int { return b.x.bytes() + b.r.bytes() }
	if err := b.run(ctx); err != nil {
		return Result{}, err
	}
	c := b.judge(ctx)
	r, err := b.result()
	r.Collision = 0 // the index is exact
	if c != nil {
		r.Violation, err = b.lasso(c)
	}
	r.Elapsed, r.CPU = time.Since(begin), cputime.Used()-cpu
	return r, err
}

// A builder visits all states and keeps them, and of the bad ones the steps.
type builder[S comparable] struct {
	*exploration[S] // the counts; its table and queue are not used
	l               Liveness[S]
	x               *index[S]
	r               region
}

func (b *builder[S]) run(ctx context.Context) error {
	var out Successors[S]
	b.m.Init(&out)
	if len(out.list) == 0 {
		return fmt.Errorf("explore: the machine has no initial state")
	}
	for i := range out.list {
		b.enter(&out.list[i].To, i, 0)
	}
	b.initials, b.generated, b.from.inits = len(out.list), len(out.list), b.x.count
	for n := 0; ; n++ {
		if b.limited {
			return nil
		}
		if last := n == b.x.count; (last || n%batchLen == 0) && !b.goesOn(ctx, n) {
			return nil
		} else if last {
			b.complete = true
			return nil
		}
		b.deeper(n)
		out.Reset()
		s := b.x.at(n)
		b.m.Next(s, &out)
		b.generated += len(out.list)
		bad := b.l.Bad(s)
		if bad {
			b.r.open(n)
		}
		for i := range out.list {
			e := &out.list[i]
			b.taken[e.Step.Action]++
			to, isNew := b.enter(&e.To, n, i)
			if b.limited {
				return nil
			}
			if isNew {
				b.found[e.Step.Action]++
			}
			if bad && to != n {
				b.r.step(to, b.group(e.Step), b.l.User != nil && b.l.User(e.Step))
			}
		}
		if bad {
			b.r.close()
		}
	}
}

func (b *builder[S]) enter(s *S, parent, ordinal int) (n int, isNew bool) {
	if more := b.x.growth(); more > 0 && !b.fits(b.memory()+more) {
		return 0, false
	}
	if n, isNew = b.x.add(s); isNew {
		if b.distinct == b.MaxStates {
			b.full()
			return 0, false
		}
		b.from.add(parent, ordinal)
		b.distinct++
	}
	return n, isNew
}

// judge returns a fair cycle of bad states, or nil. If it could not look everywhere,
// the search is not complete.
func (b *builder[S]) judge(ctx context.Context) *cycle {
	if b.complete = b.complete && b.fits(b.memory()+b.r.judging()); !b.complete {
		return nil
	}
	b.complete = false
	b.r.link()
	c, err := b.r.counterexample(ctx)
	if err != nil {
		b.stopped = "interrupted"
		return nil
	}
	b.complete = c == nil
	return c
}

// group returns the step's group as a set.
func (b *builder[S]) group(step Step) uint64 {
	if b.l.Fair == nil {
		return 0
	}
	g := b.l.Fair(step)
	if g < 0 {
		return 0
	}
	if g >= 64 {
		panic(fmt.Sprintf("explore: fairness group of step %v: expected 0 to 63, or less than 0 for none, saw %d", step, g))
	}
	if b.l.Weak != nil && b.l.Weak(g) {
		b.r.weak |= 1 << g
	}
	return 1 << g
}

// lasso shows a counterexample: the shortest way to its first state, and around.
func (b *builder[S]) lasso(c *cycle) (*Violation, error) {
	v := &Violation{Invariant: b.l.Name, Requirement: b.l.Requirement}
	init, ordinals := b.from.path(c.start)
	var err error
	if v.Trace, err = b.behaviour(init, ordinals); err != nil {
		return nil, err
	}
	from := c.start
	for _, to := range c.steps {
		step, ok := b.stepTo(from, to.state, to.groups)
		if !ok {
			return nil, fmt.Errorf("explore: a step that was there is not there: Next must depend on the state alone")
		}
		s := b.x.at(to.state)
		v.Cycle = append(v.Cycle, TraceState{step, b.m.Vars(s), *s})
		from = to.state
	}
	return v, nil
}

// stepTo finds a step between two states, of one of the groups if there are any.
func (b *builder[S]) stepTo(from, to int, groups uint64) (step Step, ok bool) {
	var out Successors[S]
	b.m.Next(b.x.at(from), &out)
	best := -1
	for i := range out.list {
		if out.list[i].To == *b.x.at(to) {
			if n := bits.OnesCount64(b.group(out.list[i].Step) & groups); n > best {
				best, step = n, out.list[i].Step
			}
		}
	}
	return step, best >= 0
}
