package checks

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// shortly makes the time of a scenario short.
func shortly(t *testing.T, limit time.Duration) {
	old := scenarioTimeout
	scenarioTimeout = limit
	t.Cleanup(func() { scenarioTimeout = old })
}

// hanging is a check of few calls.
var hanging = check{
	name: "sequence/hanging", witness: spec.Sequence, requirements: []string{"RQ-CRASH", "RQ-FIFO"}, scenarios: 4,
	scenario: func(g *gen, i int) record.Scenario {
		return record.Scenario{Name: "few", Ps: 1, Threads: []record.Thread{{Script: "pg"}}, Order: []int{0, 0}}
	},
}

// TestHangOnce: what ends when it is run again does not hang. Nobody knows what it
// was, so the check is inconclusive, and says both.
func TestHangOnce(t *testing.T) {
	shortly(t, 100*time.Millisecond)
	release := make(chan struct{})
	defer close(release)
	var gets atomic.Int32
	out, broken := carried(t, hanging, spec.FIFO, func() queue.Queue {
		return &simple{get: func(q *simple) (record.ID, bool) {
			if gets.Add(1) == 1 {
				<-release
			}
			return q.first()
		}}
	})
	if len(broken) > 0 || out.Ended != suite.Inconclusive || !strings.Contains(out.Reason, "no answer within") || !strings.Contains(out.Reason, "ended when it was run again") {
		t.Errorf("expected no finding, and both tries reported, saw %v, %+v", broken, out)
	}
}

// TestHangAlways: what hangs again is a finding, which tells of both tries.
func TestHangAlways(t *testing.T) {
	tier.OnlyFull(t)
	shortly(t, 100*time.Millisecond)
	release := make(chan struct{})
	defer close(release)
	f, events := run(t, suite.Options{Seed: 1, Select: "^sequence/order$"}, spec.FIFO, func() queue.Queue {
		return &simple{get: func(q *simple) (record.ID, bool) { <-release; return 0, false }}
	})
	i := slices.IndexFunc(events, func(e suite.Event) bool { return e.Event == suite.FindingEvent })
	if i < 0 || f.Exit != 1 || events[i].Finding.Fingerprint != "RQ-CRASH/hang" || !strings.Contains(events[i].Finding.Observed, "; run again: ") {
		t.Errorf("expected exit 1 and both tries, saw %+v", f.Reasons)
	}
}

// TestSlow: calls that return, but late, are no hang.
func TestSlow(t *testing.T) {
	shortly(t, 50*time.Millisecond)
	out, broken := carried(t, hanging, spec.FIFO, func() queue.Queue {
		return &simple{get: func(q *simple) (record.ID, bool) { time.Sleep(150 * time.Millisecond); return q.first() }}
	})
	if len(broken) > 0 || out.Ended != suite.Inconclusive || !strings.Contains(out.Reason, "calls that take longer, but return") {
		t.Errorf("expected no finding, saw %v, %+v", broken, out)
	}
}

// TestBudgetInAScenario: the run's own end, in the middle of a call, is no finding.
func TestBudgetInAScenario(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	f, events := run(t, suite.Options{Seed: 1, Select: "^sequence/order$", Budget: 100 * time.Millisecond}, spec.FIFO, func() queue.Queue {
		return &simple{get: func(q *simple) (record.ID, bool) { <-release; return 0, false }}
	})
	if ids := brokenIDs(events); len(ids) > 0 || f.Exit != 3 {
		t.Errorf("expected exit 3 and no finding, saw %v, %+v", ids, f.Reasons)
	}
}
