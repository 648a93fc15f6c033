package engine_test

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/spindle-go/spindle/interleave/internal/engine"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
)

func explore(t *testing.T, o Options, body func(*Exec)) (certificate.Certificate, *Failure) {
	t.Helper()
	c, f, err := Explore(o, body)
	if err != nil {
		t.Fatal(err)
	}
	return c, f
}

func wants(t *testing.T, f *Failure, kind FailureKind, text string) {
	t.Helper()
	if f == nil || f.Kind != kind || !strings.Contains(f.Message, text) {
		t.Fatalf("got %+v, want a %s with %q", f, kind, text)
	}
}

func TestFindsAssertion(t *testing.T) {
	// The increment that is no increment.
	body := func(x *Exec) {
		w := new(word)
		inc := func() { w.store(w.load() + 1) }
		x.Go("one", inc)
		x.Go("two", inc)
		x.Finally(func() {
			if w.v != 2 {
				x.Fatalf("%d after two increments", w.v)
			}
		})
	}
	for _, st := range []Strategy{Portfolio, Exhaustive, DFS, Random, PCT, Walk, Turns} {
		_, f := explore(t, Options{Strategy: st, Bound: -1, Executions: 1000}, body)
		wants(t, f, Assertion, "1 after two increments")
		_, again := explore(t, Options{Strategy: Replay, Schedule: f.Schedule}, body)
		wants(t, again, Assertion, "1 after two increments")
	}
}

func TestFindsDeadlock(t *testing.T) {
	c, f := explore(t, Options{}, func(x *Exec) {
		a, b := new(mutex), new(mutex)
		x.Go("ab", func() { a.lock(); b.lock(); b.unlock(); a.unlock() })
		x.Go("ba", func() { b.lock(); a.lock(); a.unlock(); b.unlock() })
	})
	wants(t, f, Deadlock, "ab waits at Lock")
	wants(t, f, Deadlock, "held by ba")
	if c.Complete() {
		t.Errorf("complete: %v", c)
	}
}

func TestWaitingLoop(t *testing.T) {
	// The waiter spins; nobody has to say so.
	looks := 0
	c, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		flag, data := new(word), new(word)
		x.Go("waiter", func() {
			for flag.load() == 0 {
			}
			if data.load() != 7 {
				x.Fatalf("flag before data")
			}
			looks++
		})
		x.Go("setter", func() { data.store(7); flag.store(1) })
	})
	if f != nil || !c.Exhausted.Classes || c.Cuts.Iterations == 0 || looks == 0 {
		t.Fatalf("%v, %+v, %d", c, f, looks)
	}
	if s := c.String(); !strings.HasPrefix(s, "explored all orders of what was seen: ") || !strings.Contains(s, "not seen: the state of a loop that repeats Load") {
		t.Errorf("the certificate says %q", s)
	}
	// The same with the stores in the wrong order: the reduction finds it.
	_, f = explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		flag, data := new(word), new(word)
		x.Go("waiter", func() {
			for flag.load() == 0 {
			}
			if data.load() != 7 {
				x.Fatalf("flag before data")
			}
		})
		x.Go("setter", func() { flag.store(1); data.store(7) })
	})
	wants(t, f, Assertion, "flag before data")
}

func TestSpinlock(t *testing.T) {
	n := 0
	c, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		l := new(word)
		n = 0
		inside := false
		for _, name := range []string{"a", "b", "c"} {
			x.Go(name, func() {
				for !l.cas(0, 1) {
				}
				if inside {
					x.Fatalf("two are inside")
				}
				inside = true
				n++
				inside = false
				l.store(0)
			})
		}
		x.Finally(func() {
			if n != 3 {
				x.Fatalf("%d", n)
			}
		})
	})
	if f != nil || !c.Exhausted.Classes {
		t.Fatalf("%v %+v", c, f)
	}
}

func TestFiniteLoopGoesOn(t *testing.T) {
	ended := 0
	c, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		w := new(word)
		x.Go("looks", func() {
			for range 50 {
				w.load()
			}
			ended++
		})
		x.Go("writes", func() { w.store(1) })
	})
	if f != nil || !c.Exhausted.Classes || ended != c.Executions+1 || c.Complete() {
		t.Fatalf("%v %+v, %d of %d came to the end", c, f, ended, c.Executions)
	}
}

func TestStraightCallsAreNoLoop(t *testing.T) {
	c, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		w := new(word)
		x.Go("looks", func() {
			w.loadAt(1)
			w.loadAt(2)
			w.loadAt(3)
			w.loadAt(4)
		})
		x.Go("writes", func() { w.store(1) })
	})
	if f != nil || !c.Complete() || c.Cuts.Iterations != 0 || c.Executions != 5 {
		t.Fatalf("%v %+v", c, f)
	}
}

func TestPingPong(t *testing.T) {
	c, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		turn := new(word)
		for me := range uint64(2) {
			x.Go("", func() {
				for range 3 {
					for turn.load() != me {
					}
					turn.store(1 - me)
				}
			})
		}
	})
	if f != nil || !c.Exhausted.Classes {
		t.Fatalf("%v %+v", c, f)
	}
}

