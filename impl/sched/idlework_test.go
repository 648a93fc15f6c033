package sched

import (
	"sync/atomic"
	"testing"
)

// TestIdleOnce: each function of Idle is called once, also where one M is about to drop its P and another looks at everything again.
func TestIdleOnce(t *testing.T) {
	t.Attr("req", "SC-TWICE")
	rounds := 6000
	if testing.Short() {
		rounds = 1500
	}
	for round := range rounds {
		s, err := New(Config{Procs: 4})
		if err != nil {
			t.Fatal(err)
		}
		var n atomic.Int64
		for range 20 {
			if err := s.Go(func(g *G) {
				for range 10 {
					g.Idle(func() { n.Add(1) })
					g.Yield()
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil || n.Load() != 200 {
			t.Fatalf("round %d: expected 200 calls, saw %d, %v", round, n.Load(), err)
		}
	}
}
