package sched

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestBlock: Gs that wait for each other in Block, more of them than there are Ps, all get there: a P
// does not stay with an M that waits.
func TestBlock(t *testing.T) {
	t.Attr("req", "SY-HANDOFF")
	for name, block := range map[string]func(*G, func()){"Block": (*G).Block, "BlockLong": (*G).BlockLong} {
		for _, procs := range []int{1, 2} {
			t.Run(name, func(t *testing.T) {
				leaks(t)
				s := begin(t, Config{Procs: procs})
				const n = 20
				var there sync.WaitGroup
				there.Add(n)
				var after atomic.Int32
				for range n {
					start(t, s, func(g *G) {
						block(g, func() { there.Done(); there.Wait() })
						g.Yield()
						after.Add(1)
					})
				}
				if err := end(t, s); err != nil || after.Load() != n {
					t.Errorf("expected %d Gs to come back, saw %d, and %v", n, after.Load(), err)
				}
			})
		}
	}
}

// TestBlockEnds: what a function in Block may do: panic, end the G, and not use the G.
func TestBlockEnds(t *testing.T) {
	t.Attr("req", "SY-RETURN")
	leaks(t)
	for _, block := range []func(*G, func()){(*G).Block, (*G).BlockLong} {
		s := begin(t, Config{Procs: 1})
		var recovered, deferred, used any
		start(t, s, func(g *G) {
			defer func() { g.Yield(); recovered = recover() }()
			block(g, func() { panic("in a syscall") })
		})
		start(t, s, func(g *G) {
			defer func() { g.Yield(); deferred = true }()
			block(g, func() { time.Sleep(30 * time.Millisecond); runtime.Goexit() })
		})
		start(t, s, func(g *G) {
			block(g, func() { used = panics(func() { g.Yield() }) })
		})
		for range 10 {
			start(t, s, func(g *G) { g.Yield() })
		}
		if err := end(t, s); err != nil {
			t.Error(err)
		}
		if recovered != "in a syscall" || deferred != true || used != "sched: Yield outside a G that runs" {
			t.Errorf("saw %v, %v, %v", recovered, deferred, used)
		}
	}
	s := begin(t, Config{Procs: 1})
	start(t, s, func(g *G) {
		for _, block := range []func(*G, func()){(*G).Block, (*G).BlockLong} {
			if v := panics(func() { block(g, nil) }); v == nil || !strings.HasPrefix(v.(string), "sched: Block") {
				t.Errorf("a nil function: %v", v)
			}
			if v := panics(func() { block(nil, func() {}) }); v == nil || !strings.Contains(v.(string), "outside a G that runs") {
				t.Errorf("outside: %v", v)
			}
		}
	})
	if err := end(t, s); err != nil {
		t.Error(err)
	}
}

// TestSleep: no G wakes before its time, and all wake, whatever the others do.
func TestSleep(t *testing.T) {
	t.Attr("req", "TM-POLL")
	for _, busy := range []bool{false, true} {
		leaks(t)
		s := begin(t, Config{Procs: 2})
		var woke atomic.Int32
		for i := range 200 {
			d := time.Duration(i*37%50) * time.Millisecond
			start(t, s, func(g *G) {
				began := time.Now()
				g.Sleep(d)
				if took := time.Since(began); took < d {
					t.Errorf("a sleep of %v took %v", d, took)
				}
				g.Sleep(-1)
				woke.Add(1)
			})
		}
		if busy {
			for range 2 {
				start(t, s, func(g *G) {
					for began := time.Now(); time.Since(began) < 100*time.Millisecond; {
						g.Yield()
					}
				})
			}
		}
		if err := end(t, s); err != nil || woke.Load() != 200 {
			t.Errorf("expected 200 Gs to wake, saw %d, and %v", woke.Load(), err)
		}
	}
}

// TestSleepAlone: while all wait for a time, nobody is at work.
func TestSleepAlone(t *testing.T) {
	t.Attr("req", "TM-POLL")
	for _, procs := range []int{1, 2} {
		t.Run(fmt.Sprint(procs, " Ps"), func(t *testing.T) { sleepAlone(t, procs) })
	}
}

func sleepAlone(t *testing.T, procs int) {
	leaks(t)
	s := begin(t, Config{Procs: procs})
	start(t, s, func(g *G) { g.Sleep(time.Hour) })
	eventually(t, "an M waits for the end of an hour", func() bool { return s.pollUntil.Load() != 0 })
	woke := make(chan bool)
	start(t, s, func(g *G) { g.Sleep(time.Millisecond); close(woke) }) // the M that waits is told
	select {
	case <-woke:
	case <-time.After(10 * time.Second):
		t.Error("a G that was to wake after a millisecond sleeps on")
	}
	e, _ := s.CloseWithin(300 * time.Millisecond).(*UnfinishedError)
	if e == nil || e.Sleeping != 1 || e.Running+e.Runnable+e.Waiting+e.Blocked != 0 {
		t.Fatalf("expected one G that sleeps, saw %v", e)
	}
	if n := s.npidle.Load(); int(n) != procs {
		t.Errorf("%d Ps are idle", n)
	}
	// The test has no hour: from outside the time comes sooner.
	s.global.Lock()
	for _, p := range s.allp {
		p.timers.mu.Lock()
		for _, g := range p.timers.heap {
			g.when = 1
			p.timers.first.Store(1)
		}
		p.timers.mu.Unlock()
	}
	s.global.Unlock()
	s.poller.ring()
}