func TestLivelock(t *testing.T) {
	_, f := explore(t, Options{}, func(x *Exec) {
		w := new(word)
		x.Go("waits", func() {
			for w.load() == 0 {
			}
		})
		x.Go("other", func() { w.load() })
	})
	wants(t, f, Livelock, "waits repeats Load")
}

func TestStepBound(t *testing.T) {
	_, f := explore(t, Options{Steps: 500}, func(x *Exec) {
		w := new(word)
		x.Go("counts", func() {
			for {
				w.add(1)
			}
		})
	})
	wants(t, f, StepBound, "no end after 500 steps")
}

func TestDaemons(t *testing.T) {
	c, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		m := new(mutex)
		m.locked = true
		x.Daemon("sleeper", func() { m.lock() })
		x.Go("worker", func() { new(word).load() })
	})
	if f != nil || !c.Complete() {
		t.Fatalf("%v %+v", c, f)
	}
	waits := func(start func(x *Exec, f func())) *Failure {
		_, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
			m := new(mutex)
			m.locked = true
			start(x, func() { Spawn(0, func() { m.lock() }) })
		})
		return f
	}
	if f := waits(func(x *Exec, f func()) { x.Daemon("starts", f) }); f != nil {
		t.Errorf("a thread that a daemon starts: %v", f)
	}
	wants(t, waits(func(x *Exec, f func()) { x.Go("starts", f) }), Deadlock, "starts.1 waits")
	_, f = explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		m, w := new(mutex), new(word)
		m.locked = true
		x.Daemon("spins", func() { forever(func() bool { return w.load() == 0 }); m.unlock() })
		x.Go("waits", m.lock)
	})
	wants(t, f, Deadlock, "waits waits at Lock")
	_, f = explore(t, Options{Strategy: Exhaustive, Steps: 20}, func(x *Exec) {
		m, w := new(mutex), new(word)
		m.locked = true
		x.Daemon("is slow", func() {
			for range 100 {
				w.add(1)
			}
			m.unlock()
		})
		x.Go("waits", m.lock)
	})
	wants(t, f, StepBound, "no end after 20 steps")
}

func TestPanicOfThread(t *testing.T) {
	_, f := explore(t, Options{}, func(x *Exec) {
		w := new(word)
		x.Go("bad", func() {
			if w.load() == 1 {
				panic("seen")
			}
		})
		x.Go("sets", func() { w.store(1) })
	})
	wants(t, f, Panic, "seen")
	if f.Thread != "bad" || f.Schedule == "" || !strings.Contains(f.Stack, "TestPanicOfThread") {
		t.Errorf("%+v", f)
	}
	_, f = explore(t, Options{}, func(x *Exec) { x.Finally(func() { panic("at the end") }) })
	wants(t, f, Panic, "at the end")
	_, f = explore(t, Options{}, func(x *Exec) { panic("at once") })
	wants(t, f, Panic, "at once")
	_, f = explore(t, Options{}, func(x *Exec) { x.Finally(func() { WaitsOutside("a lock") }) })
	wants(t, f, Deadlock, "Finally waits for a lock")
	WaitsOutside("nobody") // no exploration is under way: it is the original that waits
}

// TestRecoversEverything: threads that recover the sentinel are ended all the
// same, or counted.
func TestRecoversEverything(t *testing.T) {
	stubborn := func(first, forever bool) func(*Exec) {
		return func(x *Exec) {
			w, m := new(word), new(mutex)
			m.locked = true
			if !first {
				x.Go("other", func() { w.load() })
			}
			x.Daemon("stubborn", func() {
				for range 3 {
					func() {
						defer func() { recover() }()
						m.lock()
					}()
				}
				for forever {
					func() {
						defer func() { recover() }()
						m.lock()
					}()
				}
			})
			if first {
				x.Go("other", func() { w.load() })
			}
		}
	}
	// The first thread has no coroutine of its own.
	for _, first := range []bool{true, false} {
		c, f := explore(t, Options{Strategy: Exhaustive}, stubborn(first, false))
		if f != nil || !c.Complete() || c.Cuts.Threads != 0 {
			t.Fatalf("%v %+v", c, f)
		}
		c, f = explore(t, Options{Strategy: Random, Executions: 10}, stubborn(first, true))
		if f != nil || c.Executions != 10 || !Hosted && c.Cuts.Threads != 10 || Hosted && c.Cuts.Threads != 0 {
			t.Fatalf("%v %+v", c, f)
		}
	}
}

func TestUnsteady(t *testing.T) {
	n := 0
	_, _, err := Explore(Options{Strategy: Exhaustive}, func(x *Exec) {
		n++
		w := new(word)
		x.Go("a", func() { w.store(uint64(n)); w.load() })
		x.Go("b", func() { w.store(7) })
	})
	if !errors.Is(err, ErrUncontrolled) || !strings.Contains(err.Error(), "behaviour differs between two runs of one schedule") {
		t.Fatal(err)
	}
}

