package pool

import (
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/scheduler"
)

type adapter struct{ *Pool }

func (a adapter) Submit(task func(scheduler.Task)) error {
	return a.Pool.Go(func() { task(nil) })
}

func (a adapter) Close() error { a.Pool.Wait(); return nil }

func TestPool(t *testing.T) {
	conformance.TestScheduler(t, func(workers int) adapter { return adapter{New(workers)} })
}
