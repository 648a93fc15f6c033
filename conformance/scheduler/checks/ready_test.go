package checks

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// full is a pool that refuses a task where two have not ended.
type full struct {
	scheduler.Scheduler
	live atomic.Int32
}

func (s *full) Submit(f func(scheduler.Task)) error {
	if s.live.Add(1) > 2 {
		s.live.Add(-1)
		return errors.New("it is full")
	}
	return s.Scheduler.Submit(func(t scheduler.Task) {
		defer s.live.Add(-1)
		f(t)
	})
}

// TestReadyRefused: of tasks that take turns with one that was refused nothing is said, also where nobody outside can make them ready.
func TestReadyRefused(t *testing.T) {
	t.Attr("req", "FA-READY")
	f := func(workers int) scheduler.Scheduler { return &full{Scheduler: newParkPool(noParkBug)(workers)} }
	rows, findings := carried(t, spec.Pool+",fair=switch,refuse=anytime", f, "^stress/ready$")
	if r := rows["FA-READY"]; r.Standing == suite.Broken || r.Standing == suite.Kept && r.Judged == 0 || len(findings) > 0 {
		t.Errorf("expected nothing broken, saw %s %s, %v", r.Standing, r.Reason, findings)
	}
}
