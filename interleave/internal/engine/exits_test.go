package engine_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

// leaves are the ways in which a thread may end. All but the first end it by runtime.Goexit.
var leaves = map[string]func(){
	"returns":          func() {},
	"exits":            func() { runtime.Goexit() },
	"exits in a defer": func() { defer runtime.Goexit() },
	"exits twice":      func() { defer runtime.Goexit(); runtime.Goexit() },
	"ends a panic":     func() { defer runtime.Goexit(); panic("the Goexit ends it") },
	"recovers a panic": func() {
		defer func() {
			defer func() {
				if v := recover(); v != "within" {
					panic(v)
				}
			}()
			panic("within")
		}()
		runtime.Goexit()
	},
}

// TestExitIsAnEnd: a thread that ends by runtime.Goexit ends as one that returns. What is explored is the same, execution by execution.
func TestExitIsAnEnd(t *testing.T) {
	programs := map[string]func(leave func()) func(*Exec){
		"words": func(leave func()) func(*Exec) {
			return func(x *Exec) {
				var a, b word
				x.Go("one", func() { a.store(1); b.load(); leave() })
				x.Go("two", func() { b.store(1); a.load(); leave() })
				x.Go("three", func() { a.add(1) })
			}
		},
		"before the first operation": func(leave func()) func(*Exec) {
			return func(x *Exec) {
				var a word
				x.Go("one", func() { leave() })
				x.Go("two", func() { a.add(1) })
				x.Go("three", func() { leave() })
				x.Go("four", func() { a.add(1) })
			}
		},
		"nothing else": func(leave func()) func(*Exec) {
			return func(x *Exec) { x.Go("one", leave); x.Go("two", leave) }
		},
		"a deferred unlock": func(leave func()) func(*Exec) {
			return func(x *Exec) {
				m, n := new(mutex), 0
				for range 3 {
					x.Go("", func() { m.lock(); defer m.unlock(); n++; leave() })
				}
				x.Finally(func() {
					if n != 3 {
						x.Fatalf("%d", n)
					}
				})
			}
		},
		"children": func(leave func()) func(*Exec) {
			return func(x *Exec) {
				var a word
				x.Go("parent", func() {
					Spawn(here, func() { defer a.add(1); leave() })
					defer Spawn(here, func() { a.add(1); leave() })
					leave()
				})
				x.Go("other", func() { a.load() })
			}
		},
		"a daemon": func(leave func()) func(*Exec) {
			return func(x *Exec) {
				var a word
				x.Daemon("daemon", func() { a.load(); leave() })
				x.Go("other", func() { a.store(1) })
			}
		},
	}
	for name, program := range programs {
		for _, strategy := range []Strategy{Exhaustive, DFS, Portfolio, Random} {
			o := Options{Strategy: strategy, Bound: -1}
			if strategy == Random {
				o.Executions = 200
			}
			want, f := explore(t, o, program(leaves["returns"]))
			if f != nil || strategy != Random && name != "nothing else" && !want.Complete() {
				t.Fatalf("%s, %s: %v %+v", name, strategy, want, f)
			}
			for how, leave := range leaves {
				got, f := explore(t, o, program(leave))
				if f != nil || got.Complete() != want.Complete() || got.Executions != want.Executions || got.Steps != want.Steps {
					t.Errorf("%s, %s, %s: %d executions of %d steps, complete: %v, failure %+v; want as one that returns: %d of %d, %v",
						name, strategy, how, got.Executions, got.Steps, got.Complete(), f, want.Executions, want.Steps, want.Complete())
				}
			}
		}
	}
}

// TestExitCounts counts by hand: two threads, one of which ends by runtime.Goexit and stores in a deferred function.
func TestExitCounts(t *testing.T) {
	var saw []uint64
	c, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		var w word
		var read uint64
		x.Go("leaves", func() {
			defer w.store(2)
			w.store(1)
			runtime.Goexit()
			w.store(3)
		})
		x.Go("reads", func() { read = w.load() })
		x.Finally(func() { saw = append(saw, read) })
	})
	slices.Sort(saw) // what was tried beforehand is seen twice
	if saw = slices.Compact(saw); f != nil || !c.Complete() || c.Executions != 3 || !slices.Equal(saw, []uint64{0, 1, 2}) {
		t.Fatalf("read %d, want 0, 1 and 2, in an execution each: %+v, %v", saw, c, f)
	}
	for _, first := range []bool{true, false} { // the first thread runs on the coroutine that explores
		c, f = explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
			m := new(mutex)
			for i := range 2 {
				x.Go("", func() {
					m.lock()
					defer m.unlock()
					if first == (i == 0) {
						runtime.Goexit()
					}
				})
			}
		})
		if f != nil || !c.Complete() || c.Executions != 2 {
			t.Fatalf("%d executions, want one for each order of the two: %+v", c.Executions, f)
		}
	}
}

