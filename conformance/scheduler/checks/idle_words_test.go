package checks

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// A restless pool is right, but for a helper that looks around until Close.
type restless struct {
	scheduler.Scheduler
	closed atomic.Bool
}

func newRestless(workers int) scheduler.Scheduler {
	b := &restless{Scheduler: newPool("")(workers)}
	go func() {
		for !b.closed.Load() {
			runtime.Gosched()
		}
	}()
	return b
}

func (b *restless) Close() error {
	b.closed.Store(true)
	return b.Scheduler.Close()
}

// TestIdleSaysWhatDidNotComeAbout: where a scheduler is never at rest, it is said why nothing was looked at beside tasks that wait.
func TestIdleSaysWhatDidNotComeAbout(t *testing.T) {
	t.Attr("req", "SC-SPIN")
	rows, _ := carried(t, spec.Pool, newRestless, "^stress/idle$")
	if r := rows["SC-IDLE"]; r.Standing != suite.Broken {
		t.Errorf("expected SC-IDLE broken, saw %s %s", r.Standing, r.Reason)
	}
	if r := rows["SC-SPIN"]; r.Standing != suite.Unknown || !strings.Contains(r.Reason, "no two tasks were given a worker to wait on") || !strings.HasSuffix(r.Reason, "see SC-IDLE") {
		t.Errorf("expected that it is said what did not come about, saw %s %s", r.Standing, r.Reason)
	}
}
