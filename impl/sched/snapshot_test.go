package sched

import (
	"regexp"
	"testing"
)

// TestSnapshot: what each G does is counted, and the line has the form of GODEBUG=schedtrace.
func TestSnapshot(t *testing.T) {
	s := begin(t, Config{Procs: 1, Ring: 2, Unwatched: true})
	stop, in := make(chan bool), make(chan bool)
	start(t, s, func(g *G) {
		g.Go(func(g *G) { g.Sleep(1 << 40) })
		waits := g.Go(func(g *G) { g.Park("a test", nil) })
		g.Go(func(g *G) { g.BlockLong(func() { <-stop }) })
		for range 3 {
			g.Yield()
		}
		for range 9 {
			g.Go(func(*G) {})
		}
		in <- true
		<-stop
		g.Ready(waits)
	})
	<-in
	c := s.Snapshot()
	if expected := (Gs{Running: 1, Runnable: 9, Waiting: 1, Sleeping: 1, Blocked: 1}); c.Gs != expected {
		t.Errorf("expected %v, saw %v", expected, c.Gs)
	}
	if c.Procs != 1 || c.Idle != 0 || c.Ms != 2 || c.IdleMs != 0 || c.Spinning != 0 || len(c.Ps) != 1 || c.Queued+c.Ps[0].Queued != 9 || c.Stopping {
		t.Errorf("saw %+v", c)
	}
	form := regexp.MustCompile(`^SCHED \d+ms: gomaxprocs=1 idleprocs=0 threads=2 spinningthreads=0 needspinning=\d idlethreads=0 runqueue=\d \[ \d \] schedticks=\[ \d+ \]$`)
	if line := c.String(); !form.MatchString(line) {
		t.Errorf("expected a line like those of schedtrace, saw %q", line)
	}
	close(stop)
	_ = s.CloseWithin(1) // one sleeps for 18 minutes
}

// TestRandomised: the order of Gs is another from run to run, and all run.
func TestRandomised(t *testing.T) {
	t.Attr("req", "RQ-LOST")
	orders := make(map[[6]int]bool)
	for range 50 {
		s := begin(t, Config{Procs: 1, Randomised: true})
		var order []int
		start(t, s, func(g *G) {
			for i := range 6 {
				g.Go(func(*G) { order = append(order, i) })
			}
		})
		if err := end(t, s); err != nil {
			t.Fatal(err)
		}
		if len(order) != 6 {
			t.Fatalf("expected 6 Gs to run, saw %v", order)
		}
		orders[[6]int(order)] = true
	}
	if len(orders) < 5 {
		t.Errorf("expected many orders, saw %v", orders)
	}
}
