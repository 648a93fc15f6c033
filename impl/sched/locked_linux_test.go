package sched

import (
	"errors"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestGoLocked: Gs that have a thread for themselves are always on that one, alone, whatever they call, beside
// others that do the same on no thread of theirs.
func TestGoLocked(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	leaks(t)
	const locked, turns = 6, 60
	s := begin(t, Config{Procs: 2, Ring: 4})
	var ended atomic.Int32
	start(t, s, func(g *G) {
		threads := make([]atomic.Int32, locked)
		for i := range locked {
			g.GoLocked(func(g *G) {
				me := int32(syscall.Gettid())
				threads[i].Store(me)
				defer threads[i].Store(0)
				for turn := range turns {
					waits := new(event)
					switch turn % 6 {
					case 0:
						g.Yield()
					case 1:
						g.Sleep(50 * time.Microsecond)
					case 2:
						g.Block(func() { time.Sleep(20 * time.Microsecond) })
					case 3:
						g.BlockLong(func() {})
					case 4:
						g.Go(func(g *G) {
							for i := range threads {
								if threads[i].Load() == int32(syscall.Gettid()) {
									t.Errorf("another G runs on the thread of locked G %d", i)
								}
							}
							waits.happen(g)
						})
						waits.wait(g)
					case 5:
						g.Park("to be refused", func() bool { return false })
					}
					if now := int32(syscall.Gettid()); now != me {
						t.Errorf("turn %d: expected thread %d, saw %d", turn, me, now)
					}
				}
				ended.Add(1)
			})
		}
	})
	if err := end(t, s); err != nil {
		t.Error(err)
	}
	if n := ended.Load(); n != locked {
		t.Errorf("expected %d Gs to end, saw %d", locked, n)
	}
	if len(s.allm) > 20 {
		t.Errorf("expected that the Ms of locked Gs are gone, saw %d Ms", len(s.allm))
	}
}

// TestGoLockedEnds: a panic, a Goexit and a deadlock of a locked G are what they are of others.
func TestGoLockedEnds(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	leaks(t)
	s := begin(t, Config{Procs: 2})
	var deferred atomic.Int32
	start(t, s, func(g *G) {
		g.GoLocked(func(g *G) { panic("burst") })
		g.GoLocked(func(g *G) {
			defer deferred.Add(1)
			g.Goexit()
		})
		g.GoLocked(func(g *G) {
			defer deferred.Add(1)
			g.Park("nobody", nil)
		})
		g.GoLocked(func(g *G) {
			g.Go(func(*G) { deferred.Add(1) })
		})
	})
	err := end(t, s)
	if e := new(PanicError); !errors.As(err, &e) || e.Value != "burst" {
		t.Errorf("expected the panic of the locked G, saw %v", err)
	}
	if e := new(DeadlockError); !errors.As(err, &e) || len(e.Waiting) != 1 || e.Waiting[0].Reason != "nobody" {
		t.Errorf("expected one G that waits for nobody, saw %v", err)
	}
	if n := deferred.Load(); n != 3 {
		t.Errorf("expected 3 deferred calls and Gs, saw %d", n)
	}
	if v := panics(func() { (&G{}).GoLocked(nil) }); v == nil || !strings.HasPrefix(v.(string), "sched: GoLocked") {
		t.Errorf("GoLocked(nil): saw %v", v)
	}
}
