package interleave_test

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

// unwound are right programs whose threads wait below a function that recovers, or that
// fails if it is left by a panic. The explorer ends waiting threads by a panic.
var unwound = map[string]func(*interleave.Exec){
	"recovers, and returns what it had": func(x *interleave.Exec) {
		var flag, data atomic.Int32
		wait := func() (v int32) {
			v = -1
			defer func() { recover() }()
			for flag.Load() == 0 {
				data.Load()
			}
			return 1
		}
		x.Go("sets", func() { data.Store(1); flag.Store(1) })
		x.Go("waits", func() {
			if v := wait(); v != 1 {
				x.Fatalf("%d", v)
			}
		})
	},
	"fails if it recovers something": func(x *interleave.Exec) {
		var mu sync.Mutex
		n := 0
		both(x, func() {
			defer func() {
				if r := recover(); r != nil {
					x.Fatalf("recovered %v", r)
				}
			}()
			for !mu.TryLock() {
			}
			n++
			mu.Unlock()
		})
	},
	"recovers, and goes on to an error and a panic": func(x *interleave.Exec) {
		var flag atomic.Int32
		x.Go("sets", func() { flag.Store(1) })
		x.Go("waits", func() {
			done := false
			func() {
				defer func() { recover() }()
				for flag.Load() == 0 {
				}
				done = true
			}()
			if !done {
				x.Errorf("not done")
				panic("not done")
			}
		})
	},
	"recovers a task, and takes the next": func(x *interleave.Exec) {
		var flag, left atomic.Int32
		left.Store(2)
		x.Go("sets", func() { flag.Store(1) })
		x.Go("works", func() {
			for left.Add(-1) >= 0 {
				func() {
					defer func() {
						if r := recover(); r != nil {
							x.Errorf("a task panicked: %v", r)
						}
					}()
					for flag.Load() == 0 {
					}
				}()
			}
		})
	},
	"panics if it does not come to its end": func(x *interleave.Exec) {
		var flag atomic.Int32
		x.Go("sets", func() { flag.Store(1) })
		x.Go("waits", func() {
			ok := false
			defer func() {
				if !ok {
					panic("impossible")
				}
			}()
			for flag.Load() == 0 {
			}
			ok = true
		})
	},
}

// TestUnwound: what a thread does while the explorer ends it is nothing that the program did.
func TestUnwound(t *testing.T) {
	names, programs := inOrder(unwound)
	for i, r := range explored(t, programs) {
		if r.Failure != nil || !r.Certificate.Complete() || r.Certificate.Blocked == 0 {
			t.Errorf("%s: %s", names[i], r.Text(""))
		}
	}
}

// inOrder returns programs with their names, in the same order in the instrumented binary as
// here.
func inOrder(all map[string]func(*interleave.Exec)) (names []string, programs []func(*interleave.Exec)) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		names, programs = append(names, name), append(programs, all[name])
	}
	return names, programs
}
