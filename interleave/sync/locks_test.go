package sync

//lint:file-ignore SA2001 the locks are what is tested

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// one runs one execution, of a program that has no more.
func one(t *testing.T, body func(*engine.Exec)) {
	t.Helper()
	c, f, err := engine.Explore(engine.Options{Strategy: engine.DFS, Bound: -1}, body)
	if f != nil || err != nil || c.Executions != 1 {
		t.Fatal(c, f, err)
	}
}

// outcomes explores a program by brute force and by the reduction, holds that
// both see the same outcomes, complete, and returns them sorted. Body returns
// what is called at the end of an execution to word its outcome.
func outcomes(t *testing.T, body func(*engine.Exec) func() string) []string {
	t.Helper()
	var seen [2][]string
	for i, st := range []engine.Strategy{engine.DFS, engine.Exhaustive} {
		all := make(map[string]int)
		var word func() string
		c, f, err := engine.Explore(engine.Options{
			Strategy: st, Bound: -1,
			Each: func(v *engine.View) bool {
				all[outcome(v, word)]++
				return true
			},
		}, func(x *engine.Exec) { word = body(x) })
		if err != nil || f != nil || !c.Exhausted.Classes {
			t.Fatal(st, c, f, err)
		}
		t.Log(st, c, all)
		seen[i] = slices.Sorted(maps.Keys(all))
	}
	if !slices.Equal(seen[0], seen[1]) {
		t.Errorf("the reduction sees %q, brute force %q", seen[1], seen[0])
	}
	return seen[0]
}

func check(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("outcomes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func outcome(v *engine.View, word func() string) string {
	f := v.Failure()
	switch {
	case f == nil:
		return word()
	case f.Kind == engine.Deadlock:
		return "deadlock"
	default:
		return fmt.Sprintf("%s: %s", f.Kind, f.Message)
	}
}

// A room counts who is in.
type room struct{ readers, writers atomic.Int32 }

func (r *room) write(x *engine.Exec) {
	if r.writers.Add(1) != 1 || r.readers.Load() != 0 {
		x.Fatalf("a writer is not alone")
	}
	r.writers.Add(-1)
}

func (r *room) read(x *engine.Exec) (others bool) {
	others = r.readers.Add(1) > 1
	if r.writers.Load() != 0 {
		x.Fatalf("a reader is in with a writer")
	}
	r.readers.Add(-1)
	return others
}

func TestMutexExcludes(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var m Mutex
		var r room
		for _, name := range []string{"a", "b"} {
			x.Go(name, func() { m.Lock(); r.write(x); m.UnlockAt(1) })
		}
		return func() string { return fmt.Sprint(m.TryLock()) }
	}), "true")
}

func TestMutexTryLock(t *testing.T) {
	for _, threads := range []string{"ab", "ba"} {
		check(t, outcomes(t, func(x *engine.Exec) func() string {
			var m Mutex
			var got bool
			for _, name := range threads {
				x.Go(string(name), map[rune]func(){
					'a': func() { m.LockAt(1); m.Unlock() },
					'b': func() {
						if got = m.TryLock(); got {
							m.Unlock()
						}
					},
				}[name])
			}
			return func() string { return fmt.Sprint(got) }
		}), "false", "true")
	}
}

func TestMutexOfBothWorlds(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var m, n Mutex
		m.Lock()
		var order []string
		x.Go("waits", func() { m.Lock(); order = append(order, "got it"); n.Lock() })
		x.Go("holds", func() { order = append(order, "held"); m.Unlock() })
		return func() string { m.Unlock(); n.Unlock(); return fmt.Sprint(order) }
	}), "[held got it]")
}