// released is called in loops. It calls another function, and so a goroutine can be stopped at its begin, also under asyncpreemptoff.
//
//go:noinline
func released(word *int32) bool { return look(word) != 0 }

//go:noinline
func look(word *int32) int32 { return atomic.LoadInt32(word) }

func TestStuck(t *testing.T) {
	defer func(d time.Duration) { Stuck = d }(Stuck)
	Stuck = 200 * time.Millisecond
	var release int32 // not an atomic.Int32, whose operations are steps
	_, _, err := Explore(Options{}, func(x *Exec) {
		x.Go("spins", func() {
			for new(word).load(); !released(&release); {
			}
		})
	})
	if !errors.Is(err, ErrUncontrolled) || !strings.Contains(err.Error(), "TestStuck") {
		t.Fatal(err)
	}
	next := func() error {
		_, _, err := Explore(Options{}, func(x *Exec) { x.Go("ends", func() { new(word).load() }) })
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- next() }()
	select {
	case err := <-ended:
		if !errors.Is(err, ErrUncontrolled) || !strings.Contains(err.Error(), "an exploration before this one was given up") {
			t.Errorf("beside a call that still runs: expected an error, saw %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("an exploration waits for one that was given up")
	}
	atomic.StoreInt32(&release, 1)
	err = next()
	for end := time.Now().Add(5 * time.Second); err != nil && time.Now().Before(end); err = next() {
		time.Sleep(time.Millisecond)
	}
	if err != nil {
		t.Errorf("after the call has come back: %v", err)
	}
}

// TestSlow: an execution that comes to operations is not stuck, however long it takes.
func TestSlow(t *testing.T) {
	defer func(d time.Duration) { Stuck = d }(Stuck)
	Stuck = 500 * time.Millisecond
	if _, _, err := Explore(Options{Executions: 1}, func(x *Exec) {
		x.Go("slow", func() {
			w := new(word)
			for range 1000 {
				for next := time.Now().Add(Stuck / 500); time.Now().Before(next); {
				}
				w.load()
			}
		})
	}); err != nil {
		t.Error(err)
	}
}

// TestHoard: a call that hangs and takes memory is given up before the memory is gone.
func TestHoard(t *testing.T) {
	defer func(h uint64) { Hoard = h }(Hoard)
	Hoard = 16 << 20
	var release int32 // not an atomic.Int32, whose operations are steps
	begin := time.Now()
	_, _, err := Explore(Options{}, func(x *Exec) {
		x.Go("hoards", func() {
			new(word).load()
			var all [][]byte
			for len(all) < 100_000 && !released(&release) {
				all = append(all, make([]byte, 1<<20))
				runtime.GC() // takes some time
			}
		})
	})
	if took := time.Since(begin); !errors.Is(err, ErrUncontrolled) || took > Stuck {
		t.Errorf("after %v: %v", took, err)
	}
	atomic.StoreInt32(&release, 1)
}

func TestSpawn(t *testing.T) {
	c, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		w, g := new(word), new(group)
		x.Go("parent", func() {
			g.add(2)
			for range 2 {
				Spawn(0, func() { w.add(1); g.add(-1) })
			}
			g.wait()
			if v := w.load(); v != 2 {
				x.Fatalf("%d", v)
			}
		})
	})
	if f != nil || !c.Complete() || c.Executions < 2 {
		t.Fatalf("%v %+v", c, f)
	}
}

func TestReplayDiverges(t *testing.T) {
	body := func(x *Exec) {
		w := new(word)
		x.Go("a", func() { w.load() })
	}
	for schedule, want := range map[string]string{
		"0a.5":    `"5" is no switch`,
		"0a.0b":   "step 0 does not come after step 0",
		"0b.1a":   "at step 0 the schedule has thread b go on, which does not exist",
		"0a.1b.x": `"x" is no switch`,
		"0a.3a":   "it has a switch at step 3, and the execution ended after 1 steps",
	} {
		_, _, err := Explore(Options{Strategy: Replay, Schedule: schedule}, body)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", schedule, err, want)
		}
	}
}

func TestMisuse(t *testing.T) {
	for name, body := range map[string]func(*Exec){
		"Go":      func(x *Exec) { x.Go("a", func() { x.Go("b", func() {}) }) },
		"nil":     func(x *Exec) { x.Go("a", nil) },
		"Finally": func(x *Exec) { x.Go("a", func() { x.Finally(func() {}) }) },
	} {
		if _, f := explore(t, Options{}, body); f == nil || f.Kind != Panic || !strings.HasPrefix(f.Message, "interleave: ") {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestPortfolioComesBack: the exhaustive search goes on where it was when others
// have run in between.
func TestPortfolioComesBack(t *testing.T) {
	all, _ := explore(t, Options{Strategy: Exhaustive}, ringBody("PPGPG", 2, 1))
	c, f := explore(t, Options{}, ringBody("PPGPG", 2, 1))
	if f != nil || !c.Complete() || c.Classes != all.Classes {
		t.Fatalf("%v %+v, want the %d classes of %v", c, f, all.Classes, all)
	}
}
