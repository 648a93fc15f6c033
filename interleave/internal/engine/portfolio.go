package engine

import "math/rand/v2"

// Of the portfolio: how many executions its parts have.
const (
	firstLook  = 300    // of the reduction: most scenarios of two threads end here
	byChance   = 200    // of each of the ways to choose by chance
	boundedMax = 50_000 // of each bound of preemptions
)

func (e *exploration) chance(st Strategy, depth, n int) *random {
	r := &random{Rand: rand.New(rand.NewPCG(e.Seed, uint64(depth))), executions: n}
	switch st {
	case PCT:
		r.walk, r.pct = pct, depth
	case Walk:
		r.walk = walk
	default:
		r.walk, r.word = uniform, r.Uint64()
	}
	return r
}

func (e *exploration) portfolio() (*Failure, error) {
	all := newDPOR(e.s)
	f, err := e.with(all, firstLook)
	if f != nil || err != nil || all.done && e.s.cut == 0 || e.over() {
		e.finish(all)
		return f, err
	}
	// Also where the reduction is at its end but has held threads back: by chance
	// a thread may look for longer.
	cut := e.s.cut
	for _, r := range []*random{e.chance(PCT, 2, byChance), e.chance(Random, 0, byChance), e.chance(PCT, 3, byChance), e.chance(Walk, 1, byChance), e.chance(PCT, 4, byChance)} {
		if f, err := e.with(r, 0); f != nil || err != nil || e.over() {
			return f, err
		}
	}
	for bound := 1; bound <= 2 && !all.done; bound++ {
		d := &dfs{bound: bound}
		f, err := e.with(d, boundedMax)
		if f != nil || err != nil || e.over() {
			return f, err
		}
		if !d.done {
			break
		}
		e.c.Bound = bound
	}
	e.s.cut = cut
	if !all.done {
		f, err = e.with(all, 0)
	}
	e.finish(all)
	return f, err
}

func (e *exploration) finish(d *dpor) {
	e.s.path = d.path
	e.c.Redundant = d.redundant
	e.c.Classes += d.count - d.redundant
	if d.done && (e.Each != nil || e.s.failure == nil) {
		e.c.Complete, e.c.Why = true, ""
		if e.s.blockedRuns > 0 && e.s.blockedRuns >= e.c.Classes {
			e.c.Complete, e.c.Why = false, "all executions end in loops that wait"
		}
	}
}
