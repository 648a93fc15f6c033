package talks

import (
	"sync"
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

// What the documentation leaves open: by a rule, or all of it.

// want PASS: complete: 1 executions, no bound, 1 steps, at most 1 in one; a range over a map goes by its keys
func TestMapByKeys(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) { first(x, "1") })
}

// want FAIL: assertion in a: 3
func TestMapInAnyOrder(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.AnyChoice()
		first(x, "1 2")
	})
}

// want PASS: complete: 3 executions, no bound, 6 steps, at most 2 in one; a range over a map goes in any order
func TestMapInAllOrders(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.AnyChoice()
		first(x, "1 2 3")
	})
}

// first has a thread that is wrong where a map with the keys 1, 2 and 3 begins with another key.
func first(x *interleave.Exec, keys string) {
	var mu sync.Mutex
	m := map[string]bool{"1": true, "2": true, "3": true}
	x.Go("a", func() {
		for k := range m {
			mu.TryLock()
			for _, b := range []byte(keys) {
				if k == string(b) {
					return
				}
			}
			x.Errorf("%s", k)
			return
		}
	})
}

// want PASS: sync.Map.Range goes by when keys were stored first
func TestRangeByStores(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) { stored(x, 2) })
}

// want FAIL: assertion in a: 1
func TestRangeInAnyOrder(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.AnyChoice()
		stored(x, 2)
	})
}

// stored has a thread that is wrong where a sync.Map begins with another key.
func stored(x *interleave.Exec, key int) {
	var m sync.Map
	x.Go("a", func() {
		m.Store(2, true)
		m.Store(1, true)
		m.Range(func(k, _ any) bool {
			if k != key {
				x.Errorf("%v", k)
			}
			return false
		})
	})
}
