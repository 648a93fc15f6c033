package engine_test

import (
	"math/rand/v2"
	"testing"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/internal/tier"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
)

// A boundedWorld is a state of a program, with the thread that went on last, and how many preemptions there were.
type boundedWorld struct {
	world
	last, used int
}

// bounded returns the outcomes that a program can have with at most so many preemptions: switches away from a thread that could go on. A loop that waits always can. It fails if
// there are too many states.
func (p *loopy) bounded(bound, limit int) (outcomes map[string]bool, ok bool) {
	begin := boundedWorld{last: -1}
	p.settle(&begin.world)
	all := map[boundedWorld]bool{begin: true}
	order := []boundedWorld{begin}
	outcomes = make(map[string]bool)
	for i := 0; i < len(order); i++ {
		w := order[i]
		if p.ended(&w.world) {
			outcomes[p.outcome(&w.world)] = true
			continue
		}
		goesOn := false
		if w.last >= 0 {
			next := w.world
			goesOn = p.step(&next, w.last)
		}
		for t := range p.threads {
			next := w
			if !p.step(&next.world, t) {
				continue
			}
			if next.last = t; goesOn && t != w.last {
				next.used++
			}
			if next.used > bound || all[next] {
				continue
			}
			if len(order) == limit {
				return nil, false
			}
			all[next] = true
			order = append(order, next)
		}
	}
	return outcomes, true
}

// TestBoundLosesNothing: a search with a bound of preemptions sees all outcomes that the program can have with as many, of random programs with loops that wait. In such a search a
// thread that has made a round in vain is held back, and to go on with another is no preemption then.
func TestBoundLosesNothing(t *testing.T) {
	PlainAccesses = true
	defer func() { PlainAccesses = false }()
	seed := seedOf(t)
	t.Logf("SPINDLE_SEED=%d", seed)
	count := make(map[string]int)
	for i, seed := range []uint64{1, seed} {
		r := rand.New(rand.NewPCG(seed, 19))
		for n := range tier.N(t, 60, 600) {
			p := newLoopy(r, false)
			for bound := range 3 {
				want, ok := p.bounded(bound, 20_000)
				if !ok {
					count["too large"]++
					continue
				}
				seen, c, failures := p.explore(t, Options{Strategy: DFS, Bound: bound, Steps: 60, Executions: 3000})
				if c.Ended != certificate.ByExhaustion || c.Cuts.Iterations > 0 || c.Cuts.Bound > 0 || failures[StepBound] > 0 {
					count["not explored to the end, or with cuts"]++
					continue
				}
				for o := range want {
					if !seen[o] {
						t.Fatalf("program %d of seed %d (%d): with %d preemptions: expected the outcome %s, saw %v: %v\n%v", n, i, seed, bound, o, seen, c, p)
					}
				}
				count["explored"]++
				count["outcomes"] += len(want)
			}
		}
	}
	t.Log(count)
	if count["explored"] < 100 {
		t.Errorf("expected 100 searches to be followed to their end, saw %d", count["explored"])
	}
}
