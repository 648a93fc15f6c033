package dpor

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// A move is an operation of a thread: on one of three words, or of two mutexes.
type move struct {
	kind object.Kind
	at   int
	a, b uint64
}

func (m move) String() string { return fmt.Sprintf("%v of %d (%d, %d)", m.kind, m.at, m.a, m.b) }

// A program has what its threads do, one move after the other.
type program [][]move

// draw draws one. What a thread locks it unlocks, and it locks one mutex at a time: no thread waits for ever.
func draw(r *rand.Rand) program {
	p := make(program, 2+r.IntN(2))
	for t := range p {
		for n := 1 + r.IntN(3); len(p[t]) < n; {
			m := move{at: r.IntN(2 + r.IntN(2)), a: uint64(r.IntN(2)), b: uint64(1 + r.IntN(2))}
			m.kind = []object.Kind{object.Load, object.Store, object.Swap, object.CompareAndSwap, object.CompareAndSwap, object.Add, object.Lock}[r.IntN(7)]
			if m.kind == object.Lock {
				m.at = 3 + r.IntN(2)
				p[t] = append(p[t], m, move{kind: object.Unlock, at: m.at})
				continue
			}
			p[t] = append(p[t], m)
		}
	}
	return p
}

// A run is an execution of a program under way.
type run struct {
	p       program
	x       *order.Execution
	threads []*order.Thread
	next    []int
	objects *[5]int64
	words   [3]uint64
	locked  [2]bool
}

// begin begins one, and has each thread announce its first move.
func (p program) begin(x *order.Execution, objects *[5]int64) *run {
	g := &run{p: p, x: x, next: make([]int, len(p)), objects: objects}
	x.Begin()
	for i := range p {
		t := &order.Thread{ID: x.IDOf(-1, i), Parent: -1, Nth: i}
		x.Start(t)
		g.threads = append(g.threads, t)
	}
	return g
}

// announce has a thread say what it does next.
func (g *run) announce(t int) {
	if g.next[t] == len(g.p[t]) {
		return
	}
	m := g.p[t][g.next[t]]
	loc, _ := g.x.Locate(unsafe.Pointer(&g.objects[m.at]))
	g.threads[t].Next = order.Next{Kind: m.kind, Write: m.kind.MayWrite(), Waits: m.kind == object.Lock, Loc: loc}
}

// enabled are the threads that can go on.
func (g *run) enabled() (all order.ThreadSet) {
	for t, n := range g.next {
		if n < len(g.p[t]) && !(g.p[t][n].kind == object.Lock && g.locked[g.p[t][n].at-3]) {
			all |= g.threads[t].Bit()
		}
	}
	return all
}

// step carries out the next move of a thread.
func (g *run) step(t int) {
	m := g.p[t][g.next[t]]
	g.next[t]++
	op := object.Op{}
	changed := true
	switch {
	case m.kind == object.Lock:
		g.locked[m.at-3] = true
		op.Wrote = 1
	case m.kind == object.Unlock:
		g.locked[m.at-3] = false
		op.Read = 1
	default:
		w := &g.words[m.at]
		op.Read = *w
		switch m.kind {
		case object.Load:
			changed = false
		case object.Store, object.Swap:
			*w = m.a
		case object.Add:
			*w += m.a
		case object.CompareAndSwap:
			op.Expected, op.Compares = m.a, true
			if changed = *w == m.a; changed {
				*w = m.b
			}
		}
		op.Wrote = *w
	}
	g.x.Add(g.threads[t], &op, changed)
}

// explore runs a program as a chooser says, at most so many executions, and returns the classes of all executions.
func (p program) explore(c strategy.Chooser, most int) (classes map[uint64]int, over bool, err error) {
	x := order.New()
	objects := new([5]int64)
	classes = make(map[uint64]int)
	for range most {
		c.Begin(&x)
		x.Clocked = true
		g := p.begin(&x, objects)
		for t := range p {
			g.announce(t)
		}
		now := -1
		for enabled := g.enabled(); enabled != 0; enabled = g.enabled() {
			if now >= 0 && !enabled.Has(now) {
				now = -1
			}
			n, err := c.Choose(&x, strategy.Choice{Threads: enabled, Now: now})
			if err != nil {
				return nil, false, err
			}
			if n < 0 {
				return nil, false, fmt.Errorf("expected that each execution is followed to its end, saw that one is broken off at step %d", len(x.Events))
			}
			for t := range g.threads {
				if g.threads[t].ID == n {
					g.step(t)
					g.announce(t)
				}
			}
			now = n
		}
		classes[x.Class(g.threads)]++
		if !c.End(&x) {
			return classes, true, nil
		}
	}
	return classes, false, nil
}

// TestOneOfEachClass: of programs that are drawn, the search runs exactly one execution of each class, and all that an enumeration of all orders has. Classes are of order, which
// has a test by definition.
func TestOneOfEachClass(t *testing.T) {
	first, err := record.SeedFromEnv(1)
	if err != nil {
		t.Fatal(err)
	}
	programs, classes, orders := 0, 0, 0
	for n := range tier.N(t, 2_000, 100_000) {
		seed := uint64(first) + uint64(n)
		p := draw(rand.New(rand.NewPCG(seed, 17)))
		fail := func(format string, args ...any) {
			var text strings.Builder
			for i := range p {
				fmt.Fprintf(&text, "\nt%d: %v", i, p[i])
			}
			t.Fatalf("SPINDLE_SEED=%d: %s%s", seed, fmt.Sprintf(format, args...), text.String())
		}
		all := &strategy.DFS{Bound: 1 << 30}
		want, over, err := p.explore(all, 5_000)
		if err != nil {
			fail("%v", err)
		}
		if !over {
			continue
		}
		s := new(Search)
		saw, over, err := p.explore(s, 10_000)
		if err != nil {
			fail("%v", err)
		}
		if !over || !s.Done {
			fail("expected %d classes, saw more than 10,000 executions", len(want))
		}
		for c, n := range saw {
			if want[c] == 0 {
				fail("expected classes of the program, saw one that it does not have")
			}
			if n > 1 {
				fail("expected one execution of each class, saw %d of one", n)
			}
		}
		if len(saw) != len(want) || s.Count != len(want) || s.Blocked != 0 {
			fail("expected %d classes, saw %d in %d executions, %d of them blocked", len(want), len(saw), s.Count, s.Blocked)
		}
		programs++
		classes += len(want)
		for _, n := range want {
			orders += n
		}
	}
	t.Logf("%d programs, %d orders, %d classes, as many executions", programs, orders, classes)
	if classes < 5_000 {
		t.Errorf("expected 5000 classes at least, saw %d", classes)
	}
}
