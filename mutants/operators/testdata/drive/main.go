// Command drive calls the functions of a package, one after another, and prints
// what they say: for each number among its arguments once, with that mutant. Without
// numbers it leaves the choice to the environment.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/spindle-go/spindle/conformance/designs"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/impl/runq"
	"github.com/spindle-go/spindle/mutants/operators/chosen"
	"github.com/spindle-go/spindle/mutants/operators/testdata/fixture"
	"github.com/spindle-go/spindle/spec/record"
)

func main() {
	of := map[string]func(){"fixture": fixtures, "designs": queues, "runq": ring}[os.Args[1]]
	if len(os.Args) == 2 {
		run(of)
	}
	for _, arg := range os.Args[2:] {
		n, err := strconv.Atoi(arg)
		if err != nil {
			panic(err)
		}
		chosen.Set(n)
		run(of)
	}
}

// run prints a line.
func run(of func()) {
	defer fmt.Println()
	defer func() {
		if r := recover(); r != nil {
			fmt.Print("panic: ", r)
		}
	}()
	of()
}

func say(v ...any) { fmt.Print(fmt.Sprintln(v...)[:len(fmt.Sprintln(v...))-1], "; ") }

func two[A, B any](a A, b B) string { return fmt.Sprint(a, " ", b) }

func fixtures() {
	r := fixture.New(4)
	say("take", two(r.Take()), two(r.Take()))
	say("both", r.Both(0, false), r.Both(0, true), r.Both(0, true))
	r.Publish(5)
	say("twice", r.Twice())
	say("spin", r.Spin())
	say("multi", r.Multi())
	say("locked", r.Locked(3), r.Locked(4))
	r.Explicit(9)
	say("sum", r.Sum(1, 2, 3))
	say("logic", r.Logic(true, false), r.Logic(true, true), r.Logic(false, false))
	say("mask", fixture.Mask(13, 8))
	say("swap", two(fixture.Swap(3, 5)))
	say("leave", fixture.Leave([]int{1, 2, -1, 4}))
	say("order", r.Order(3))
	say("plus", fixture.Value{}.Plus(4, ""))
	before := fixture.Count()
	new(fixture.Value).None(1, "a", "b")
	say("none", fixture.Count()-before)
	var s fixture.Stack[string]
	s.Push("a")
	s.Push("b")
	say("stack", two(s.Pop()), two(s.Pop()), two(s.Pop()))
	say("longest", fixture.Longest([]int{1}, []int{1, 2}))
}

func queues() {
	d, l := designs.NewDeque(), new(designs.Locked)
	s, err := designs.NewTwoPhase(queue.Options{Ps: 2, Capacity: 4})
	if err != nil {
		panic(err)
	}
	for name, q := range []interface {
		Put(record.ID) bool
		Get() (record.ID, bool)
		Steal() (record.ID, bool)
		Empty() bool
	}{d, l, s.P(0).(*designs.TwoPhase)} {
		for id := range record.ID(6) {
			say(name, "put", q.Put(id))
		}
		say(two(q.Get()), two(q.Steal()), two(q.Steal()), q.Empty(), two(q.Get()), two(q.Get()), two(q.Get()), two(q.Get()), q.Empty())
	}
	p := s.P(0)
	p.Put(1)
	p.Put(2)
	p.Put(3)
	say(two(p.(queue.BatchStealer).StealInto(s.P(1), false)), two(s.P(1).Get()), two(p.Get()))
}

func ring() {
	global := new(runq.Global)
	p, q := runq.NewP(global, runq.Config{Capacity: 4}), runq.NewP(global, runq.Config{Capacity: 4})
	for id := range uint64(7) {
		p.Put(&runq.G{ID: id + 1}, id%3 == 2)
	}
	id := func(g *runq.G) uint64 {
		if g == nil {
			return 0
		}
		return g.ID
	}
	say("len", p.Len(), global.Len(), p.Empty())
	g, inherit := p.Get()
	say("get", id(g), inherit)
	say("steal", id(q.Steal(p, true)), q.Len())
	first, rest := global.LockGetBatch(3, 1)
	say("batch", id(first), rest.Len())
	q.PutBatch(&rest)
	drained := q.Drain()
	for g := range drained.All {
		say(id(g))
	}
}
