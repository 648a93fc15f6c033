package checks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// tailFirst looks at the tail before the head: with a put and then a steal in between,
// it says that a ring is empty that never was. If the put and the steal overlap, the
// steal may have come first, and then it was.
type tailFirst struct{ controlledRing }

func (q *tailFirst) Get() (record.ID, bool) { return q.Steal() }
func (q *tailFirst) Empty() bool            { return q.tail.Load() == q.head.Load() }

// TestOrdersOfAClass: what breaks a requirement only where two calls come one after the
// other is found, although the one execution of its class that was run has them overlap.
func TestOrdersOfAClass(t *testing.T) {
	t.Attr("req", "RQ-EMPTY-TRUE")
	target, err := Instrumented("tail first", spec.FIFO, queue.Single(func() queue.Queue { return new(tailFirst) }))
	if err != nil {
		t.Fatal(err)
	}
	s := record.Scenario{
		Name: "e", Ps: 1, Before: "T0:p",
		Threads: []record.Thread{{P: 0, Script: "p"}, {P: record.None, Script: "s"}, {P: record.None, Script: "e"}},
	}
	for name, opts := range map[string][]interleave.Option{"reduced": {interleave.Exhaustive()}, "unreduced": {interleave.Preemptions(-1)}} {
		_, found := Explore(context.Background(), target, s, opts...)
		if len(found) == 0 || found[0].Requirement != "RQ-EMPTY-TRUE" {
			t.Errorf("%s: expected RQ-EMPTY-TRUE, saw %v", name, found)
		}
	}
}

// TestReducedAsUnreduced: of random small scenarios on rings, right and wrong, the search
// with the reduction finds a fault if and only if the one without it does.
func TestReducedAsUnreduced(t *testing.T) {
	tier.NotShort(t)
	rings := map[string]func() queue.Queue{
		"right":      func() queue.Queue { return new(swapping) },
		"tail first": func() queue.Queue { return new(tailFirst) },
	}
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	wrong := 0
	for i := range tier.N(t, 8, 60) {
		name := []string{"right", "tail first"}[i%2]
		target, err := Instrumented(name, spec.FIFO, queue.Single(rings[name]))
		if err != nil {
			t.Fatal(err)
		}
		script := func(letters string, n int) (s string) {
			for range 1 + r.IntN(n) {
				s += string(letters[r.IntN(len(letters))])
			}
			return s
		}
		s := record.Scenario{
			Name: "random", Ps: 1, Before: []string{"", "T0:p", "T0:pp"}[r.IntN(3)], After: "T0:e",
			Threads: []record.Thread{{P: 0, Script: script("pg", 2)}, {P: record.None, Script: script("ss", 1)}, {P: record.None, Script: script("es", 1)}},
		}
		if i == 1 { // one that is wrong, whatever is drawn
			s.Before, s.Threads[0].Script, s.Threads[1].Script, s.Threads[2].Script = "T0:p", "p", "s", "e"
		}
		_, reduced := Explore(context.Background(), target, s, interleave.Exhaustive())
		out, all := Explore(context.Background(), target, s, interleave.Preemptions(-1), interleave.Executions(20_000))
		if len(all) == 0 && out.Executions >= 20_000 {
			continue // it did not come to its end
		}
		if (len(reduced) > 0) != (len(all) > 0) {
			t.Errorf("seed %d, %s, %+v: with the reduction %v, without %v", seed, name, s, reduced, all)
		}
		if len(all) > 0 {
			wrong++
		}
	}
	if wrong == 0 {
		t.Errorf("seed %d: nothing was wrong", seed)
	}
}

// TestOrders holds the orders that are visited against all that there are: of each order
// that the calls may have, one is visited in which at least as many come one after the
// other.
func TestOrders(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		n := 2 + r.IntN(3)
		c := &precedence{h: new(record.History), left: maxOrders, before: make([]uint64, 2*n)}
		for i := range n {
			c.before[2*i+1] |= 1 << (2 * i)
		}
		for range r.IntN(4) { // more of what must come before, without a circle
			a, b := r.IntN(2*n), r.IntN(2*n)
			if a/2 < b/2 {
				c.before[b] |= 1 << a
			}
		}
		// Transitively, as the order of an execution is.
		for range 2 * n {
			for b := range c.before {
				for a := range c.before {
					if c.before[b]&(1<<a) != 0 {
						c.before[b] |= c.before[a]
					}
				}
			}
		}
		var visited []uint64
		c.extend(0, func() bool { visited = append(visited, after(c.order, n)); return true })
		every(c.before, 0, nil, func(order []int) {
			p := after(order, n)
			if !slices.ContainsFunc(visited, func(v uint64) bool { return p&^v == 0 }) {
				t.Fatalf("seed %d: before %b: no order visited has what %v has", seed, c.before, order)
			}
		})
	}
}

// after returns which calls come after which in an order: bit n*a+b, if a has ended
// before b begins.
func after(order []int, n int) (p uint64) {
	ended := make(map[int]bool)
	for _, x := range order {
		if x%2 == 1 {
			ended[x/2] = true
			continue
		}
		for a := range ended {
			p |= 1 << (n*a + x/2)
		}
	}
	return p
}

func every(before []uint64, done uint64, so []int, visit func([]int)) {
	if len(so) == len(before) {
		visit(so)
	}
	for x := range before {
		if done&(1<<x) == 0 && before[x]&^done == 0 {
			every(before, done|1<<x, append(so, x), visit)
		}
	}
}

// TestTooManyOrders: where not all orders were judged, the check does not say so.
func TestTooManyOrders(t *testing.T) {
	n := 8
	c := &precedence{h: new(record.History), left: 100, before: make([]uint64, 2*n)}
	for i := range n {
		c.before[2*i+1] |= 1 << (2 * i)
	}
	if visited := 0; c.extend(0, func() bool { visited++; return true }) || visited != 100 {
		t.Errorf("visited %d orders of %s, and called that all", visited, fmt.Sprint(n, " calls"))
	}
}
