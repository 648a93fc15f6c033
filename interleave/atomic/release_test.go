package atomic

import (
	"testing"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestRelease: a store that may stay in a buffer is a store of its size for its own
// thread, and comes to memory by the end.
func TestRelease(t *testing.T) {
	type words struct {
		before, narrow, after Int32
		wide                  Uint64
		other                 Uint32
	}
	use := func(w *words, fail func(string, ...any)) {
		w.before.Store(-1)
		w.after.Store(-1)
		StoreRelease(&w.narrow, 3)
		StoreRelease(&w.wide, 1<<40)
		StoreRelease(&w.narrow, -7)
		if a, b, c := w.narrow.Load(), w.wide.Load(), w.other.Load(); a != -7 || b != 1<<40 || c != 0 {
			fail("its thread sees %d, %d and %d", a, b, c)
		}
		Fence()
		if a, b := w.before.Load(), w.after.Load(); a != -1 || b != -1 {
			fail("what is beside is %d and %d", a, b)
		}
		StoreRelease(&w.wide, 9)
		if old := w.wide.Swap(10); old != 9 {
			fail("a swap behind it finds %d", old)
		}
		StoreRelease(&w.other, 1<<31)
	}
	whole := func(w *words, fail func(string, ...any)) {
		if a, b, c := w.narrow.Load(), w.wide.Load(), w.other.Load(); a != -7 || b != 10 || c != 1<<31 {
			fail("at the end there are %d, %d and %d", a, b, c)
		}
	}
	var w words
	use(&w, t.Errorf)
	whole(&w, t.Errorf)
	for _, tso := range []bool{false, true} {
		c, f, err := engine.Explore(engine.Options{Strategy: engine.Exhaustive, Bound: -1, TSO: tso}, func(x *engine.Exec) {
			w := new(words)
			x.Go("a", func() { use(w, x.Fatalf) })
			x.Finally(func() { whole(w, x.Fatalf) })
		})
		if f != nil || err != nil || !c.Complete() {
			t.Errorf("with buffers %v: %v, %v, %v", tso, c, f, err)
		}
	}
}

// TestReleaseIsSeenLate: another thread may see a store after what its thread has read
// since, unless a fence is between.
func TestReleaseIsSeenLate(t *testing.T) {
	for _, fence := range []bool{false, true} {
		neither := false
		_, f, err := engine.Explore(engine.Options{Strategy: engine.Exhaustive, Bound: -1, TSO: true}, func(x *engine.Exec) {
			var one Int32
			var two Uint64
			var a, b bool
			x.Go("one", func() {
				StoreRelease(&one, 1)
				if fence {
					Fence()
				}
				a = two.Load() == 0
			})
			x.Go("two", func() {
				StoreRelease(&two, 1)
				if fence {
					Fence()
				}
				b = one.Load() == 0
			})
			x.Finally(func() { neither = neither || a && b })
		})
		if f != nil || err != nil || neither == fence {
			t.Errorf("fence %v: neither sees the other: %v (%v, %v)", fence, neither, f, err)
		}
	}
}
