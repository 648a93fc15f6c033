package record_test

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
)

// A call has a text form, with its interval by the clock of its history.
func ExampleParseOp() {
	op, err := record.ParseOp("T1 steal P0->P1 = 7 [5..8]; P0.ring->P1.ring 3 4")
	fmt.Println(err, op.Kind == record.Steal, op.Thread, op.Out, op.Moved[0].IDs)
	fmt.Println(op.Text())
	// Output:
	// <nil> true 1 [7] [3 4]
	// T1 steal P0->P1 = 7 [5..8]; P0.ring->P1.ring 3 4
}

// A graph says which thread submits which task, and what the tasks do.
func ExampleTaskGraph() {
	g := record.TaskGraph{Name: "join", Workers: 2, Outside: []string{"s0 s1"}, Tasks: []string{"j1", ""}}
	fmt.Println(strings.Join(g.Lines(), "\n"))
	p, err := g.Program()
	fmt.Println(err, len(p.Tasks))
	// Output:
	// graph: join
	// workers: 2
	// thread 0: s0 s1
	// task 0: j1
	// task 1:
	// <nil> 2
}
