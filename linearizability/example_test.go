package linearizability_test

import (
	"fmt"

	"github.com/spindle-go/spindle/linearizability"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// The owner puts 1 and then 2. A get that begins later gives 2 while 1 is still there: no order of the calls explains that.
func ExampleCheck() {
	h := record.History{Clock: record.ClockCounter}
	h.Scenario.Ps = 1
	for _, text := range []string{"T0 put P0 1 [1..2]", "T0 put P0 2 [3..4]", "T0 get P0 = 2 [5..8]", "T1 steal P0 = 1 [9..10]"} {
		op, err := record.ParseOp(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		h.Ops = append(h.Ops, op)
	}
	h.Final.Ps = make([]record.PContents, 1)

	result := linearizability.Check(&h, linearizability.Options{Rules: sequential.RulesOf(spec.FIFO, 0)})
	fmt.Println(result.Verdict)
	fmt.Println(result.Explanation().Requirement, "at", result.Explanation().Object)
	// Output:
	// illegal
	// RQ-FIFO at P0.ring
}
