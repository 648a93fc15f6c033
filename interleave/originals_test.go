package interleave_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
)

// fatal are programs that the runtime ends, and that recover from all panics.
var fatal = map[string]func(*interleave.Exec){
	"unlock of unlocked mutex": func(x *interleave.Exec) {
		var mu sync.Mutex
		var held atomic.Bool
		mu.Lock()
		held.Store(true)
		both(x, func() {
			defer func() { recover() }()
			if held.Load() {
				held.Store(false)
				mu.Unlock()
			}
		})
	},
	"Unlock of unlocked RWMutex": func(x *interleave.Exec) {
		var mu sync.RWMutex
		n := 0
		both(x, func() {
			defer func() { recover() }()
			mu.Lock()
			n++
			mu.Unlock()
			mu.Unlock()
		})
	},
	"RUnlock of unlocked RWMutex": func(x *interleave.Exec) {
		var mu sync.RWMutex
		x.Go("one", func() {
			defer func() { recover() }()
			mu.RLock()
			x.Helper()
			mu.RUnlock()
			mu.RUnlock()
		})
	},
	"unlock of unlocked mutex, in Finally": func(x *interleave.Exec) {
		var mu sync.Mutex
		x.Go("one", func() { mu.Lock(); x.Helper(); mu.Unlock() })
		x.Finally(func() {
			defer func() { recover() }()
			mu.Unlock()
		})
	},
}

// TestFatal: what Go ends the process for is a failure, whatever the program recovers.
func TestFatal(t *testing.T) {
	names, programs := inOrder(fatal)
	for i, r := range explored(t, programs) {
		what, _, _ := strings.Cut(names[i], ",")
		if r.Failure == nil || r.Failure.Message != "fatal error: sync: "+what {
			t.Errorf("%s: expected that it fails, saw %s", names[i], r.Text(""))
		}
	}
}

// TestRangeGoesOn: the turns of a Range of a sync.Map are no rounds in vain.
func TestRangeGoesOn(t *testing.T) {
	program := func(x *interleave.Exec) {
		var m sync.Map
		var w atomic.Int32
		for i := range 3 {
			m.Store(i, i)
		}
		x.Go("ranges", func() {
			n := 0
			m.Range(func(_, _ any) bool { n++; return true })
			if w.Load() == 1 {
				x.Fatalf("%d", n)
			}
		})
		x.Go("stores", func() { w.Store(1) })
	}
	for _, r := range explored(t, []func(*interleave.Exec){program}) {
		if r.Failure == nil || r.Failure.Message != "3" {
			t.Errorf("expected that three are seen, saw %s", r.Text(""))
		}
	}
}

// TestRangeMeets: a Range of a sync.Map may see the second of two keys that are stored
// meanwhile and not the first. That is a doubt, unless the program orders them.
func TestRangeMeets(t *testing.T) {
	tier.NotShort(t)
	program := func(ordered, writes bool) func(*interleave.Exec) {
		return func(x *interleave.Exec) {
			var m sync.Map
			var mu sync.Mutex
			for _, name := range []string{"one", "two"} {
				x.Go(name, func() {
					if ordered {
						mu.Lock()
						defer mu.Unlock()
					}
					if name == "one" {
						m.Range(func(_, _ any) bool { return true })
					} else if m.Load(1); writes {
						m.Store(1, 1)
						m.Delete(2)
					}
				})
			}
		}
	}
	programs := []func(*interleave.Exec){program(false, true), program(true, true), program(false, false)}
	for _, opts := range [][]interleave.Option{nil, {interleave.NoRaces()}} {
		for i, r := range explored(t, programs, opts...) {
			doubt := strings.Contains(r.Certificate.String(), "not seen: ")
			if want := i == 0 || len(opts) > 0; r.Failure != nil || doubt != want || doubt == r.Certificate.Complete() {
				t.Errorf("program %d: expected a doubt: %v; saw %s", i, want, r.Text(""))
			}
			t.Log(r.Certificate)
		}
	}
}
