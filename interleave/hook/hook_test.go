package hook_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestStarted: functions that a controlled thread starts are threads, with the
// arguments of the go statement.
func TestStarted(t *testing.T) {
	seen := make(map[string]bool)
	r, err := interleave.Explore(func(x *interleave.Exec) {
		var order atomic.Pointer[string]
		add := func(s string, more ...int) int {
			s = fmt.Sprint(s, more)
			for {
				old := order.Load()
				now := s
				if old != nil {
					now = *old + s
				}
				if order.CompareAndSwap(old, &now) {
					return 1
				}
			}
		}
		x.Go("a", func() {
			n := 1
			hook.Call(0, add)("call", n, 2)
			n = 7
			hook.Go(0, func() { add("go") })
			hook.Gosched(0, runtime.Gosched)
		})
		x.Finally(func() { seen[*order.Load()] = true })
	}, interleave.Exhaustive())
	if err != nil || r.Failure != nil || !r.Certificate.Complete() {
		t.Fatal(err, r.Failure, r.Certificate)
	}
	if len(seen) != 2 || !seen["call[1 2]go[]"] || !seen["go[]call[1 2]"] {
		t.Errorf("saw %v, want both orders", seen)
	}
}

// TestRefused: what cannot be controlled ends the exploration when it is
// reached, and not before.
func TestRefused(t *testing.T) {
	sleep := hook.Uncontrolled(0, "a call of a value", time.Sleep)
	sleep(1)
	for _, c := range []struct {
		what string
		f    func()
	}{
		{"a statement", func() { hook.Refuse(0, "a statement") }},
		{"a channel send", func() { hook.Refused(0, "a channel send", make(chan int, 1)) <- 1 }},
		{"a call of a value", func() { sleep(1) }},
	} {
		_, err := interleave.Explore(func(x *interleave.Exec) { x.Go("a", c.f) })
		if !errors.Is(err, interleave.ErrUncontrolled) || !strings.Contains(fmt.Sprint(err), c.what) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// TestPlain: reads and writes that nothing orders are races, by the words that
// they touch; a map is one location.
func TestPlain(t *testing.T) {
	engine.PlainAccesses = true
	defer func() { engine.PlainAccesses = false }()
	for _, c := range []struct {
		name string
		race bool
		f, g func(p *[2]int, m map[int]int)
	}{
		{"reads", false, func(p *[2]int, _ map[int]int) { _ = *hook.R(0, &p[0]) }, func(p *[2]int, _ map[int]int) { _ = *hook.R(0, &p[0]) }},
		{"read and write", true, func(p *[2]int, _ map[int]int) { _ = *hook.R(0, &p[0]) }, func(p *[2]int, _ map[int]int) { *hook.W(0, &p[0]) = 1 }},
		{"two words", false, func(p *[2]int, _ map[int]int) { *hook.RW(0, &p[1])++ }, func(p *[2]int, _ map[int]int) { *hook.W(0, &p[0]) = 1 }},
		{"set", true, func(p *[2]int, _ map[int]int) { hook.Set(0, &p[1])(1) }, func(p *[2]int, _ map[int]int) { *hook.RW(0, &p[1])++ }},
		{"the whole", true, func(p *[2]int, _ map[int]int) { _ = *hook.R(0, p) }, func(p *[2]int, _ map[int]int) { *hook.RW(0, &p[1])++ }},
		{"elements", true, func(p *[2]int, _ map[int]int) {
			for range hook.Elements(0, p[:]) {
			}
		}, func(p *[2]int, _ map[int]int) { *hook.RW(0, &p[1])++ }},
		{"a copy", true, func(p *[2]int, _ map[int]int) { hook.Copy(0, p[:], []int{1, 2}) }, func(p *[2]int, _ map[int]int) { _ = *hook.R(0, &p[1]) }},
		{"a short copy", false, func(p *[2]int, _ map[int]int) { hook.Copy(0, p[:], []int{1}) }, func(p *[2]int, _ map[int]int) { _ = *hook.R(0, &p[1]) }},
		{"a map read", false, func(_ *[2]int, m map[int]int) { _ = hook.MapR(0, m)[1] }, func(_ *[2]int, m map[int]int) { _ = hook.MapR(0, m)[1] }},
		{"a map written", true, func(_ *[2]int, m map[int]int) { _ = hook.MapR(0, m)[1] }, func(_ *[2]int, m map[int]int) { hook.MapRW(0, m)[2]++ }},
		{"a map deleted from", true, func(_ *[2]int, m map[int]int) { _ = hook.MapR(0, m)[1] }, func(_ *[2]int, m map[int]int) { delete(hook.MapW(0, m), 2) }},
		{"no map", false, func(_ *[2]int, m map[int]int) { _ = hook.MapR(0, map[int]int(nil))[1] }, func(_ *[2]int, m map[int]int) { delete(hook.MapW(0, map[int]int(nil)), 2) }},
	} {
		r, err := interleave.Explore(func(x *interleave.Exec) {
			p, m := new([2]int), map[int]int{1: 1}
			x.Go("f", func() { c.f(p, m) })
			x.Go("g", func() { c.g(p, m) })
		})
		if err != nil || (r.Failure != nil) != c.race || c.race && !strings.Contains(string(r.Failure.Kind), "race") {
			t.Errorf("%s: %v, %v, want a race: %v", c.name, err, r.Failure, c.race)
		}
	}
}
