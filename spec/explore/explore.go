package explore

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Explore visits the states of m, nearest first, until there are no more, one
// violates an invariant, or a bound or ctx ends it. A state is judged when its
// turn comes, before its steps are taken, so the violation is the nearest and
// Next never sees a state that is not as it must be. Errors are about a machine
// that is none: no initial state, or a Canonical that is no renaming.
func Explore[S comparable](ctx context.Context, m Machine[S], o Options[S]) (Result, error) {
	checkState[S]()
	e := newExploration(m, o)
	if err := e.start(); err != nil {
		return Result{}, err
	}
	if e.bad < 0 {
		e.search(ctx)
	}
	return e.result()
}

// An exploration is a search that is going on.
type exploration[S comparable] struct {
	Options[S]
	m         Machine[S]
	canonical func(*S) // or nil
	hash      hasher
	seen      *table
	from      parents
	waiting   queue[S]
	more      func() int // bytes of what is kept besides, or nil

	distinct  int
	generated int
	initials  int
	depth     int
	levelEnd  int // the number of the first state that is deeper than depth
	taken     [256]int
	found     [256]int
	bad       int // the number of the state that violates, or from which a step does; or -1
	what      int // which of laws it violates
	step      int // of its steps that which does, or -1
	stopped   string
	limited   bool // stopped by a limit
	complete  bool

	sink uint64 // keeps the reads of fetch

	begin    time.Time
	cpu      time.Duration
	reported time.Time
	before   int // distinct states then
}

func newExploration[S comparable](m Machine[S], o Options[S]) *exploration[S] {
	if o.Workers < 0 || o.MaxStates < 0 || o.MaxMemory < 0 {
		panic(fmt.Sprintf("explore: expected no Workers, MaxStates or MaxMemory below 0, saw %d, %d and %d", o.Workers, o.MaxStates, o.MaxMemory))
	}
	e := &exploration[S]{Options: o, m: m, hash: newHasher(o.Seed), seen: newTable(), bad: -1, begin: time.Now(), cpu: CPUTime()}
	if sym, ok := m.(Symmetric[S]); ok && !o.NoSymmetry {
		e.canonical = sym.Canonical
	}
	if o.MaxStates == 0 || o.MaxStates > maxStates {
		e.MaxStates = maxStates
	}
	e.reported = e.begin
	return e
}

// start finds the initial states.
func (e *exploration[S]) start() error {
	var out Successors[S]
	e.m.Init(&out)
	if len(out.list) == 0 {
		return fmt.Errorf("explore: the machine has no initial state")
	}
	for i := range out.list {
		s := &out.list[i].To
		if e.canonical != nil {
			e.canonical(s)
		}
		e.seen.reserve(1)
		if e.seen.add(fingerprint(e.hash, s)) {
			e.from.add(i, 0)
			e.waiting.push(s)
			e.distinct++
		}
		for j := range e.Refines {
			if e.bad < 0 && !e.Refines[j].Begins(s) {
				e.bad, e.what, e.step, e.depth = e.distinct-1, 1+len(e.Invariants)+j, -1, 1
			}
		}
	}
	e.initials = len(out.list)
	e.generated = e.initials
	e.from.inits = e.distinct
	return nil
}

// batchLen is how many states are expanded before their successors are looked
// up: enough for the misses of the cache to overlap, and few enough for the
// successors to stay in the nearest cache.
const batchLen = 64

// A batch is some states in a row with their successors.
type batch[S comparable] struct {
	states []S
	chunk  []S // to recycle, or nil
	out    Successors[S]
	ends   []int // of each state's successors in out
	prints []uint64
	what   int // which of laws the state after the last of ends violates, or -1
	step   int // or its step, or -1
	done   chan struct{}
}

