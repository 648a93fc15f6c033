package talks

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
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

// A function given to Finally that goes round for ever is ended at its next operation, and the process goes on exploring.
// want PASS: step bound in Finally; step bound in Finally
func TestOpenFinallySpins(t *testing.T) {
	text, err := harness.Remote(t, func() ([]byte, error) {
		var said []string
		for _, spin := range []func(w *atomic.Int32, m *sync.Mutex){
			func(w *atomic.Int32, _ *sync.Mutex) {
				for w.Load() == 0 {
				}
			},
			func(_ *atomic.Int32, m *sync.Mutex) {
				for m.TryLock() {
					m.Unlock()
				}
			},
		} {
			r, err := interleave.Explore(func(x *interleave.Exec) {
				var w atomic.Int32
				var m sync.Mutex
				x.Go("a", func() { w.Load() })
				x.Finally(func() { spin(&w, &m) })
			}, harness.Outside(200*time.Millisecond))
			if err != nil {
				return nil, err
			}
			said = append(said, fmt.Sprint(r.Failure.Kind, " in ", r.Failure.Thread))
		}
		return []byte(strings.Join(said, "; ")), nil
	})
	t.Log(string(text), err)
}