// TestSysmonRests: sysmon sleeps while all Ps are idle, and Close does not wait for it.
func TestSysmonRests(t *testing.T) {
	t.Attr("req", "DN-QUIET")
	leaks(t)
	s := begin(t, Config{Procs: 2})
	start(t, s, nothing)
	eventually(t, "sysmon sleeps", s.sysmonwait.Load)
	if err := end(t, s); err != nil {
		t.Error(err)
	}
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 10_000 {
		if is() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("expected that %s, saw that it does not in 10 s", what)
}

// TestCheckpoint: one P, a G that computes, and one that waits for its turn.
func TestCheckpoint(t *testing.T) {
	t.Attr("req", "FA-PREEMPT")
	leaks(t)
	s := begin(t, Config{Procs: 1})
	var ran atomic.Bool
	began := time.Now()
	start(t, s, func(g *G) {
		g.Go(func(*G) { ran.Store(true) })
		for !ran.Load() && time.Since(began) < 10*time.Second {
			g.Checkpoint()
		}
		if !ran.Load() {
			t.Error("a G that called Checkpoint for 10 s let nobody run")
		}
	})
	if err := end(t, s); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took < 9*time.Millisecond {
		t.Errorf("a G was made to yield after %v", took)
	}
}

// TestSlice: two Gs that wake each other share one time slice, and hand it on to nobody else when it is
// over: others have their turn.
func TestSlice(t *testing.T) {
	t.Attr("req", "FA-YIELD")
	leaks(t)
	s := begin(t, Config{Procs: 1})
	var ran atomic.Bool
	began := time.Now()
	over := func() bool { return ran.Load() || time.Since(began) > 10*time.Second }
	start(t, s, func(g *G) {
		g.Go(func(*G) { ran.Store(true) })
		other := g.Go(func(other *G) {
			for !over() {
				other.Ready(g)
				other.Park("turn", nil)
			}
			other.Ready(g)
		})
		for g.Park("turn", nil); !over(); g.Park("turn", nil) {
			g.Ready(other)
		}
		if !ran.Load() {
			t.Error("two Gs that wake each other let nobody else run for 10 s")
		}
		if other.status.Load() == waiting {
			g.Ready(other)
			g.Park("end", nil)
		}
	})
	if err := end(t, s); err != nil {
		t.Error(err)
	}
}

// TestTimersMove: a timer of a P that goes is not lost.
func TestTimersMove(t *testing.T) {
	t.Attr("req", "TM-POLL")
	const procs = 4
	s := begin(t, Config{Procs: procs})
	var at, ran atomic.Int32
	start(t, s, func(g *G) {
		for range procs {
			g.Go(func(g *G) {
				for at.Add(1); at.Load() < procs; { // each on its own P
					runtime.Gosched()
				}
				g.AfterFunc(30*time.Millisecond, func(*G) { ran.Add(1) })
				if at.Add(1) == 2*procs {
					if err := g.SetProcs(1); err != nil {
						t.Error(err)
					}
				}
			})
		}
	})
	if err := end(t, s); err != nil {
		t.Error(err)
	}
	if n := ran.Load(); n != procs {
		t.Errorf("expected %d timers to do something, saw %d", procs, n)
	}
}

// TestAfterFunc: a function runs as a G when its time has come, in the order of times, also on a P that
// has gone meanwhile; not if it was stopped, which happens once.
func TestAfterFunc(t *testing.T) {
	t.Attr("req", "TM-POLL")
	s := begin(t, Config{Procs: 2})
	var ran [3]atomic.Int64
	var stopped, again atomic.Bool
	start(t, s, func(g *G) {
		began := time.Now()
		for i := range ran {
			g.AfterFunc(time.Duration(3-i)*20*time.Millisecond, func(*G) { ran[i].Store(int64(time.Since(began))) })
		}
		never := g.AfterFunc(30*time.Millisecond, func(*G) { t.Error("a timer that was stopped did something") })
		stopped.Store(never.Stop())
		again.Store(never.Stop())
		if err := g.SetProcs(1); err != nil {
			t.Error(err)
		}
	})
	if err := end(t, s); err != nil {
		t.Error(err)
	}
	if !stopped.Load() || again.Load() {
		t.Errorf("expected Stop to return true and then false, saw %v and %v", stopped.Load(), again.Load())
	}
	for i := range ran {
		if saw, least := ran[i].Load(), int64(3-i)*int64(20*time.Millisecond); saw < least {
			t.Errorf("expected it to run after %v, saw %v", time.Duration(least), time.Duration(saw))
		}
	}
}

// TestSlices: sysmon asks a G to yield whose time slice it has seen for 10 ms, and no other.
func TestSlices(t *testing.T) {
	t.Attr("req", "FA-PREEMPT")
	s := begin(t, Config{Procs: 1, Unwatched: true})
	p := s.allp[0]
	for i, c := range []struct {
		at     int64 // in units of forcePreempt
		begins bool  // a time slice, before sysmon looks
		asked  bool
	}{{1, true, false}, {2, true, false}, {3, false, true}, {4, true, false}, {5, false, true}} {
		if c.begins {
			p.newSlice()
		}
		s.retake(c.at * forcePreempt)
		if asked := p.preempt.Load() == sliceOver; asked != c.asked {
			t.Errorf("look %d: expected that sysmon has asked: %v, saw %v", i+1, c.asked, asked)
		}
	}
	if n := p.slices.Load(); n != 3 {
		t.Errorf("expected sysmon to know of 3 time slices, saw %d", n)
	}
	if err := end(t, s); err != nil {
		t.Error(err)
	}
}
