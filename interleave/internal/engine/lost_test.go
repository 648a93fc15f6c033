package engine_test

import (
	"testing"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestFindsTheRareOrder: in each program one class of executions fails, and the
// reduction has to run it. How many there are was counted by a search without
// reduction; programs/ does the same by chance.
func TestFindsTheRareOrder(t *testing.T) {
	for _, c := range []struct {
		name    string
		classes int // with failures
		body    func(*Exec)
	}{
		{"a swap that fails, and two loads", 13, func(x *Exec) {
			w := new(word)
			var b bool
			c, d := uint64(9), uint64(9)
			x.Go("a", func() { w.store(2) })
			x.Go("b", func() { b = w.cas(2, 3) })
			x.Go("c", func() { c = w.load() })
			x.Go("d", func() { d = w.load() })
			x.Finally(func() {
				if b && c == 0 && d == 0 {
					x.Fatalf("found")
				}
			})
		}},
		{"a load between a store and a swap that fails", 13, func(x *Exec) {
			w := new(word)
			b, c, swapped := uint64(9), uint64(9), false
			x.Go("a", func() { w.store(2) })
			x.Go("b", func() { b = w.load() })
			x.Go("c", func() { c = w.load() })
			x.Go("d", func() { swapped = w.cas(2, 3) })
			x.Finally(func() {
				if b == 2 && c == 0 && !swapped {
					x.Fatalf("found")
				}
			})
		}},
		{"three threads and a child", 6, func(x *Exec) {
			w := new(word)
			c, e := uint64(9), uint64(9)
			x.Go("b", func() { w.store(1) })
			x.Go("c", func() { c = w.load() })
			x.Go("d", func() {
				w.cas(2, 2)
				Spawn(0, func() { e = w.load() })
			})
			x.Finally(func() {
				if c == 1 && e == 0 {
					x.Fatalf("found")
				}
			})
		}},
		{"mutexes that are not given back", 6, func(x *Exec) {
			w, m0, m1 := new(word), new(mutex), new(mutex)
			got, read := false, uint64(9)
			x.Go("a", func() { w.store(1) })
			x.Daemon("b", func() { m1.lock(); got = true })
			x.Daemon("c", func() { m0.lock(); read = w.load(); w.store(3); m1.lock() })
			x.Finally(func() {
				if read == 0 && !got && w.v == 3 {
					x.Fatalf("found")
				}
			})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, st := range []Strategy{Exhaustive, Portfolio, DFS} {
				_, f := explore(t, Options{Strategy: st, Bound: -1}, c.body)
				wants(t, f, Assertion, "found")
			}
			seen, again := map[uint64]bool{}, 0
			o := Options{Strategy: Exhaustive, Each: func(v *View) bool {
				if seen[v.Class()] {
					again++
				}
				seen[v.Class()] = true
				return true
			}}
			cert, _ := explore(t, o, c.body)
			if len(seen) != c.classes || again > 0 || !cert.Complete() {
				t.Errorf("%d classes, %d of them twice; want %d, each once: %v", len(seen), again, c.classes, cert)
			}
		})
	}
}

// TestGoesOnAfterFailure: with Each a failure ends its own thread alone, so that
// no class is left out for what the others did not do.
func TestGoesOnAfterFailure(t *testing.T) {
	outcomes := map[uint64]bool{}
	var v *word
	o := Options{Strategy: Exhaustive, Each: func(view *View) bool {
		if view.Failure() == nil {
			t.Error("an execution without a failure")
		}
		outcomes[v.v] = true
		return true
	}}
	c, _ := explore(t, o, func(x *Exec) {
		v = new(word)
		x.Go("fails", func() { x.Fatalf("at once") })
		x.Go("one", func() { v.store(1) })
		x.Go("two", func() { v.store(2) })
	})
	if !c.Complete() || len(outcomes) != 2 {
		t.Errorf("outcomes %v, want 1 and 2: %v", outcomes, c)
	}
	// An execution that the bound of steps ended says nothing of the rest.
	c, _ = explore(t, Options{Strategy: Exhaustive, Steps: 20, Each: func(*View) bool { return true }}, func(x *Exec) {
		v := new(word)
		x.Go("counts", func() {
			for {
				v.add(1)
			}
		})
	})
	if c.Complete() {
		t.Errorf("%v", c)
	}
}

// TestLongThread: what a thread did 33,000 operations ago still has its place.
func TestLongThread(t *testing.T) {
	c, f := explore(t, Options{Strategy: Exhaustive, Steps: 100_000}, func(x *Exec) {
		own, v := new(word), new(word)
		inc := func() { v.store(v.load() + 1) }
		x.Go("long", func() {
			for i := range uint64(33_000) {
				own.store(i)
			}
			inc()
		})
		x.Go("short", inc)
		x.Finally(func() {
			if v.v != 2 {
				x.Fatalf("%d after two increments", v.v)
			}
		})
	})
	wants(t, f, Assertion, "1 after two increments")
	if c.Complete() {
		t.Errorf("%v", c)
	}
}
