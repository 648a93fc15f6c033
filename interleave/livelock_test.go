package interleave_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

// TestGivesUp: a loop that gives up after many looks is followed to its end, and
// nobody takes it for a livelock.
func TestGivesUp(t *testing.T) {
	programs := []func(*interleave.Exec){
		func(x *interleave.Exec) {
			var flag atomic.Bool
			x.Go("polls", func() {
				for i := 0; i < 5000; i++ {
					if flag.Load() {
						return
					}
				}
			})
			x.Go("other", func() {})
		},
		func(x *interleave.Exec) {
			var lock atomic.Int32
			lock.Store(1)
			x.Go("tries", func() {
				for i := 0; i < 90; i++ {
					if lock.CompareAndSwap(0, 1) {
						return
					}
				}
			})
			x.Go("other", func() { lock.Load() })
		},
		func(x *interleave.Exec) {
			var w, told atomic.Int32
			x.Go("gives up", func() {
				for i := 0; w.Load() == 0; i++ {
					if i == 6 {
						told.Store(1)
						return
					}
				}
			})
			x.Go("writes", func() {
				if told.Load() == 1 {
					x.Fatalf("it has given up")
				}
				w.Store(1)
			})
		},
	}
	for i, r := range explored(t, programs, interleave.Exhaustive()) {
		t.Log(r.Certificate)
		if found := r.Failure != nil && r.Failure.Message == "it has given up"; found != (i == 2) || i < 2 && (r.Failure != nil || !r.Certificate.Complete() || r.Certificate.Cuts.Iterations != 0) {
			t.Error(r.Text(""))
		}
	}
}

// TestLivelocks: they are found at once, and told in a few lines.
func TestLivelocks(t *testing.T) {
	programs := []func(*interleave.Exec){
		func(x *interleave.Exec) { // two spin locks in opposite orders
			var a, b atomic.Int32
			take := func(l *atomic.Int32) {
				for !l.CompareAndSwap(0, 1) {
				}
			}
			x.Go("ab", func() { take(&a); take(&b); b.Store(0); a.Store(0) })
			x.Go("ba", func() { take(&b); take(&a); a.Store(0); b.Store(0) })
		},
		func(x *interleave.Exec) { // what it waits for has been and gone
			var mu sync.Mutex
			ready := false
			x.Go("waits", func() {
				mu.Lock()
				for !ready {
					mu.Unlock()
					mu.Lock()
				}
				mu.Unlock()
			})
			x.Go("says and takes back", func() {
				mu.Lock()
				ready = true
				mu.Unlock()
				mu.Lock()
				ready = false
				mu.Unlock()
			})
		},
		func(x *interleave.Exec) { // two look under a lock for what nobody does
			var mu sync.Mutex
			done := false
			for _, name := range []string{"one", "two"} {
				x.Go(name, func() {
					for {
						mu.Lock()
						d := done
						mu.Unlock()
						if d {
							return
						}
					}
				})
			}
			x.Go("other", func() { mu.Lock(); done = false; mu.Unlock() })
		},
		func(x *interleave.Exec) { // a lock that is never given back
			var lock atomic.Int32
			for _, name := range []string{"one", "two"} {
				x.Go(name, func() {
					for lock.Add(-1) < 0 {
						lock.Add(1)
					}
				})
			}
		},
	}
	for _, r := range explored(t, programs) {
		text := r.Text("")
		if r.Failure == nil || r.Failure.Kind != interleave.Livelock || !strings.Contains(r.Failure.Message, "repeats") {
			t.Error(text)
			continue
		}
		t.Log(text)
		if lines := strings.Count(text, "\n"); lines > 25 || r.Failure.Switches > 4 || r.Failure.Steps > 12 {
			t.Errorf("%d lines, %d switches, %d steps", lines, r.Failure.Switches, r.Failure.Steps)
		}
	}
}

// TestStepBoundComesLast: a thread that has made too many steps is not to blame as
// long as another could do something.
func TestStepBoundComesLast(t *testing.T) {
	var said []string
	programs := []func(*interleave.Exec){func(x *interleave.Exec) {
		var flag atomic.Bool
		var wait func()
		wait = func() { // no loop that is known
			if !flag.Load() {
				wait()
			}
		}
		x.Go("waits", func() { wait() })
		x.Go("sets", func() { flag.Store(true) })
	}, func(x *interleave.Exec) {
		var n, flag atomic.Int32
		x.Go("counts", func() {
			for flag.Load() == 0 {
				n.Store(n.Load() + 1)
			}
		})
		x.Go("sets", func() { flag.Store(1) })
	}}
	for _, opts := range [][]interleave.Option{{interleave.Exhaustive()}, {interleave.PCT()}, {interleave.Preemptions(1)}} {
		for _, r := range explored(t, programs, append(opts, interleave.Executions(30), interleave.Steps(300))...) {
			said = append(said, r.Text(""))
		}
	}
	for _, text := range said {
		t.Log(text)
		if !strings.HasPrefix(text, "not complete (30 executions): ") && !strings.HasPrefix(text, "not complete (by chance): ") {
			t.Error(text)
		}
	}
}
