package sched

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestForEachP: the function is called once for each P, and Gs that ran have stopped since, beside Gs that yield, block and change the
// number of Ps.
func TestForEachP(t *testing.T) {
	t.Attr("req", "DN-SAFEPOINT")
	tier.OnlyFull(t)
	s, err := New(Config{Procs: 3})
	if err != nil {
		t.Fatal(err)
	}
	var over atomic.Bool
	for range 4 {
		s.Go(func(g *G) {
			for !over.Load() {
				g.Go(nothing)
				g.Yield()
			}
		})
		s.Go(func(g *G) {
			for !over.Load() {
				g.Block(func() { time.Sleep(time.Microsecond) })
			}
		})
		s.Go(func(g *G) {
			for !over.Load() {
				g.Checkpoint()
			}
		})
	}
	s.Go(func(g *G) {
		for n := 1; !over.Load(); n = n%4 + 1 {
			if err := g.SetProcs(n); err != nil {
				t.Error(err)
			}
			g.Sleep(100 * time.Microsecond)
		}
	})
	s.Go(func(g *G) {
		defer over.Store(true)
		for range 200 {
			var times [4]atomic.Int32
			g.ForEachP(func(p int) { times[p].Add(1) })
			// The number of Ps may be another one by now, but it was one from 1 to 4.
			left := false
			for p := range times {
				n := times[p].Load()
				if n > 1 || n == 1 && left || n == 0 && p == 0 {
					t.Errorf("DN-SAFEPOINT: expected one call for each P, saw %d for P%d", n, p)
				}
				left = left || n == 0
			}
		}
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestForEachPWrong: who calls it wrongly is told, and a function that panics takes nothing down.
func TestForEachPWrong(t *testing.T) {
	t.Attr("req", "DN-SAFEPOINT")
	s, err := New(Config{Procs: 2})
	if err != nil {
		t.Fatal(err)
	}
	panics := func(f func()) (said string) {
		defer func() { said = fmt.Sprint(recover()) }()
		f()
		return ""
	}
	var kept *G
	s.Go(func(g *G) {
		kept = g
		if said := panics(func() { g.ForEachP(nil) }); said != "sched: ForEachP of a nil function" {
			t.Errorf("of nil: saw %q", said)
		}
		if said := panics(func() { g.ForEachP(func(int) { panic("no") }) }); said != "sched: the function of ForEachP has panicked: no" {
			t.Errorf("of a function that panics: saw %q", said)
		}
		var calls atomic.Int32
		g.ForEachP(func(int) { calls.Add(1) })
		if n := calls.Load(); n != 2 {
			t.Errorf("after a panic: expected 2 calls, saw %d", n)
		}
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if said := panics(func() { kept.ForEachP(func(int) {}) }); !strings.Contains(said, "sched: ForEachP outside a G that runs") {
		t.Errorf("outside: saw %q", said)
	}
}

// TestSafepointBesideBlockLong: a P is handed off while ForEachP waits for it and another P is idle, with three Ps.
func TestSafepointBesideBlockLong(t *testing.T) {
	t.Attr("req", "DN-SAFEPOINT")
	tier.OnlyFull(t)
	play(t, scene{procs: 3, main: func(g *G) { g.Go(func(g *G) { g.BlockLong(forever) }); eachP(g); forever() }}, interleave.Preemptions(2))
}

// TestSafepointAgain: a G goes into a syscall while ForEachP waits for its P, wherever that is then. The time of who waits is over
// once it is in there, and then it must find that the P has called its function.
func TestSafepointAgain(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "DN-SAFEPOINT")
	looksAgain(t, eachP, func(s *Scheduler) *bell { return &s.safePointNote },
		"DN-SAFEPOINT: ForEachP waits", func(s *Scheduler) bool { return s.safePointWait.Load() > 0 })
}

// TestSafepointMoment: the function is not called for the P of a G between two calls of the G at which it may stop.
func TestSafepointMoment(t *testing.T) {
	t.Attr("req", "DN-SAFEPOINT")
	tier.OnlyFull(t)
	play(t, scene{main: func(g *G) {
		var inside atomic.Bool
		g.Go(func(g *G) {
			inside.Store(true)
			inside.Store(false)
			g.Yield()
			inside.Store(true)
			inside.Store(false)
			g.Block(func() {})
			forever()
		})
		own := g.m.p.id
		g.ForEachP(func(p int) {
			if p != own && inside.Load() {
				panic(fmt.Sprintf("DN-SAFEPOINT: the function of ForEachP is called for P%d while a G runs there", p))
			}
		})
		forever()
	}}, interleave.Preemptions(3), interleave.Executions(200_000))
}

// TestSafepointOfPsThatCome: a P that was not there when ForEachP was called does not call its function when it comes back.
func TestSafepointOfPsThatCome(t *testing.T) {
	t.Attr("req", "DN-SAFEPOINT")
	var calls *atomic.Int32
	interleave.Test(t, func(x *interleave.Exec) {
		calls = new(atomic.Int32)
		s := begun(x, scene{main: func(g *G) {
			g.SetProcs(1)
			g.ForEachP(func(int) { calls.Add(1) })
			g.SetProcs(2)
			g.Go(func(*G) { forever() })
			forever()
		}})
		x.Finally(func() {
			atRest(x, s)
			if n := calls.Load(); n != 1 {
				x.Fatalf("DN-SAFEPOINT: expected one call for the one P that there was, saw %d", n)
			}
		})
	}, interleave.Exhaustive())
}
