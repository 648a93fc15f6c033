package engine

import (
	"math"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/dpor"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// Of the portfolio: how many executions its parts have.
const (
	firstLook  = 300    // of the reduction: most scenarios of two threads end here
	byChance   = 200    // of each of the ways to choose by chance
	boundedMax = 50_000 // of each bound of preemptions
	onwardMax  = 500    // of each bound of preemptions, where threads were held back in loops that are not marked
)

func (e *exploration) chance(st Strategy, depth, n int) *strategy.Chance {
	var r *strategy.Chance
	switch st {
	case PCT:
		r = strategy.PCT(e.Seed, uint64(depth), depth)
	case Walk:
		r = strategy.Walk(e.Seed, uint64(depth))
	case Turns:
		r = strategy.Turns(e.Seed, uint64(depth))
	default:
		r = strategy.Uniform(e.Seed, uint64(depth))
	}
	r.Executions, r.Length = n, e.s.longest
	return r
}

func (e *exploration) portfolio() (*Failure, error) {
	all := &e.s.search
	if e.s.unseen { // it cannot be told what commutes
		return e.unreduced()
	}
	f, err := e.with(all, firstLook)
	if e.s.unseen && f == nil && err == nil && !e.over() {
		return e.unreduced()
	}
	if f != nil || err != nil || all.Done && e.s.cut+e.s.unfinished == 0 || e.over() {
		e.finish(all)
		return f, err
	}
	// Also where the reduction is at its end but has held threads back: by chance
	// a thread may look for longer.
	cut := e.s.cut
	if f, err := e.inTurn(e.chance(PCT, 2, byChance), e.chance(Random, 0, byChance), e.chance(PCT, 3, byChance), e.chance(Walk, 1, byChance), e.chance(PCT, 4, byChance)); f != nil || err != nil || e.over() {
		return f, err
	}
	for bound := 1; bound <= 2 && !all.Done; bound++ {
		d := &strategy.DFS{Bound: bound}
		f, err := e.with(d, boundedMax)
		if f != nil || err != nil || e.over() {
			return f, err
		}
		if !d.Done {
			break
		}
		e.c.Exhausted.Preemptions = bound
	}
	e.s.cut = cut
	if !all.Done {
		f, err = e.with(all, 0)
	}
	e.finish(all)
	return f, err
}

// inTurn runs ways to choose by chance, one after the other, until the exploration is over.
func (e *exploration) inTurn(all ...*strategy.Chance) (*Failure, error) {
	for _, r := range all {
		if f, err := e.with(r, 0); f != nil || err != nil || e.over() {
			return f, err
		}
	}
	return nil, nil
}

// unreduced searches where it is not known what commutes, since threads wait in code that is not explored, or time may go by at any step: by chance, and all
// orders with few preemptions, and with any number if these are not many.
func (e *exploration) unreduced() (*Failure, error) {
	e.s.first = 0 // that was another strategy's
	if f, err := e.inTurn(e.chance(PCT, 2, byChance), e.chance(Random, 0, byChance), e.chance(PCT, 3, byChance), e.chance(Walk, 1, byChance)); f != nil || err != nil || e.over() {
		return f, err
	}
	for _, bound := range []int{0, 1, 2, math.MaxInt} {
		d := &strategy.DFS{Bound: bound}
		f, err := e.with(d, boundedMax)
		if f != nil || err != nil || e.over() {
			return f, err
		}
		if !d.Done {
			break
		}
		e.c.Exhausted.Preemptions = bound
		if !d.Limited {
			e.c.Exhausted.Classes, e.c.Ended = true, certificate.ByExhaustion
			return nil, nil
		}
	}
	e.c.Ended = certificate.ByChance
	return nil, nil
}

// onward follows a search that has ended without a failure. If it held threads back since
// they did the same again, each of them goes on before the others now: in all orders of
// threads without a preemption, and with one.
func (e *exploration) onward(f *Failure, err error) (*Failure, error) {
	if f != nil || err != nil || !e.s.repeats || e.Looks != 0 {
		return f, err
	}
	ended, cut := e.c.Ended, e.s.cut
	e.Looks = longLooks
	for bound := 0; bound < 2 && f == nil && err == nil; bound++ {
		f, err = e.with(&strategy.DFS{Bound: bound}, onwardMax)
	}
	e.Looks, e.s.cut = 0, cut
	if f == nil && err == nil {
		e.c.Ended = ended
	}
	return f, err
}

func (e *exploration) finish(d *dpor.Search) {
	e.c.Classes += d.Count
	if d.Done && (e.Each != nil || e.s.failure == nil) {
		e.c.Exhausted.Classes, e.c.Ended = true, certificate.ByExhaustion
	}
}
