package twolevel_test

import (
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/impl/twolevel"
	"github.com/spindle-go/spindle/internal/tier"
)

// profile is the contract that the scheduler claims.
const profile = "pool,order=fifo,workers=exact,panics=isolated,exits=isolated,wakes=two"

// target adapts it to the suite.
type target struct{ s *twolevel.Scheduler }

func newTarget(workers int) target {
	s, err := twolevel.New(workers)
	if err != nil {
		panic(err)
	}
	return target{s}
}

func (a target) Submit(f func(scheduler.Task)) error {
	return a.s.Go(func(t *twolevel.Task) { f(task{t}) })
}

func (a target) Close() error { return a.s.Close() }

func (a target) Wakes() uint64 { return a.s.Wakes() }

type task struct{ t *twolevel.Task }

func (t task) Spawn(f func(scheduler.Task)) error {
	t.t.Go(func(t *twolevel.Task) { f(task{t}) })
	return nil
}

func (t task) Block(call func()) { t.t.Block(call) }

// TestScheduler holds the scheduler to all that it claims.
func TestScheduler(t *testing.T) {
	tier.OnlyFull(t)
	conformance.TestScheduler(t, newTarget, conformance.Profile(profile), conformance.Short())
}
