package sched

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
)

// A scene is a scheduler under the explorer, with one M that has a P and one G to run.
// There is no end: Ms that find nothing sleep for ever.
type scene struct {
	*Scheduler
	x *interleave.Exec
}

// play explores a program: its first G runs main.
func play(t *testing.T, c Config, main func(*scene, *G), opts ...interleave.Option) {
	t.Helper()
	interleave.Test(t, func(x *interleave.Exec) {
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
		x.Daemon("M1", func() {
			m.acquirep(m.nextp)
			m.nextp = nil
			m.schedule()
		})
		x.Finally(sc.quiet)
	}, opts...)
}

// quiet looks at a scheduler in which nobody can go on: all Ms sleep, or run Gs that do
// not end.
func (sc *scene) quiet() {
	idle, queued, spinning := 0, sc.global.Len(), sc.nmspinning.Load()
	for p := sc.pidle; p != nil; p = p.link {
		idle++
		if !p.runq.Empty() {
			sc.x.Fatalf("DN-IDLE-EMPTY: idle P%d has work", p.id)
		}
	}
	for _, p := range sc.allp {
		if !p.runq.Empty() {
			queued++
		}
	}
	if n := sc.npidle.Load(); int(n) != idle {
		sc.x.Fatalf("DN-IDLE-COUNT: npidle is %d, and %d Ps are idle", n, idle)
	}
	if spinning != 0 {
		sc.x.Fatalf("DN-SPIN-COUNT: nmspinning is %d, and all Ms sleep", spinning)
	}
	if queued > 0 && idle > 0 {
		sc.x.Fatalf("DN-WORK-QUIET: a G waits in a queue, %d Ps are idle, and nobody comes", idle)
	}
	for _, g := range sc.allg.list {
		if g.status.Load() == dead {
			g.stop()
		} else if idle == len(sc.allp) {
			sc.x.Fatalf("DN-ONE-PLACE: all Ps are idle, and G %d %s", g.ID(), statusNames[g.status.Load()])
		}
	}
}

var _ = sync.Mutex{}
var _ = fmt.Sprint

func nothing(*G) {}

func TestScenes(t *testing.T) {
	for _, c := range []struct {
		name string
		c    Config
		main func(*scene, *G)
	}{
		{"end", Config{Procs: 2, Ring: 2}, func(*scene, *G) {}},
		{"spawn", Config{Procs: 2, Ring: 2}, func(_ *scene, g *G) { g.Go(nothing) }},
		{"spawn 2", Config{Procs: 2, Ring: 2}, func(_ *scene, g *G) { g.Go(nothing); g.Go(nothing) }},
	} {
		t.Run(c.name, func(t *testing.T) { play(t, c.c, c.main, interleave.Exhaustive(), interleave.Budget(60*time.Second)) })
	}
}
