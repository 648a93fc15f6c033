package checks

import (
	"slices"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// TestChecksJudgeWhatTheySay: each check judges each requirement on its list, for at least one right scheduler here. Without this test, a check
// could say that a requirement is kept, and never look at it.
func TestChecksJudgeWhatTheySay(t *testing.T) {
	t.Attr("req", "SC-WAKE")
	tier.OnlyFull(t)
	judged := make(map[string]map[string]int64)
	for _, c := range []struct {
		name     string
		p        spec.Profile
		f        scheduler.Factory
		explored bool // it uses the explorer's own locks
	}{
		{"a pool", everything, newPool(""), false}, {"a pool that counts wake-ups", spec.Pool + ",panics=isolated,wakes=two,workers=exact,order=fifo", wrong(noBug), true},
		{"goroutines", spec.Preemptive, newGoroutines, false}, {"a pool whose tasks block and sleep", spec.Pool + ",workers=exact", newLeavePool(noLeaveBug), true},
		{"a pool that changes its workers", spec.Pool + ",workers=exact", newResizePool(noResizeBug), true}, {"a pool whose tasks park", spec.Pool + ",deadlock=reported,workers=exact,fair=switch", newParkPool(noParkBug), true},
	} {
		sink := func(e suite.Event) {
			switch e.Event {
			case suite.FindingEvent:
				t.Errorf("%s: %s: %s, saw %s", c.name, e.Finding.Fingerprint, e.Finding.Expected, e.Finding.Observed)
			case suite.CheckEvent:
				if judged[e.Check] == nil {
					judged[e.Check] = make(map[string]int64)
				}
				for id, n := range e.Result.Judged {
					judged[e.Check][id] += n
				}
			}
		}
		runChecks(t, c.p, c.f, spec.Stress, "", sink)
		if c.explored {
			runChecks(t, c.p, c.f, spec.Interleave, "", sink)
		}
	}
	// Accesses to memory are seen in instrumented code alone, and no right scheduler of this package offers to yield: TestInterleavings,
	// TestFlawedPools and TestScheduler of conformance/target/sched have these.
	elsewhere := []string{"SC-RACE", "FA-YIELD"}
	for _, c := range Subject.Checks {
		for _, id := range c.Requirements {
			if judged[c.Name][id] == 0 && !slices.Contains(elsewhere, id) {
				t.Errorf("%s: expected that it judges %s, saw that it never does", c.Name, id)
			}
		}
	}
}
