package interleave_test

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
)

type loader interface{ Load() int32 }

func loadOf[T loader](v T) int32 { return v.Load() }

// behind are loops that are not marked, or whose operations are not: a thread looks n
// times, and then sets flag.
var behind = map[string]func(n int, w, flag *atomic.Int32){
	"an interface": func(n int, w, flag *atomic.Int32) {
		for i := 0; i < n; i++ {
			loader(w).Load()
		}
		flag.Store(1)
	},
	"a type parameter": func(n int, w, flag *atomic.Int32) {
		for range n {
			loadOf(w)
		}
		flag.Store(1)
	},
	"a method value": func(n int, w, flag *atomic.Int32) {
		for f, i := w.Load, 0; i < n; i++ {
			f()
		}
		flag.Store(1)
	},
	"a goto": func(n int, w, flag *atomic.Int32) {
		i := 0
	again:
		w.Load()
		if i++; i < n {
			goto again
		}
		flag.Store(1)
	},
	"a loop": func(n int, w, flag *atomic.Int32) {
		for i := 0; i < n; i++ {
			w.Load()
		}
		flag.Store(1)
	},
}

// TestBehindLoops: what a thread does behind a loop that is not marked comes before what
// other threads do, in one execution at least, and where a loop was cut whose state is
// not known nothing is complete.
func TestBehindLoops(t *testing.T) {
	tier.NotShort(t)
	var names []string
	var wrong, right []func(*interleave.Exec)
	for _, name := range slices.Sorted(maps.Keys(behind)) { // in the instrumented binary as here
		f := behind[name]
		for _, n := range []int{5, 40, 400} {
			names = append(names, name)
			program := func(reached int32) func(x *interleave.Exec) {
				return func(x *interleave.Exec) {
					var w, flag atomic.Int32
					x.Go("counts", func() { f(n, &w, &flag) })
					x.Go("looks", func() {
						if flag.Load() == reached {
							x.Fatalf("reached")
						}
					})
				}
			}
			wrong, right = append(wrong, program(1)), append(right, program(2))
		}
	}
	for _, opts := range [][]interleave.Option{nil, {interleave.Exhaustive()}, {interleave.Preemptions(-1), interleave.Executions(2000)}, {interleave.NoRaces()}} {
		for i, r := range explored(t, wrong, opts...) {
			if r.Failure == nil || r.Unsteady != "" {
				t.Errorf("%s: expected that flag is set before it is looked at; saw %s", names[i], r.Text(""))
			}
		}
		for i, r := range explored(t, right, opts...) {
			c := r.Certificate
			if r.Failure != nil || c.Cuts.Iterations > 0 && (c.Complete() || !strings.Contains(c.String(), "the state of a loop that repeats ")) {
				t.Errorf("%s: expected a doubt where a loop was cut; saw %s", names[i], r.Text(""))
			}
		}
	}
}

// TestPatience: right programs that wait often, or look long, in loops that are not marked
// come to neither the bound of steps nor a livelock.
func TestPatience(t *testing.T) {
	tier.NotShort(t)
	programs := []func(*interleave.Exec){
		func(x *interleave.Exec) {
			var turn, other atomic.Int32
			for me := range int32(2) {
				x.Go("", func() {
					for i := range int32(2) {
						for turn.Load() != 2*i+me {
							other.Load()
						}
						turn.Add(1)
					}
				})
			}
		},
		func(x *interleave.Exec) {
			var w, flag atomic.Int32
			x.Go("counts", func() { behind["an interface"](1500, &w, &flag) })
			x.Go("looks", func() { flag.Load() })
		},
	}
	for i, r := range explored(t, programs, interleave.NoRaces(), interleave.Steps(2000)) {
		if t.Log(r.Certificate); r.Failure != nil || r.Certificate.Ended != "exhausted" || r.Certificate.Complete() {
			t.Errorf("program %d: %s", i, r.Text(""))
		}
	}
}
