package sched

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
)

// A scene is a scheduler under the explorer. It begins with one M that has a P and one G
// to run, and has no end: Ms that find nothing sleep. Thieves make one round, the one that
// takes runnext; the other three look at less. They go through the Ps in one order
// that is by chance elsewhere: with three Ps, the other orders are not explored.
type scene struct {
	*Scheduler
	x *interleave.Exec
}

// play explores a scene whose first G runs main.
func play(t *testing.T, c Config, main func(*scene, *G), opts ...interleave.Option) {
	t.Helper()
	interleave.Test(t, func(x *interleave.Exec) { x.Finally(newScene(x, c, main).atRest) }, opts...)
}

// newScene makes the scene of an execution.
func newScene(x *interleave.Exec, c Config, main func(*scene, *G)) *scene {
	s, err := New(c)
	if err != nil {
		x.Fatalf("%v", err)
	}
	s.stealTries = 1
	sc := &scene{s, x}
	m := s.newm()
	m.born, m.nextp = true, s.pidleget()
	gp := s.newG()
	gp.init(func(g *G) { main(sc, g) }, 1)
	m.nextp.runq.Put(&gp.queued, true)
	x.Daemon("M1", m.mstart)
	return sc
}

// atRest looks at a scheduler in which nobody can go on: each M sleeps, or runs a G that does not end.
func (sc *scene) atRest() {
	if len(sc.errs) > 0 {
		sc.x.Fatalf("%v", sc.errs[0])
	}
	idle, asleep, queued := 0, 0, sc.global.Len()
	for p := sc.pidle; p != nil; p = p.link {
		if idle++; !p.runq.Empty() {
			sc.x.Fatalf("DN-IDLE-EMPTY: P%d is idle and has work", p.id)
		}
	}
	for _, p := range sc.allp {
		if !p.runq.Empty() {
			queued++
		}
	}
	for m := sc.midle; m != nil; m = m.link {
		asleep++
	}
	if n := sc.npidle.Load(); int(n) != idle {
		sc.x.Fatalf("DN-IDLE-COUNT: npidle is %d, and %d Ps are idle", n, idle)
	}
	if n := sc.nmspinning.Load(); n != 0 {
		sc.x.Fatalf("DN-SPIN-COUNT: nmspinning is %d, and nobody spins", n)
	}
	if queued > 0 && idle > 0 {
		sc.x.Fatalf("DN-WORK-QUIET: a G waits in a queue beside an idle P, and nobody comes")
	}
	if idle+sc.nm-asleep != len(sc.allp) {
		sc.x.Fatalf("DN-P-OWNED: of %d Ps %d are idle, and %d Ms are at work", len(sc.allp), idle, sc.nm-asleep)
	}
	for _, g := range sc.allg.list {
		switch state := g.status.Load(); {
		case state == dead:
			g.stop()
		case state == waiting || state == runnable && queued == 0:
			sc.x.Fatalf("DN-ONE-PLACE: G %d %s, and nobody can go on", g.ID(), statusNames[state])
		}
	}
}

// What Gs do in scenes.

func nothing(*G) {}

