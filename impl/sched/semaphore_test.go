package sched

import (
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestSemaphore: no more Gs are inside than there is room for, all get there, and in their order.
func TestSemaphore(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	leaks(t)
	s := begin(t, Config{Procs: 3})
	two, first := NewSemaphore(2), NewSemaphore(0)
	var inside, most, through atomic.Int32
	for range 500 {
		start(t, s, func(g *G) {
			two.Acquire(g, "a test")
			n := inside.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			g.Yield()
			inside.Add(-1)
			through.Add(1)
			two.Release(g)
		})
	}
	start(t, s, func(g *G) {
		g.Go(func(g *G) { first.Release(g) })
		first.Acquire(g, "its release")
		through.Add(1)
	})
	if err := end(t, s); err != nil || through.Load() != 501 || most.Load() > 2 {
		t.Errorf("expected 501 Gs through, two at a time, saw %d, %d, %v", through.Load(), most.Load(), err)
	}
	if v := panics(func() { NewSemaphore(-1) }); v == nil {
		t.Error("expected a panic for -1")
	}
	if v := panics(func() { two.Acquire(nil, "") }); v == nil {
		t.Error("expected a panic outside a G")
	}
}

// TestSemaphoreExplored tries orders of two Gs that want it, on two Ps.
func TestSemaphoreExplored(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "DN-ONE-PLACE")
	play(t, scene{main: func(g *G) {
		l := NewSemaphore(1)
		g.Go(func(g *G) { l.Acquire(g, "other"); l.Release(g) })
		l.Acquire(g, "one")
		g.Yield()
		l.Release(g)
	}}, interleave.Executions(3000))
}
