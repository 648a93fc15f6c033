package sched

import (
	"sync/atomic"
	"testing"
	"time"
)

// processors is an environment whose number of processors changes.
type processors struct {
	realTime
	n *atomic.Int32
}

func (e processors) procs() int { return int(e.n.Load()) }

// TestFollows: there are as many Ps as processors each time that their number has changed, until SetProcs is called.
func TestFollows(t *testing.T) {
	t.Attr("req", "VA-PROCS")
	env := processors{n: new(atomic.Int32)}
	env.n.Store(2)
	s, err := newIn(Config{}, env)
	if err != nil {
		t.Fatal(err)
	}
	var over atomic.Bool
	for range 2 { // sysmon looks while a P is at work
		if err := s.Go(func(g *G) {
			for !over.Load() {
				time.Sleep(time.Millisecond)
				g.Yield()
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	comesTo := func(n int, within time.Duration) bool {
		for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if s.Snapshot().Procs == n {
				return true
			}
		}
		return false
	}
	for _, n := range []int{4, 1, 3} {
		env.n.Store(int32(n))
		if !comesTo(n, 10*time.Second) {
			t.Errorf("expected %d Ps, as many as processors, saw %d", n, s.Snapshot().Procs)
		}
	}
	if err := s.SetProcs(2); err != nil {
		t.Fatal(err)
	}
	env.n.Store(4)
	if comesTo(4, 1500*time.Millisecond) {
		t.Error("expected two Ps, as SetProcs has asked for, saw four")
	}
	over.Store(true)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