// TestExitKeepsLocks: what an ended thread holds it holds for ever.
func TestExitKeepsLocks(t *testing.T) {
	for _, strategy := range []Strategy{Portfolio, Exhaustive, DFS, Random} {
		for _, first := range []bool{true, false} {
			body := func(x *Exec) {
				m := new(mutex)
				leaves := func() { m.lock(); runtime.Goexit(); m.unlock() }
				if first {
					x.Go("leaves", leaves)
				}
				x.Go("other", func() { m.lock(); m.unlock() })
				if !first {
					x.Go("leaves", leaves)
				}
			}
			_, f := explore(t, Options{Strategy: strategy, Bound: -1, Executions: 1000}, body)
			wants(t, f, Deadlock, "other waits at")
			_, again := explore(t, Options{Strategy: Replay, Schedule: f.Schedule}, body)
			wants(t, again, Deadlock, "other waits at")
		}
	}
}

// TestExitFails: a panic, and a failure that the program says, count behind runtime.Goexit too.
func TestExitFails(t *testing.T) {
	_, f := explore(t, Options{}, func(x *Exec) {
		var w word
		x.Go("other", func() { w.load() })
		x.Go("leaves", func() {
			defer func() { panic("behind it") }()
			w.load()
			runtime.Goexit()
		})
	})
	wants(t, f, Panic, "behind it")
	_, f = explore(t, Options{}, func(x *Exec) {
		var w word
		x.Go("leaves", func() {
			defer func() {
				if w.load() == 1 {
					x.Fatalf("read it")
				}
			}()
			runtime.Goexit()
		})
		x.Go("other", func() { w.store(1) })
	})
	wants(t, f, Assertion, "read it")
	_, f = explore(t, Options{}, func(x *Exec) {
		var w word
		x.Go("leaves", func() {
			defer func() {
				if v := recover(); v != nil {
					x.Fatalf("recovered %v", v)
				}
			}()
			w.load()
			runtime.Goexit()
		})
	})
	if f != nil {
		t.Fatal(f)
	}
}

// TestExitCutShort: executions end while threads are in functions that runtime.Goexit has called, or call it only since they are made to end.
func TestExitCutShort(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, first := range []bool{true, false} {
		program := func(x *Exec) {
			m := &mutex{locked: true} // for ever
			var w word
			waits := func() { defer func() { m.lock() }(); runtime.Goexit() }
			stubborn := func() {
				defer runtime.Goexit()
				defer func() { recover() }()
				m.lock()
			}
			if !first {
				x.Go("other", func() { w.load() })
			}
			x.Daemon("waits", waits)
			x.Daemon("stubborn", stubborn)
			x.Go("another", func() { w.store(1); w.load() })
			x.Daemon("waits, too", waits)
		}
		c, f := explore(t, Options{Strategy: Exhaustive}, program)
		if f != nil || !c.Complete() || c.Cuts.Threads != 0 {
			t.Fatalf("%+v %v", c, f)
		}
		c, f = explore(t, Options{Strategy: Random, Executions: 500}, program)
		if f != nil || c.Executions != 500 || c.Cuts.Threads != 0 {
			t.Fatalf("%+v %v", c, f)
		}
		if first { // the failure comes while the first thread is in a deferred function
			_, f = explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
				var w word
				x.Go("leaves", func() { defer func() { w.load(); w.load() }(); runtime.Goexit() })
				x.Go("other", func() { w.store(1); panic("other") })
			})
			wants(t, f, Panic, "other")
		}
	}
	for range 500 { // goroutines that end are not waited for
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestExitMany: threads that are gone leave nothing that the next execution could meet.
func TestExitMany(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		c, f := explore(t, Options{Strategy: Random, Executions: 2000}, func(x *Exec) {
			var w word
			for i := range n {
				x.Go("", func() {
					defer w.add(1)
					if Execution()%uint64(n) == uint64(i) {
						runtime.Goexit()
					}
				})
			}
			x.Finally(func() {
				if got := w.v; got != uint64(n) {
					x.Fatalf("%d", got)
				}
			})
		})
		if f != nil || c.Executions != 2000 {
			t.Fatalf("%d threads: %v %v", n, c, f)
		}
	}
}

// TestFailNow: a test that ends itself by a thread ends the exploration, as an error. So it is with the body.
func TestFailNow(t *testing.T) {
	for name, ends := range map[string]func(*testing.T){"FailNow": (*testing.T).FailNow, "SkipNow": (*testing.T).SkipNow, "Fatal": func(t *testing.T) { t.Fatal() }} {
		for at := range 3 {
			var wrong testing.T
			_, _, err := Explore(Options{}, func(x *Exec) {
				w := new(word)
				for i := range 3 {
					x.Go(fmt.Sprintf("number %d", i), func() {
						w.load()
						if i == at {
							defer w.load()
							ends(&wrong)
						}
						w.load()
					})
				}
			})
			if want := fmt.Sprintf("thread number %d called t.Fatal, t.FailNow or t.Skip", at); !errors.Is(err, ErrUncontrolled) || !strings.Contains(err.Error(), want) {
				t.Fatalf("%s: %v, want %q", name, err, want)
			}
		}
	}
	_, _, err := Explore(Options{}, func(x *Exec) {
		x.Go("one", func() {})
		runtime.Goexit()
	})
	if !errors.Is(err, ErrUncontrolled) || !strings.Contains(err.Error(), "the body, or a function given to Finally, called runtime.Goexit") {
		t.Fatal(err)
	}
	// And the next exploration works.
	TestSpinlock(t)
}
