// Package sched adapts the scheduler of impl/sched to the suite.
package sched

import (
	"errors"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/impl/sched"
	"github.com/spindle-go/spindle/internal/valve"
	"github.com/spindle-go/spindle/spec"
)

// Profile is the contract that the scheduler claims.
const Profile = spec.Cooperative + ",fair=switch,again=fair,submits=outside,resizes=tasks,exits=isolated,deadlock=reported,wakes=two,parts=runtime"

// New makes a scheduler with so many Ps.
func New(workers int) scheduler.Scheduler { return Of(sched.Config{Procs: workers}) }

// NewUnwatched makes one without sysmon, which the explorer can run.
func NewUnwatched(workers int) scheduler.Scheduler {
	return Of(sched.Config{Procs: workers, Unwatched: true})
}

// Of makes a scheduler of that configuration. It panics if that is none.
func Of(c sched.Config) scheduler.Scheduler {
	s, err := sched.New(c)
	if err != nil {
		panic(err)
	}
	return adapted{s, c.Unwatched}
}

type adapted struct {
	s         *sched.Scheduler
	unwatched bool
}

// Sized makes a scheduler whose Ps have rings of that size, a power of two.
func (a adapted) Sized(workers, ring int) scheduler.Scheduler {
	return Of(sched.Config{Procs: workers, Ring: ring, Unwatched: a.unwatched})
}

func (a adapted) Submit(f func(scheduler.Task)) error {
	return a.s.Go(func(g *sched.G) { f(task{g, a.unwatched}) })
}

func (a adapted) Resize(workers int) error { return a.s.SetProcs(workers) }

func (a adapted) Close() error { return a.s.Close() }

// Valves are the scenes of its parts.
func (a adapted) Valves() []valve.Scene { return valve.Scenes }

func (a adapted) SlicesOver() uint64 { return a.s.Snapshot().SlicesOver }

func (a adapted) Wakes() uint64 { return a.s.Snapshot().Wakes }

func (a adapted) Ready(parked scheduler.Task) error { return a.s.Ready(parked.(task).g) }

// Deadlock returns how many Gs wait for nobody.
func (a adapted) Deadlock(err error) int {
	if d := (*sched.DeadlockError)(nil); errors.As(err, &d) {
		return len(d.Waiting)
	}
	return 0
}

type task struct {
	g         *sched.G
	unwatched bool // no sysmon
}

func (t task) Spawn(f func(scheduler.Task)) error {
	t.g.Go(func(g *sched.G) { f(task{g, t.unwatched}) })
	return nil
}

func (t task) Park(unlock func()) {
	t.g.Park("graph", func() bool { unlock(); return true })
}

func (t task) Ready(parked scheduler.Task) { t.g.Ready(parked.(task).g) }

// Block leaves it to sysmon to replace the worker; where there is none, another M gets the P at once.
func (t task) Block(call func()) {
	if t.unwatched {
		t.g.BlockLong(call)
	} else {
		t.g.Block(call)
	}
}

func (t task) Yield() { t.g.Yield() }

func (t task) Sleep(d time.Duration) { t.g.Sleep(d) }
