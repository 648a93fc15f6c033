package explore

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/spindle-go/spindle/internal/cputime"
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
	if e.bad.what < 0 {
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
	bad       breach
	survey    bool     // goes on after a violation
	fallen    []breach // of a survey: the first of each law
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
	e := &exploration[S]{Options: o, m: m, hash: newHasher(o.Seed), seen: newTable(), bad: breach{what: -1}, begin: time.Now(), cpu: cputime.Used()}
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
			if e.Refines[j].Begins(s) {
				continue
			}
			if !e.survey {
				e.depth = 1
			}
			e.falls(breach{1 + len(e.Invariants) + j, e.distinct - 1, -1})
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
	bad    []breach // in the order of the states; but for a survey the first alone, with which it ends
	done   chan struct{}
}

// expand judges the states of b and takes all steps. It reads nothing that the
// search changes, so that batches can be expanded at the same time.
func (e *exploration[S]) expand(b *batch[S]) {
	b.out.Reset()
	b.ends = b.ends[:0]
	b.bad = b.bad[:0]
	for i := range b.states {
		s := &b.states[i]
		if e.violated(b, i); len(b.bad) > 0 && !e.survey {
			break
		}
		n := len(b.out.list)
		e.m.Next(s, &b.out)
		if e.Deadlock && len(b.out.list) == n {
			b.bad = append(b.bad, breach{0, i, -1})
		} else {
			e.refused(b, i, b.out.list[n:])
		}
		if len(b.bad) > 0 && !e.survey {
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
	k, bad := 0, b.bad
	for i, end := range b.ends {
		from := first + i
		e.deeper(from)
		for ; len(bad) > 0 && bad[0].state == i; bad = bad[1:] {
			e.falls(breach{bad[0].what, from, bad[0].step})
		}
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
	if len(bad) > 0 { // in the state after the last that was expanded
		e.deeper(first + len(b.ends))
		e.falls(breach{bad[0].what, first + len(b.ends), bad[0].step})
		if bad[0].step >= 0 {
			e.depth++ // where it leads
		}
		return false
	}
	return true
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
	if e.bad.what >= 0 {
		r.Violation, err = e.violation(e.bad)
	}
	for i := 0; i < len(e.fallen) && err == nil; i++ {
		var v *Violation
		v, err = e.violation(e.fallen[i])
		r.Fallen = append(r.Fallen, v)
	}
	r.Elapsed, r.CPU = time.Since(e.begin), cputime.Used()-e.cpu
	return r, err
}
