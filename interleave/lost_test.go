package interleave_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/hook"
)

// TestChildrenInAnyOrder: a failing schedule in which threads are started in
// another order than in the first execution is shrunk, shown and replayed.
func TestChildrenInAnyOrder(t *testing.T) {
	body := func(x *interleave.Exec) {
		var turn, n atomic.Int32
		var order []int32
		start := func(delta int32) func() {
			return func() {
				won := turn.CompareAndSwap(delta-1, delta)
				order = append(order, delta)
				if won {
					hook.Go(func() { n.Add(delta); hook.Go(func() { n.Add(10) }) })
				} else {
					hook.Go(func() { n.Store(100) })
				}
			}
		}
		x.Go("one", start(1))
		x.Go("two", start(2))
		x.Go("three", start(3))
		x.Finally(func() {
			if order[0] == 2 && order[1] == 1 && n.Load() == 111 { // one's child and grandchild came last
				x.Fatalf("n is %d", n.Load())
			}
		})
	}
	for _, opt := range []interleave.Option{interleave.Exhaustive(), interleave.PCT(), interleave.Random(), interleave.Preemptions(-1)} {
		r, err := interleave.Explore(body, opt, interleave.Executions(100_000))
		if err != nil || r.Failure == nil || r.Unsteady != "" || r.Execution == nil {
			t.Fatalf("%v, %v", r.Text(""), err)
		}
		again, err := interleave.Explore(body, interleave.Schedule(r.Failure.Schedule))
		if err != nil || again.Failure == nil || again.Failure.Message != r.Failure.Message {
			t.Fatalf("schedule %s: %v, %v", r.Failure.Schedule, again.Text(""), err)
		}
	}
}

// TestBuffersInAnyOrder: the same of store buffers.
func TestBuffersInAnyOrder(t *testing.T) {
	body := func(x *interleave.Exec) {
		var flags [2]atomic.Int32
		var inside, turn atomic.Int32
		var done [2]bool
		var order []int
		for i := range 2 {
			x.Go(fmt.Sprint(i), func() {
				turn.Add(1)
				order = append(order, i)
				atomic.StoreRelease(&flags[i], 1)
				if flags[1-i].Load() == 0 {
					done[i] = inside.Add(1) > 0
				}
			})
		}
		x.Finally(func() {
			if done[0] && done[1] && order[0] == 1 {
				x.Fatalf("both are inside")
			}
		})
	}
	for _, opt := range []interleave.Option{interleave.Exhaustive(), interleave.Random(), interleave.Preemptions(-1)} {
		r, err := interleave.Explore(body, opt, interleave.TSO(), interleave.Executions(10_000))
		if err != nil || r.Failure == nil || r.Unsteady != "" {
			t.Fatalf("%v, %v", r.Text(""), err)
		}
		again, err := interleave.Explore(body, interleave.Schedule(r.Failure.Schedule), interleave.TSO())
		if err != nil || again.Failure == nil {
			t.Fatalf("schedule %s: %v, %v", r.Failure.Schedule, again.Text(""), err)
		}
	}
}

// TestFailureThatDoesNotComeAgain is shown as it was found, with the reason.
func TestFailureThatDoesNotComeAgain(t *testing.T) {
	failed := false
	r, err := interleave.Explore(func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("one", func() { n.Store(n.Load() + 1) })
		x.Go("two", func() { n.Store(n.Load() + 1) })
		x.Finally(func() {
			if n.Load() == 1 && !failed {
				failed = true
				x.Fatalf("one was lost")
			}
		})
	})
	if err != nil || r.Failure == nil {
		t.Fatalf("%v, %v", r.Text(""), err)
	}
	text := r.Text("again")
	for _, want := range []string{"one was lost", "#0.Store 1", "it could not be run again: the same schedule gave no failure"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nwant %q", text, want)
		}
	}
	if len(r.Execution.Steps) != 4 {
		t.Errorf("%d steps, want 4", len(r.Execution.Steps))
	}
}

// TestValueSwap: of an atomic.Value it is not known beforehand whether a
// CompareAndSwap will swap. The reduction sees what a search without it sees.
func TestValueSwap(t *testing.T) {
	seen := func(opt interleave.Option) map[string]bool {
		all := map[string]bool{}
		_, err := interleave.Explore(func(x *interleave.Exec) {
			var v, w atomic.Value
			v.Store(0)
			w.Store(0)
			saw := make([]any, 5)
			x.Go("a", func() { v.Store(2); saw[0] = w.Load() })
			x.Go("b", func() { saw[1] = v.CompareAndSwap(2, 3); w.Store(1) })
			x.Go("c", func() { saw[2] = v.Load(); saw[3] = w.CompareAndSwap(1, 2) })
			x.Go("d", func() { saw[4] = v.Load() })
			x.Finally(func() { all[fmt.Sprint(saw, v.Load(), w.Load())] = true })
		}, opt)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	few, all := seen(interleave.Exhaustive()), seen(interleave.Preemptions(-1))
	for outcome := range all {
		if !few[outcome] {
			t.Errorf("the reduction misses %s", outcome)
		}
	}
	if len(few) != len(all) || len(all) < 20 {
		t.Errorf("%d outcomes, without reduction %d", len(few), len(all))
	}
}
