package sched

import (
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
)

// TestSetProcs: how many Gs run at a time is what was asked for last, and nothing is lost on the way:
// neither what is queued on Ps that go, nor who sleeps or is in Block there.
func TestSetProcs(t *testing.T) {
	t.Attr("req", "DN-STOP")
	s := begin(t, Config{Procs: 4, Ring: 4})
	var ran, at, most atomic.Int64
	for range 50 {
		start(t, s, func(g *G) {
			for i := range 40 {
				g.Go(func(g *G) {
					n := at.Add(1)
					for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
					}
					runtime.Gosched()
					at.Add(-1)
					switch i % 4 {
					case 0:
						g.Yield()
					case 1:
						g.Sleep(time.Duration(i) * 100 * time.Microsecond)
					case 2:
						g.Block(func() { time.Sleep(50 * time.Microsecond) })
					}
					ran.Add(1)
				})
				g.Checkpoint()
			}
		})
	}
	for _, n := range []int{1, 3, 7, 2, 5, 1} {
		if err := s.SetProcs(n); err != nil {
			t.Fatal(err)
		}
		most.Store(0)
		time.Sleep(2 * time.Millisecond)
		if saw := most.Load(); saw > int64(n) {
			t.Errorf("with %d Ps %d Gs ran at a time", n, saw)
		}
	}
	if err := end(t, s); err != nil {
		t.Error(err)
	}
	if n := ran.Load(); n != 50*40 {
		t.Errorf("expected %d Gs to run, saw %d", 50*40, n)
	}
}

// TestSetProcsTogether: many ask at once; the last word is one of theirs.
func TestSetProcsTogether(t *testing.T) {
	t.Attr("req", "DN-STOP")
	s := begin(t, Config{Procs: 2})
	var all sync.WaitGroup
	for n := range 20 {
		all.Add(1)
		start(t, s, func(g *G) {
			defer all.Done()
			for i := range 10 {
				if err := g.SetProcs(1 + (n+i)%5); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := len(s.procs()); n < 1 || n > 5 {
		t.Errorf("expected 1 to 5 Ps, saw %d", n)
	}
	if err := end(t, s); err != nil {
		t.Error(err)
	}
}

// TestStopWaitsForNobodyInBlock: a G in Block does not keep the world from being stopped, however long it takes.
func TestStopWaitsForNobodyInBlock(t *testing.T) {
	t.Attr("req", "DN-STOP")
	for _, long := range []bool{false, true} {
		s := begin(t, Config{Procs: 2, Unwatched: true})
		in, out := make(chan bool), make(chan bool)
		wait := func() { in <- true; <-out }
		start(t, s, func(g *G) {
			if long {
				g.BlockLong(wait)
			} else {
				g.Block(wait)
			}
		})
		<-in
		if err := s.SetProcs(1); err != nil {
			t.Fatal(err)
		}
		ran := make(chan bool)
		start(t, s, func(*G) { ran <- true })
		<-ran
		out <- true
		if err := end(t, s); err != nil {
			t.Error(err)
		}
	}
}

// TestTwoStops: two Gs stop the world, one after the other.
func TestTwoStops(t *testing.T) {
	t.Attr("req", "DN-STOP")
	interleave.Test(t, func(x *interleave.Exec) {
		var done atomic.Int32
		stops := func(g *G) {
			g.SetProcs(2)
			done.Add(1)
		}
		s := begun(x, scene{main: func(g *G) { g.Go(stops); stops(g) }})
		x.Finally(func() {
			atRest(x, s)
			if n := done.Load(); n != 2 {
				x.Fatalf("DN-STOP: of two Gs that stop the world %d have", n)
			}
		})
	}, interleave.Preemptions(2))
}

// TestStopBesideBlockLong: a P that is handed off while the world is to stop stops.
func TestStopBesideBlockLong(t *testing.T) {
	t.Attr("req", "DN-STOP")
	play(t, scene{procs: 3, main: func(g *G) { g.Go(func(g *G) { g.BlockLong(forever) }); g.SetProcs(1); forever() }}, interleave.Preemptions(2))
}

// TestStopAgain: a G goes into a syscall while the world is to stop, wherever it is then. The time of who
// waits for it is over once it is in there, and then it must find the world stopped.
func TestStopAgain(t *testing.T) {
	t.Attr("req", "DN-STOP")
	looksAgain(t, func(g *G) { g.SetProcs(1) }, func(s *Scheduler) *bell { return &s.stopnote },
		"DN-STOP: the world is to stop", func(s *Scheduler) bool { return s.gcwaiting.Load() })
}

// looksAgain plays a G that goes into a syscall beside one that calls what waits for its P, on a bell. Time is over for the bell
// once the first is in the syscall: then who waits must look again, and take the P.
func looksAgain(t *testing.T, call func(*G), on func(*Scheduler) *bell, what string, waits func(*Scheduler) bool) {
	t.Helper()
	interleave.Test(t, func(x *interleave.Exec) {
		in := newVirtualTime()
		s := begun(x, scene{main: func(g *G) {
			g.Go(func(g *G) { g.Block(func() { in.pass(1); forever() }) })
			call(g)
			forever()
		}})
		*on(s) = &onceBell{virtualBell: &virtualBell{virtualTime: in}}
		x.Finally(func() {
			atRest(x, s)
			if waits(s) && in.nanotime() > 1 {
				x.Fatalf("%s, a P lies in a syscall, and nobody takes it", what)
			}
		})
	}, interleave.Exhaustive())
}

// onceBell is a bell for which time is over once, when an hour has gone by. Then it sleeps until it is rung.
type onceBell struct {
	*virtualBell
	over bool
}

func (b *onceBell) sleep(int64) bool {
	until := int64(2)
	if b.over {
		until = math.MaxInt64
	}
	rung := b.virtualBell.sleep(until)
	b.over = b.over || !rung
	return rung
}

// TestSetProcsErrors: what cannot be is refused, with what was expected.
func TestSetProcsErrors(t *testing.T) {
	s := begin(t, Config{Procs: 1})
	for _, n := range []int{-1, 0, MostProcs + 1} {
		if err := s.SetProcs(n); err == nil || !strings.Contains(err.Error(), "expected 1 to 1024, saw") {
			t.Errorf("SetProcs(%d): expected an error with what was expected, saw %v", n, err)
		}
	}
	if err := end(t, s); err != nil {
		t.Error(err)
	}
	if err := s.SetProcs(1); err != ErrClosed {
		t.Errorf("SetProcs after Close: expected ErrClosed, saw %v", err)
	}
}
