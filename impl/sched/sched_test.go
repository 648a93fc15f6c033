package sched

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
)

// begin makes a scheduler.
func begin(t testing.TB, c Config) *Scheduler {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// start starts f from outside.
func start(t testing.TB, s *Scheduler, f func(*G)) {
	t.Helper()
	if err := s.Go(f); err != nil {
		t.Fatal(err)
	}
}

// end closes s, and fails the test if that takes long.
func end(t testing.TB, s *Scheduler) error {
	t.Helper()
	err := s.CloseWithin(20 * time.Second)
	if errors.As(err, new(*UnfinishedError)) {
		t.Fatal(err)
	}
	return err
}

// leaks fails the test if it leaves goroutines behind.
func leaks(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for range 100 {
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		var stacks [1 << 16]byte
		t.Errorf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks[:], true)])
	})
}

// TestAllGs: Close ends the Gs of one list. Each G that was made is there, once: started from outside, by a G, by a G with a thread;
// new, or used again.
func TestAllGs(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	leaks(t)
	s := begin(t, Config{Procs: 2, Ring: 4})
	const rounds, each = 3, 200
	for range rounds {
		var all sync.WaitGroup
		for i := range each {
			all.Add(2)
			if err := s.Go(func(g *G) {
				start := g.Go
				if i%20 == 0 {
					start = g.GoLocked
				}
				start(func(*G) { all.Done() })
				all.Done()
			}); err != nil {
				t.Fatal(err)
			}
		}
		all.Wait()
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	known := make(map[*G]bool)
	for _, g := range s.allg.list {
		if known[g] {
			t.Errorf("a G is twice on the list of all")
		}
		known[g] = true
	}
	unused := slices.Clone(s.gfree.list)
	for _, p := range s.everyp {
		unused = append(unused, p.gfree...)
	}
	for _, g := range unused {
		if !known[g] {
			t.Errorf("a G that has ended is not on the list of all")
		}
	}
	if n := len(s.allg.list); len(s.gfree.list) == 0 || n >= rounds*each*2 {
		t.Errorf("expected that Gs are used again, also from outside, saw %d Gs for %d starts, and %d that those outside can have", n, rounds*each*2, len(s.gfree.list))
	}
}

// TestTree starts Gs that start Gs: each runs once.
func TestTree(t *testing.T) {
	t.Attr("req", "SC-LOST")
	for _, c := range []Config{{Procs: 1}, {Procs: 2}, {Procs: 4}, {Procs: 2, Ring: 2}, {Procs: 3, Ring: 4}} {
		leaks(t)
		s := begin(t, c)
		var ran atomic.Int64
		var tree func(depth int) func(*G)
		tree = func(depth int) func(*G) {
			return func(g *G) {
				ran.Add(1)
				for range 2 {
					if depth > 0 {
						g.Go(tree(depth - 1))
					}
					g.Yield()
				}
			}
		}
		start(t, s, tree(12))
		if err := end(t, s); err != nil {
			t.Fatal(err)
		}
		if n := ran.Load(); n != 1<<13-1 {
			t.Errorf("%+v: expected %d Gs to run, saw %d", c, 1<<13-1, n)
		}
	}
}

// lock is a lock for Gs: those that wait for it park.
type lock struct {
	mu      sync.Mutex
	held    bool
	waiting []*G
}

func (l *lock) lock(g *G) {
	l.mu.Lock()
	if !l.held {
		l.held = true
		l.mu.Unlock()
		return
	}
	l.waiting = append(l.waiting, g)
	g.Park("lock", func() bool { l.mu.Unlock(); return true })
}

func (l *lock) unlock(g *G) {
	l.mu.Lock()
	var next *G
	if len(l.waiting) > 0 {
		next, l.waiting = l.waiting[0], l.waiting[1:]
	} else {
		l.held = false
	}
	l.mu.Unlock()
	if next != nil {
		g.Ready(next)
	}
}

// TestPark has Gs wait for each other: what a lock protects is right.
func TestPark(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	leaks(t)
	s := begin(t, Config{Procs: 4})
	var l lock
	n := 0
	for range 50 {
		start(t, s, func(g *G) {
			for range 200 {
				l.lock(g)
				n++
				if n%7 == 0 {
					g.Yield()
				}
				l.unlock(g)
			}
		})
	}
	if err := end(t, s); err != nil || n != 50*200 {
		t.Errorf("expected %d, saw %d, %v", 50*200, n, err)
	}
}

// TestMix has Gs do at random what Gs can do, many times.
func TestMix(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	leaks(t)
	gs := tier.N(t, 100_000, 20_000_000)
	s := begin(t, Config{Procs: 4, Ring: 16})
	locks := make([]lock, 8)
	held := make([]int, len(locks)) // by these
	var started, ended, locked atomic.Int64
	var mix func(depth int) func(*G)
	mix = func(depth int) func(*G) {
		return func(g *G) {
			defer ended.Add(1)
			r := rand.New(rand.NewPCG(1, g.ID()))
			for range r.IntN(4) {
				switch l := r.IntN(len(locks)); r.IntN(7) {
				case 0:
					g.Yield()
				case 1:
					if depth > 0 {
						started.Add(1)
						g.Go(mix(depth - 1))
					}
				case 2:
					locks[l].lock(g)
					held[l]++
					if r.IntN(8) == 0 {
						g.Yield()
					}
					locks[l].unlock(g)
					locked.Add(1)
				case 3:
					if r.IntN(1000) == 0 {
						g.Goexit()
					}
				case 4:
					if r.IntN(100) == 0 {
						g.Sleep(time.Duration(r.IntN(200)) * time.Microsecond)
					}
				case 5:
					g.Checkpoint()
				case 6:
					wait := func() {}
					if r.IntN(100) == 0 {
						wait = runtime.Gosched
					}
					if r.IntN(20) == 0 {
						g.BlockLong(wait)
					} else {
						g.Block(wait)
					}
				}
			}
		}
	}
	for int(started.Load()) < gs {
		started.Add(1)
		start(t, s, mix(8))
		if started.Load()-ended.Load() > 10_000 {
			time.Sleep(time.Millisecond)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, n := range held {
		sum += n
	}
	if started.Load() != ended.Load() || int64(sum) != locked.Load() {
		t.Errorf("%d Gs started, %d ended; %d times locked, %d seen", started.Load(), ended.Load(), locked.Load(), sum)
	}
	t.Logf("%d Gs, with %d stacks and %d Ms", ended.Load(), len(s.allg.list), len(s.allm))
}

// TestOutside has goroutines that are no Gs start Gs and make them runnable.
func TestOutside(t *testing.T) {
	t.Attr("req", "SC-LOST")
	leaks(t)
	s := begin(t, Config{Procs: 3})
	var group sync.WaitGroup
	var ran atomic.Int64
	for range 4 {
		group.Go(func() {
			for range 500 {
				parked := make(chan *G)
				start(t, s, func(g *G) {
					g.Park("outside", func() bool { parked <- g; return true })
					ran.Add(1)
				})
				if err := s.Ready(<-parked); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if err := end(t, s); err != nil || ran.Load() != 2000 {
		t.Errorf("expected 2000, saw %d, %v", ran.Load(), err)
	}
}

// TestPanic: a G that panics ends alone, and Close says where.
func TestPanic(t *testing.T) {
	t.Attr("req", "SC-PANIC")
	leaks(t)
	s := begin(t, Config{Procs: 2})
	ran := false
	start(t, s, func(g *G) {
		g.Go(func(*G) { ran = true })
		bursts()
	})
	err := end(t, s)
	var e *PanicError
	if !errors.As(err, &e) || e.Value != "burst" || !strings.Contains(string(e.Stack), "bursts") || !ran {
		t.Errorf("expected the panic with its stack, saw %v", err)
	}
}

func bursts() { panic("burst") }

// TestGoexit: a G may end in the middle, also by runtime.Goexit, which takes the M's
// goroutine along.
func TestGoexit(t *testing.T) {
	t.Attr("req", "DN-QUIET")
	leaks(t)
	s := begin(t, Config{Procs: 2})
	var deferred, after atomic.Int64
	for i := range 200 {
		start(t, s, func(g *G) {
			defer deferred.Add(1)
			g.Yield()
			if i%2 == 0 {
				g.Goexit()
			} else {
				runtime.Goexit()
			}
			after.Add(1)
		})
	}
	if err := end(t, s); err != nil || deferred.Load() != 200 || after.Load() != 0 {
		t.Errorf("%d deferred calls, %d went on, %v", deferred.Load(), after.Load(), err)
	}
}

// TestDeadlock: Close says who waits for what, and ends them.
func TestDeadlock(t *testing.T) {
	t.Attr("req", "DN-DEADLOCK")
	leaks(t)
	s := begin(t, Config{Procs: 2})
	var deferred atomic.Int64
	start(t, s, func(g *G) {
		for range 3 {
			g.Go(func(g *G) {
				defer deferred.Add(1)
				g.Park("Godot", nil)
				t.Error("went on")
			})
		}
	})
	err := end(t, s)
	var e *DeadlockError
	if !errors.As(err, &e) || len(e.Waiting) != 3 || e.Waiting[0].Reason != "Godot" || !strings.Contains(err.Error(), "Godot") {
		t.Errorf("expected three Gs that wait for Godot, saw %v", err)
	}
	if deferred.Load() != 3 {
		t.Errorf("%d deferred calls, want 3", deferred.Load())
	}
}

// TestUnlock: an unlock function may refuse, and may panic.
func TestUnlock(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	leaks(t)
	s := begin(t, Config{Procs: 2})
	refused := false
	start(t, s, func(g *G) {
		g.Park("refused", func() bool { refused = true; return false })
		if !refused {
			t.Error("went on before unlock was called")
		}
	})
	start(t, s, func(g *G) { g.Park("panics", func() bool { panic("no") }) })
	err := end(t, s)
	if e := new(PanicError); !errors.As(err, &e) || e.Value != "sched: the unlock function of Park has panicked: no" || !refused {
		t.Errorf("saw %v", err)
	}
}

// panics returns what f panics with.
func panics(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// TestMisuse: each misuse says what it is.
func TestMisuse(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	leaks(t)
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Procs: -1}, "sched: Procs: expected 1 to 1024, or 0 for the default, saw -1"},
		{Config{Procs: 1 << 20}, "saw 1048576"},
		{Config{Ring: 3}, "sched: Ring: expected a power of two from 2 to 65536, or 0 for the default, saw 3"},
		{Config{Ring: -2}, "saw -2"},
	} {
		if _, err := New(c.config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: saw %v, want %s", c.config, err, c.want)
		}
	}
	s := begin(t, Config{Procs: 1})
	var ended *G
	tried := make(chan bool)
	start(t, s, func(g *G) {
		defer close(tried)
		if v := panics(func() { g.Ready(g) }); v != "sched: Ready of a G that runs or is about to" {
			t.Errorf("Ready of itself: %v", v)
		}
		other := g.Go(func(g *G) { ended = g })
		if v := panics(func() { g.Ready(other) }); v != "sched: Ready of a G that runs or is about to" {
			t.Errorf("Ready of one that is runnable: %v", v)
		}
		if v := panics(func() { s.Ready(other) }); v != "sched: Ready of a G that runs or is about to" {
			t.Errorf("Ready from outside of one that is runnable: %v", v)
		}
		if v := panics(func() { g.Ready(nil) }); v != "sched: Ready of a nil G" {
			t.Errorf("Ready of none: %v", v)
		}
		if v := panics(func() { g.Go(nil) }); v != "sched: Go of a nil function" {
			t.Errorf("Go of nothing: %v", v)
		}
		if v := panics(func() { other.Park("", nil) }); v != "sched: Park outside a G that runs" {
			t.Errorf("Park of another: %v", v)
		}
		if v := panics(func() { other.Goexit() }); v != "sched: Goexit outside a G that runs" {
			t.Errorf("Goexit of another: %v", v)
		}
	})
	<-tried
	if v := panics(func() { s.Ready(nil) }); v != "sched: Ready of a nil G" {
		t.Errorf("Ready of none from outside: %v", v)
	}
	if v := panics(func() { s.Go(nil) }); v != "sched: Go of a nil function" {
		t.Errorf("Go of nothing from outside: %v", v)
	}
	if v := panics(func() { (*G)(nil).Park("", nil) }); v != "sched: Park outside a G that runs" {
		t.Errorf("Park of none: %v", v)
	}
	if err := end(t, s); err != nil {
		t.Error(err)
	}
	if v := panics(func() { ended.Yield() }); v != "sched: Yield outside a G that runs" {
		t.Errorf("Yield of one that has ended: %v", v)
	}
	if err := s.Close(); err != ErrClosed {
		t.Errorf("second Close: %v", err)
	}
	if err := s.Go(func(*G) {}); err != ErrClosed {
		t.Errorf("Go after Close: %v", err)
	}
	if err := s.Ready(ended); err != ErrClosed {
		t.Errorf("Ready after Close: %v", err)
	}
}

// TestCloseWithin: a G that never yields does not keep Close for ever.
func TestCloseWithin(t *testing.T) {
	t.Attr("req", "SC-CLOSE-RETURNS")
	leaks(t)
	s := begin(t, Config{Procs: 2})
	var end atomic.Bool
	var others atomic.Int64
	start(t, s, func(g *G) {
		for range 3 {
			g.Go(func(*G) { others.Add(1) })
		}
		for !end.Load() {
		}
	})
	err := s.CloseWithin(200 * time.Millisecond)
	if e := new(UnfinishedError); !errors.As(err, &e) || e.Running != 1 || e.Runnable+e.Waiting != 0 || others.Load() != 3 {
		t.Errorf("expected one G that runs, saw %v", err)
	}
	end.Store(true)
	s = begin(t, Config{Procs: 1})
	start(t, s, func(*G) {})
	if err := s.CloseWithin(time.Minute); err != nil {
		t.Error(err)
	}
}

// TestEmpty: a scheduler without Gs closes.
func TestEmpty(t *testing.T) {
	t.Attr("req", "SC-CLOSE-RETURNS")
	leaks(t)
	if err := end(t, begin(t, Config{})); err != nil {
		t.Error(err)
	}
}

// TestNumbers: Gs have numbers of their own, also those that are used again.
func TestNumbers(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	s := begin(t, Config{Procs: 2})
	var seen sync.Map
	for range 10 {
		start(t, s, func(g *G) {
			for range 100 {
				g.Go(func(g *G) {
					if _, was := seen.LoadOrStore(g.ID(), true); was || g.ID() == 0 {
						t.Errorf("G %d twice", g.ID())
					}
				})
				g.Yield()
			}
		})
	}
	if err := end(t, s); err != nil {
		t.Error(err)
	}
}

// TestGoBesideClose: who starts Gs from outside while others close either has started one, which then
// runs, or is told ErrClosed; and nobody leaves a coroutine behind.
func TestGoBesideClose(t *testing.T) {
	t.Attr("req", "SC-CLOSE-RETURNS")
	leaks(t)
	for range 200 {
		s := begin(t, Config{Procs: 2})
		var started, ran atomic.Int32
		var outside sync.WaitGroup
		for range 4 {
			outside.Go(func() {
				for range 20 {
					switch err := s.Go(func(*G) { ran.Add(1) }); err {
					case nil:
						started.Add(1)
					case ErrClosed:
					default:
						t.Errorf("Go beside Close: %v", err)
					}
				}
			})
		}
		if err := end(t, s); err != nil {
			t.Error(err)
		}
		outside.Wait()
		if started.Load() != ran.Load() {
			t.Fatalf("%d Gs were started, and %d ran", started.Load(), ran.Load())
		}
	}
}

// TestMaxMs: an M more than there may be ends the program, wherever it is needed, with a panic that says so; and a bound below the number of Ps is
// an error.
func TestMaxMs(t *testing.T) {
	t.Attr("req", "SC-THREADS")
	c := Config{Procs: 2, MaxMs: 2}
	const name = "SPINDLE_INTERNAL_MAXMS"
	cases := map[string]func(*G){
		"a G with an M of its own": func(g *G) {
			defer func() { recover() }()
			g.GoLocked(nothing)
			g.GoLocked(nothing)
			g.GoLocked(nothing)
		},
		"Gs that block": func(g *G) {
			for range 5 {
				g.Go(func(g *G) { g.BlockLong(func() { time.Sleep(time.Second) }) })
			}
		},
	}
	if run := cases[os.Getenv(name)]; run != nil {
		s := begin(t, c)
		s.Go(run)
		s.Close()
		return
	}
	for what := range cases {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestMaxMs$")
		cmd.Env = append(os.Environ(), name+"="+what)
		out, err := cmd.CombinedOutput()
		if err == nil || ctx.Err() != nil || !strings.Contains(string(out), "panic: sched: expected at most 2 Ms (Config.MaxMs), saw that one more is needed") {
			t.Errorf("%s: expected a panic that ends the program, saw %v, %v: %s", what, err, ctx.Err(), out)
		}
		cancel()
	}
	if s, err := New(Config{Procs: 2, MaxMs: 1}); err == nil {
		t.Errorf("expected an error, saw %v", s)
	}
	s := begin(t, c)
	if err := s.SetProcs(3); err == nil {
		t.Error("expected an error of three Ps, with two Ms, saw none")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
