package engine_test

import (
	"fmt"
	"slices"
	"testing"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

// takesAll takes all of what there is, one after the other.
func takesAll(all []int) (order []int) {
	for len(all) > 0 {
		var n int
		n, all = TakeAt(here, MapOrder, all)
		order = append(order, n)
	}
	return order
}

// TestTakeAt: without AnyChoice the first is taken, and no other is moved.
func TestTakeAt(t *testing.T) {
	all := []int{1, 2, 3}
	if one, rest := TakeAt(here, MapOrder, all); one != 1 || !slices.Equal(rest, []int{2, 3}) || &rest[0] != &all[1] {
		t.Errorf("expected 1, and [2 3] where they were, saw %d, %v", one, rest)
	}
	c, f := explore(t, Options{Strategy: DFS, Bound: -1}, func(x *Exec) {
		x.Go("takes", func() {
			if order := takesAll([]int{1, 2, 3}); !slices.Equal(order, []int{1, 2, 3}) {
				x.Errorf("%v", order)
			}
		})
	})
	if f != nil || c.Executions != 1 {
		t.Errorf("expected one execution, that takes 1, 2, 3; saw %v, %+v", c, f)
	}
}

// TestTakeAny: under AnyChoice all orders are tried. A choice is the position of what is taken among those that are left, in their order.
func TestTakeAny(t *testing.T) {
	var orders []string
	c, f := explore(t, Options{Strategy: DFS, Bound: -1}, func(x *Exec) {
		x.AnyChoice()
		x.Go("takes", func() { orders = append(orders, fmt.Sprint(takesAll([]int{1, 2, 3}))) })
	})
	want := []string{"[1 2 3]", "[1 3 2]", "[2 1 3]", "[2 3 1]", "[3 1 2]", "[3 2 1]"}
	if f != nil || !c.Complete() || !slices.Equal(orders, want) {
		t.Errorf("expected %v, saw %v; %v, %+v", want, orders, c, f)
	}
}