// forever runs on, and leaves its P to nobody.
func forever() {
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

// An event happens once. A G may wait for it.
type event struct {
	mu       sync.Mutex
	happened bool
	waits    *G
}

func (e *event) wait(g *G) {
	e.mu.Lock()
	if e.happened {
		e.mu.Unlock()
		return
	}
	e.waits = g
	g.Park("event", func() bool { e.mu.Unlock(); return true })
}

func (e *event) happen(g *G) {
	e.mu.Lock()
	e.happened = true
	waits := e.waits
	e.mu.Unlock()
	if waits != nil {
		g.Ready(waits)
	}
}

// A played is a scene with its name.
type played struct {
	name  string
	long  bool
	procs int
	main  func(*scene, *G)
}

// scenes are explored to their end. One that is not long fails if that takes more than a
// minute; a long one takes longer than anybody has waited so far: after six minutes park was
// right in 2.7 million executions, and not complete.
var scenes = []played{
	{"end", false, 2, func(_ *scene, g *G) {}},
	{"spawn", false, 2, func(_ *scene, g *G) { g.Go(nothing) }},
	{"spawn beside work", false, 2, func(_ *scene, g *G) { g.Go(nothing); g.Go(nothing); forever() }},
	{"spawn work", false, 2, func(_ *scene, g *G) { g.Go(func(*G) { forever() }); g.Go(nothing); forever() }},
	{"spawn work, 3 Ps", false, 3, func(_ *scene, g *G) { g.Go(func(*G) { forever() }); g.Go(func(*G) { forever() }); forever() }},
	{"yield, one P", false, 1, func(_ *scene, g *G) { g.Go(func(g *G) { g.Yield() }); g.Yield() }},
	{"park, one P", false, 1, func(_ *scene, g *G) { e := new(event); g.Go(func(g *G) { e.happen(g) }); e.wait(g) }},
	{"park, then work", false, 2, func(_ *scene, g *G) {
		e := new(event)
		g.Go(func(g *G) { e.happen(g); forever() })
		e.wait(g)
		forever()
	}},
	{"yield, then work", false, 2, func(_ *scene, g *G) { g.Go(nothing); g.Yield(); forever() }},
	{"park", true, 2, func(_ *scene, g *G) { e := new(event); g.Go(func(g *G) { e.happen(g) }); e.wait(g) }},
	{"yield", true, 2, func(_ *scene, g *G) { g.Go(nothing); g.Yield() }},
	{"spawn three beside work", true, 2, threeBesideWork},
}

// TestClose explores who comes from outside, starts a G and closes: the Ms end, and nothing is left.
func TestClose(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	spawn := func(g *G) { g.Go(nothing) }
	for _, c := range []struct {
		name  string
		procs int
		main  func(*G)
	}{{"end, one P", 1, nothing}, {"spawn, one P", 1, spawn}, {"end", 2, nothing}} {
		t.Run(c.name, func(t *testing.T) {
			interleave.Test(t, func(x *interleave.Exec) {
				s, err := New(Config{Procs: c.procs, Ring: 2})
				if err != nil {
					x.Fatalf("%v", err)
				}
				s.stealTries = 1
				x.Go("outside", func() {
					if err := s.Go(c.main); err != nil {
						x.Fatalf("%v", err)
					}
					if err := s.Close(); err != nil {
						x.Fatalf("%v", err)
					}
				})
				x.Finally(func() {
					for _, g := range s.allg.list {
						if state := g.status.Load(); state != dead {
							x.Fatalf("G %d %s after Close", g.ID(), statusNames[state])
						}
					}
				})
			}, interleave.Exhaustive())
		})
	}
}

func threeBesideWork(_ *scene, g *G) {
	for range 3 {
		g.Go(nothing)
	}
	forever()
}

// TestLostWakeup: the explorer finds the lost wakeup of Go 1.26 (tla/findings/wakep.md) with nothing but
// a scheduler that has it and a program of four Gs. It needs three preemptions; without the
// flaw, all executions of that program with up to three are right.
func TestLostWakeup(t *testing.T) {
	t.Attr("req", "DN-WORK-QUIET")
	t.Run("shipped", func(t *testing.T) {
		play(t, Config{Procs: 2, Ring: 4, Shipped: Shipped{Wakep: true}}, threeBesideWork, interleave.Preemptions(3), interleave.MustFail(func(r interleave.Report) {
			if f := r.Failure; !strings.Contains(f.Message, "DN-WORK-QUIET") || f.Switches > 6 {
				t.Errorf("expected DN-WORK-QUIET with at most 6 switches, saw\n%s", r.Text(""))
			}
			t.Logf("after %d executions:\n%s", r.Certificate.Executions, r.Text(""))
		}))
	})
	t.Run("mended", func(t *testing.T) {
		play(t, Config{Procs: 2, Ring: 4}, threeBesideWork, interleave.Preemptions(3))
	})
}

// TestScenes explores each scene to its end: nothing is lost, nobody sleeps beside work.
func TestScenes(t *testing.T) {
	t.Attr("req", "DN-WORK-QUIET")
	for _, c := range scenes {
		t.Run(c.name, func(t *testing.T) {
			if c.long && os.Getenv("SPINDLE_LONG") != "1" {
				t.Skip("takes hours; SPINDLE_LONG=1 runs it, with a -timeout")
			}
			opts := []interleave.Option{interleave.Exhaustive()}
			if c.long { // it ends complete, or by the timeout of go test, as a failure
				opts = append(opts, interleave.Budget(24*time.Hour))
			}
			play(t, Config{Procs: c.procs, Ring: 2}, c.main, opts...)
		})
	}
}
