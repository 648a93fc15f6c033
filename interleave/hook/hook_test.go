package hook_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestStarted: functions that a controlled thread starts are threads.
func TestStarted(t *testing.T) {
	seen := make(map[string]bool)
	r, err := interleave.Explore(func(x *interleave.Exec) {
		var first atomic.Int32
		x.Go("a", func() {
			hook.Go(func() { first.CompareAndSwap(0, 1) })
			first.CompareAndSwap(0, 2)
		})
		x.Finally(func() { seen[fmt.Sprint(first.Load())] = true })
	}, interleave.Exhaustive())
	if err != nil || r.Failure != nil || !r.Certificate.Complete() {
		t.Fatal(err, r.Failure, r.Certificate)
	}
	if len(seen) != 2 {
		t.Errorf("saw %v, want both orders", seen)
	}
}

// TestMaps: a range over a map goes by its keys in an exploration, sees what is
// deleted and changed on the way, and reads the map for each element.
func TestMaps(t *testing.T) {
	engine.PlainAccesses = true
	defer func() { engine.PlainAccesses = false }()
	var got []string
	_, err := interleave.Explore(func(x *interleave.Exec) {
		x.Go("a", func() {
			got = nil
			m := map[string]int{"d": 4, "b": 2, "a": 1, "c": 3}
			for k, v := range hook.ByKeys(m) {
				got = append(got, fmt.Sprint(k, v))
				delete(m, "b")
				m["c"] = 7
				if k == "c" {
					break
				}
			}
		})
	})
	if want := []string{"a1", "c7"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v (%v)", got, want, err)
	}
}

// TestAccesses: a range reads the map in each turn, and what is wiped is written.
func TestAccesses(t *testing.T) {
	engine.PlainAccesses = true
	defer func() { engine.PlainAccesses = false }()
	m, s := map[string]int{"a": 1, "c": 1}, make([]int, 2)
	ofMap := *(*unsafe.Pointer)(unsafe.Pointer(&m))
	turn := func(all iter.Seq2[string, int], begun *atomic.Int32) {
		for range all {
			begun.Store(1)
		}
	}
	for _, c := range []struct {
		name string
		race bool
		f    func(begun *atomic.Int32)
		g    func()
	}{
		{"by keys", true, func(b *atomic.Int32) { turn(hook.ByKeys(m), b) }, func() { engine.Write(ofMap, 1, 0) }},
		{"turns", true, func(b *atomic.Int32) { turn(hook.Turning(m), b) }, func() { engine.Write(ofMap, 1, 0) }},
		{"turns, beside a read", false, func(b *atomic.Int32) { turn(hook.Turning(m), b) }, func() { engine.Read(ofMap, 1, 0) }},
		{"no map", false, func(b *atomic.Int32) { turn(hook.Turning(map[string]int(nil)), b); b.Store(1) }, func() { engine.Write(ofMap, 1, 0) }},
		{"wiped", true, func(b *atomic.Int32) { b.Store(1); hook.Wipe(s) }, func() { engine.Read(unsafe.Pointer(&s[1]), 8, 0) }},
		{"wiped before", false, func(b *atomic.Int32) { hook.Wipe(s); b.Store(1) }, func() { engine.Read(unsafe.Pointer(&s[1]), 8, 0) }},
		{"wiped, but for it", false, func(b *atomic.Int32) { b.Store(1); hook.Wipe(s[:1]) }, func() { engine.Read(unsafe.Pointer(&s[1]), 8, 0) }},
	} {
		r, err := interleave.Explore(func(x *interleave.Exec) {
			begun := new(atomic.Int32)
			x.Go("f", func() { c.f(begun) })
			x.Go("g", func() {
				if begun.Load() == 1 { // in the midst of it
					c.g()
				}
			})
		}, interleave.Exhaustive())
		if err != nil || (r.Failure != nil) != c.race || c.race && r.Failure.Kind != interleave.DataRace {
			t.Errorf("%s: %v, %v, want a race: %v", c.name, err, r.Failure, c.race)
		}
	}
}
