package harness_test

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/harness"
)

// TestTaken holds that the steps of an execution can be had with their values, and the
// schedule that replays it.
func TestTaken(t *testing.T) {
	executions, failed := 0, 0
	_, err := interleave.Explore(func(x *interleave.Exec) {
		var n atomic.Int64
		x.Go("adds", func() { n.Add(2) })
		x.Go("swaps", func() { n.CompareAndSwap(0, 7) })
		x.Finally(func() {
			executions++
			steps := harness.Taken(x)
			if len(steps) != 2 || steps[0].Object != steps[1].Object {
				t.Fatalf("expected two steps on one object; observed %+v", steps)
			}
			add, swap := steps[0], steps[1]
			if add.Thread == 1 {
				add, swap = swap, add
			}
			want, schedule := uint64(0), "0a.1b"
			if steps[0].Thread == 1 {
				want, schedule = 7, "0b.1a"
			}
			if add.Kind != "Add" || add.Read != want || add.Wrote != want+2 || !add.Changed {
				t.Errorf("expected an Add %d -> %d; observed %+v", want, want+2, add)
			}
			if swap.Kind != "CompareAndSwap" || swap.Changed != (want == 7) {
				t.Errorf("expected a swap that succeeds only if it is first; observed %+v", swap)
			}
			if !swap.Changed {
				failed++
			}
			if got := harness.Schedule(x); got != schedule {
				t.Errorf("expected schedule %s; observed %s", schedule, got)
			}
			if p := add.Site.Place(); p != (harness.Place{}) {
				t.Errorf("expected no place in code that is not instrumented; observed %+v", p)
			}
		})
	}, interleave.Exhaustive())
	if err != nil {
		t.Fatal(err)
	}
	if executions < 2 || failed == 0 || failed == executions {
		t.Errorf("expected both orders; observed %d executions, in %d of which the swap failed", executions, failed)
	}
}
