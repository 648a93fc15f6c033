package harness_test

import (
	"slices"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/harness"
)

// TestPositions holds that the operations of a thread are told from those of the other, and
// counted while it runs.
func TestPositions(t *testing.T) {
	orders := make(map[int]bool)
	r, err := interleave.Explore(func(x *interleave.Exec) {
		var n atomic.Int64
		counted := []int{harness.Count(x)}
		x.Go("one", func() { n.Add(1) })
		x.Go("two", func() {
			counted = append(counted, harness.Count(x))
			n.Add(1)
			counted = append(counted, harness.Count(x))
			n.Add(1)
			counted = append(counted, harness.Count(x))
		})
		x.Finally(func() {
			one, two := harness.Positions(x, 0), harness.Positions(x, 1)
			all := slices.Sorted(slices.Values(slices.Concat(one, two)))
			if len(one) != 1 || !slices.IsSorted(two) || !slices.Equal(all, []int{0, 1, 2}) {
				x.Fatalf("expected one and two positions, of three; observed %v, %v", one, two)
			}
			orders[one[0]] = true
			if !slices.Equal(counted, []int{0, 0, 1, 2}) {
				x.Fatalf("expected 0 operations in the body, and 0 to 2 in the thread; observed %v", counted)
			}
		})
	}, interleave.Exhaustive())
	if err != nil || r.Failure != nil {
		t.Fatal(err, r.Text(""))
	}
	if len(orders) != 3 {
		t.Errorf("expected three orders; observed %v", orders)
	}
}
