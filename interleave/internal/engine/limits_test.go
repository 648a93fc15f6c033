package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unsafe"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	. "github.com/spindle-go/spindle/interleave/internal/object"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
)

// TestBudget: a search that has had its time ends, and says so.
func TestBudget(t *testing.T) {
	c, f := explore(t, Options{Strategy: Exhaustive, Time: 20 * time.Millisecond, Executions: 300_000}, ringBody("PPPGPGPG", 2, 2))
	if f != nil || c.Ended != certificate.ByTime || c.Complete() || c.Executions >= 300_000 {
		t.Errorf("%v, %v", c, f)
	}
}

// TestUntil: an exploration ends when its caller wills, and says so, also if it has had a
// time of its own.
func TestUntil(t *testing.T) {
	for _, d := range []time.Duration{0, time.Hour} {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		c, f := explore(t, Options{Strategy: Exhaustive, Until: ctx, Time: d, Executions: 300_000}, func(x *Exec) {
			if n++; n == 100 {
				cancel()
			}
			ringBody("PPPGPGPG", 2, 2)(x)
		})
		if f != nil || c.Ended != certificate.ByCaller || c.Complete() || c.Executions > 100 {
			t.Errorf("expected at most 100 executions, ended by the caller, saw %v, %v", c, f)
		}
	}
}

// TestPortfolioTriesBounds: before the exhaustive search goes on, all executions with
// one preemption are run, and with two.
func TestPortfolioTriesBounds(t *testing.T) {
	c, f := explore(t, Options{Executions: 20_000}, ringBody("PPPGPGPG", 2, 2))
	if f != nil || c.Exhausted.Preemptions != 2 || c.Complete() {
		t.Errorf("%d preemptions: %v, %v", c.Exhausted.Preemptions, c, f)
	}
}

// TestFreeze: a thread that is stopped has carried out so many operations, and no
// more.
func TestFreeze(t *testing.T) {
	for after, want := range map[int]FailureKind{0: "", 1: Deadlock, 2: ""} {
		_, f := explore(t, Options{Strategy: Exhaustive, Freeze: &Freeze{Thread: 0, After: after}}, func(x *Exec) {
			m := new(mutex)
			x.Go("stops", func() { m.lock(); m.unlock() })
			x.Go("locks", func() { m.lock(); m.unlock() })
		})
		if got := kindOf(f); got != want {
			t.Errorf("stopped after %d operations: expected %q; observed %q", after, want, got)
		}
	}
}

// TestInvisibleOrders: an operation that is taken out of the schedule still orders
// plain accesses.
func TestInvisibleOrders(t *testing.T) {
	asInstrumented(t)
	hidden := SitesOf(Place{File: "/x/log.go", Line: 7, Action: "interleave:invisible for the log"})
	for _, orders := range []bool{true, false} {
		_, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
			w, v, data := new(word), new(word), new(uint64)
			x.Go("writes", func() {
				v.add(1)
				Write(unsafe.Pointer(data), 8, 1)
				w.storeAt(hidden, 1)
			})
			x.Go("reads", func() {
				v.add(1)
				if told := w.loadAt(hidden) == 1; told || !orders {
					Read(unsafe.Pointer(data), 8, 1)
				}
			})
		})
		if race := kindOf(f) == DataRace; race == orders {
			t.Errorf("asked first: %v: %+v", orders, f)
		}
	}
}

// TestBoundIsNoEnd: what a bound of preemptions leaves out was not explored.
func TestBoundIsNoEnd(t *testing.T) {
	for bound, whole := range map[int]bool{-1: true, 0: false, 5: true} {
		c, _ := explore(t, Options{Strategy: DFS, Bound: bound}, func(x *Exec) {
			w := new(word)
			x.Go("a", func() { w.store(1); w.load() })
			x.Go("b", func() { w.store(2); w.load() })
		})
		if c.Complete() != whole {
			t.Errorf("%d preemptions: %v", bound, c)
		}
	}
}

// TestPicksCannotBeRepeated: an operation that may do more things, or fewer, in the same
// schedule is no end of the search. What it reads does not show it.
func TestPicksCannotBeRepeated(t *testing.T) {
	for name, things := range map[string]func(n int) int{
		"one more each time":        func(n int) int { return n + 1 },
		"one more each second time": func(n int) int { return 2 + n%2 },
		"fewer":                     func(n int) int { return max(2, 9-n) },
		"none any more":             func(n int) int { return max(0, 7-n) },
	} {
		for _, st := range []Strategy{DFS, Exhaustive} {
			n := 0
			c, f, err := Explore(Options{Strategy: st, Bound: -1, Executions: 100}, func(x *Exec) {
				w := new(word)
				n++
				x.Go("a", func() {
					Begin(unsafe.Pointer(w), PoolGet, 0)
					Pick(things(n))
					EndPointer(nil, nil, false)
					w.load()
				})
				x.Go("b", func() { w.store(1) })
			})
			if !errors.Is(err, ErrUncontrolled) {
				t.Errorf("%s, %s: expected an error; observed %v, %v, %v", name, st, c, f, err)
			}
		}
	}
}

// TestCannotBeRepeated: a thread that could go on, and in the same schedule cannot, is
// no end of the search.
func TestCannotBeRepeated(t *testing.T) {
	n := 0
	_, _, err := Explore(Options{Strategy: DFS, Bound: -1}, func(x *Exec) {
		w, m := new(word), new(mutex)
		n++
		m.locked = n%2 == 0
		x.Go("a", func() { m.lock(); w.load() })
		x.Daemon("b", func() { w.store(1); w.store(2) })
	})
	if !errors.Is(err, ErrUncontrolled) || !strings.Contains(err.Error(), "could go on, and now cannot") {
		t.Error(err)
	}
}