// expand judges the states of b and takes all steps. It reads nothing that the
// search changes, so that batches can be expanded at the same time.
func (e *exploration[S]) expand(b *batch[S]) {
	b.out.Reset()
	b.ends = b.ends[:0]
	b.what, b.step = -1, -1
	for i := range b.states {
		s := &b.states[i]
		if b.what = e.violated(s); b.what >= 0 {
			break
		}
		n := len(b.out.list)
		e.m.Next(s, &b.out)
		if e.Deadlock && len(b.out.list) == n {
			b.what = 0
			break
		}
		if b.what, b.step = e.refused(s, b.out.list[n:]); b.what >= 0 {
			break
		}
		b.ends = append(b.ends, len(b.out.list))
	}
	if e.canonical != nil {
		for i := range b.out.list {
			e.canonical(&b.out.list[i].To)
		}
	}
	b.prints = b.prints[:0]
	for i := range b.out.list {
		b.prints = append(b.prints, fingerprint(e.hash, &b.out.list[i].To))
	}
}

// laws are the names of what a state or a step may violate, with their requirements.
func (e *exploration[S]) laws(i int) (name, requirement string) {
	if i--; i < 0 {
		return Deadlock, ""
	}
	if i < len(e.Invariants) {
		return e.Invariants[i].Name, e.Invariants[i].Requirement
	}
	r := &e.Refines[i-len(e.Invariants)]
	return r.Name, r.Requirement
}

// violated returns the first of laws, an invariant, that s violates, or -1.
func (e *exploration[S]) violated(s *S) int {
	for i := range e.Invariants {
		if !e.Invariants[i].Holds(s) {
			return 1 + i
		}
	}
	return -1
}

// refused returns the first of laws, a refinement, that a step from s violates, and
// which step, or -1.
func (e *exploration[S]) refused(s *S, steps []Edge[S]) (what, step int) {
	for i := range e.Refines {
		for j := range steps {
			if !e.Refines[i].Allows(s, &steps[j].To) {
				return 1 + len(e.Invariants) + i, j
			}
		}
	}
	return -1, -1
}

// insert enters what b's states lead to; its first state has number first.
// It reports whether the search goes on.
func (e *exploration[S]) insert(b *batch[S], first int) bool {
	if !e.fits(e.memory() + e.seen.growth(len(b.prints))) {
		return false
	}
	e.seen.reserve(len(b.prints))
	if len(e.seen.segments) > 8 {
		e.sink += e.seen.fetch(b.prints)
	}
	k := 0
	for i, end := range b.ends {
		from := first + i
		e.deeper(from)
		e.generated += end - k
		for start := k; k < end; k++ {
			edge := &b.out.list[k]
			e.taken[edge.Step.Action]++
			if e.seen.add(b.prints[k]) {
				if e.distinct == e.MaxStates {
					return e.full()
				}
				e.found[edge.Step.Action]++
				e.from.add(from, k-start)
				e.waiting.push(&edge.To)
				e.distinct++
			}
		}
	}
	e.waiting.recycle(b.chunk)
	if b.what >= 0 {
		e.bad, e.what, e.step = first+len(b.ends), b.what, b.step
		e.deeper(e.bad)
		if e.step >= 0 {
			e.depth++ // where it leads
		}
		return false
	}
	return true
}

// deeper notes that the state of number n is the next one.
func (e *exploration[S]) deeper(n int) {
	if n == e.levelEnd {
		e.depth++
		e.levelEnd = e.distinct
	}
}

// result sums up.
func (e *exploration[S]) result() (Result, error) {
	n := float64(e.distinct)
	r := Result{
		Distinct: e.distinct, Generated: e.generated, Edges: e.generated - e.initials, Depth: e.depth,
		Complete: e.complete, Stopped: e.stopped, Limited: e.limited, Memory: e.memory(),
		Collision: -math.Expm1(-n * (n - 1) / 2 / math.Exp2(64)),
	}
	for i, name := range e.m.Actions() {
		r.Actions = append(r.Actions, ActionCount{name, e.taken[i], e.found[i]})
	}
	var err error
	if e.bad >= 0 {
		r.Violation, err = e.violation()
	}
	r.Elapsed, r.CPU = time.Since(e.begin), CPUTime()-e.cpu
	return r, err
}