func TestUnlockOfUnlocked(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var m Mutex
		x.Go("a", func() { m.Lock(); m.Unlock() })
		x.Go("b", func() { m.Unlock() })
		return func() string { return "fine" }
	}), "panic: fatal error: sync: unlock of unlocked mutex")
	var m, locked RWMutex
	locked.Lock()
	var reading RWMutex
	reading.RLock()
	var o Once
	for _, p := range []struct {
		f    func()
		want string
	}{
		{m.Unlock, "panic: fatal error: sync: Unlock of unlocked RWMutex"},
		{reading.Unlock, "panic: fatal error: sync: Unlock of unlocked RWMutex"},
		{m.RUnlock, "panic: fatal error: sync: RUnlock of unlocked RWMutex"},
		{locked.RUnlock, "panic: fatal error: sync: RUnlock of unlocked RWMutex"},
		{func() { o.Do(nil) }, "panic: runtime error: invalid memory address or nil pointer dereference"},
		{new(WaitGroup).Done, "panic: sync: negative WaitGroup counter"},
		{func() { new(Cond).Wait() }, "panic: runtime error: invalid memory address or nil pointer dereference"},
		{func() { new(Map).Store([]int{}, 1) }, "panic: runtime error: hash of unhashable type []int"},
	} {
		_, f, err := engine.Explore(engine.Options{}, func(x *engine.Exec) { x.Go("a", p.f) })
		if f == nil || err != nil || fmt.Sprintf("%s: %s", f.Kind, f.Message) != p.want {
			t.Errorf("%+v, %v, want %q", f, err, p.want)
		}
	}
}

func TestRWMutexExcludes(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var rw RWMutex
		var r room
		together := false
		reader := func() { rw.RLock(); together = r.read(x) || together; rw.RUnlock() }
		x.Go("reader", reader)
		x.Go("writer", func() { rw.Lock(); r.write(x); rw.Unlock() })
		x.Go("another", reader)
		return func() string { return fmt.Sprint(together, rw.TryLock()) }
	}), "false true", "true true")
}

func TestTwoWriters(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var rw RWMutex
		var r room
		rw.RLock()
		x.Go("a", func() { rw.Lock(); r.write(x); rw.Unlock() })
		x.Go("b", func() { rw.Lock(); r.write(x); rw.Unlock() })
		x.Go("reader", func() { r.read(x); rw.RUnlock() })
		return func() string { return fmt.Sprint(rw.TryLock()) }
	}), "true")
}

// Writers have precedence: a second RLock by the same thread waits for a writer
// that waits for the first.
func TestRecursiveRLock(t *testing.T) {
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var rw RWMutex
		x.Go("reader", func() { rw.RLock(); rw.RLock(); rw.RUnlock(); rw.RUnlock() })
		x.Go("writer", func() { rw.Lock(); rw.Unlock() })
		return func() string { return "fine" }
	}), "deadlock", "fine")
	check(t, outcomes(t, func(x *engine.Exec) func() string {
		var rw RWMutex
		x.Go("reader", func() { rw.RLock(); rw.RLock(); rw.RUnlock(); rw.RUnlock() })
		x.Go("reader too", func() { l := rw.RLocker(); l.Lock(); l.Unlock() })
		return func() string { return "fine" }
	}), "fine")
}

func TestRWMutexTry(t *testing.T) {
	for _, threads := range []string{"ab", "ba"} {
		try := func(hold, release, try, undo func(*RWMutex) bool) []string {
			return outcomes(t, func(x *engine.Exec) func() string {
				var rw RWMutex
				var got bool
				for _, name := range threads {
					x.Go(string(name), map[rune]func(){
						'a': func() { hold(&rw); release(&rw) },
						'b': func() {
							if got = try(&rw); got {
								undo(&rw)
							}
						},
					}[name])
				}
				return func() string { return fmt.Sprint(got) }
			})
		}
		lock := func(rw *RWMutex) bool { rw.Lock(); return true }
		unlock := func(rw *RWMutex) bool { rw.Unlock(); return true }
		rlock := func(rw *RWMutex) bool { rw.RLock(); return true }
		runlock := func(rw *RWMutex) bool { rw.RUnlock(); return true }
		check(t, try(lock, unlock, (*RWMutex).TryLock, unlock), "false", "true")
		check(t, try(lock, unlock, (*RWMutex).TryRLock, runlock), "false", "true")
		check(t, try(rlock, runlock, (*RWMutex).TryLock, unlock), "false", "true")
		check(t, try(rlock, runlock, (*RWMutex).TryRLock, runlock), "true")
	}
}
