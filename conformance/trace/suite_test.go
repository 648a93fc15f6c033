package trace_test

import (
	"os"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// outside are the scenarios of the suite that the machine has no room for, by the reason.
// There are none.
var outside = map[string]string{}

// lengths are scenarios with length, which the suite has none of: its answer promises
// nothing while others are at work, but its steps are the model's.
var lengths = []record.Scenario{
	{Name: "length-0", Ps: 1, Capacity: 4, Threads: []record.Thread{{P: 0, Script: "npg"}, {P: record.None, Script: "l0"}}},
	{Name: "length-1", Ps: 1, Capacity: 2, Start: 1<<32 - 1, Threads: []record.Thread{{P: 0, Script: "nppgl0"}, {P: record.None, Script: "s0l0"}}},
}

// scenarios are the listed ones that the explorer runs on the reference, and those above.
func scenarios(t testing.TB) []record.Scenario {
	t.Helper()
	target, err := checks.InProcess("ref", spec.GoRT, ref.New)
	if err != nil {
		t.Fatal(err)
	}
	var all []record.Scenario
	for _, s := range checks.Explored(target) {
		if s.Before+s.After == "" { // the machine has no quiet moments
			all = append(all, s)
		}
	}
	return append(all, lengths...)
}

// TestEveryExecution replays every execution that the explorer makes of the reference in
// the scenarios of the suite. Each must be one of the machine's, and each edge of the
// machine with the same scripts must lie on some order of their steps.
func TestEveryExecution(t *testing.T) {
	tier.OnlyFull(t)
	all := scenarios(t)
	if len(all) < 53 {
		t.Fatalf("expected at least 53 scenarios; observed %d", len(all))
	}
	var sum trace.Result
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			r := trace.Test(t, ref.New, s, interleave.Executions(50_000))
			if r == nil {
				return
			}
			t.Log(r)
			if (r.Outside != "") != (outside[s.Name] != "") {
				t.Errorf("expected that the machine cannot run it: %q; observed %q", outside[s.Name], r.Outside)
			}
			if os.Getenv(harness.ScheduleVar) != "" {
				return // one execution covers little
			}
			if r.Report.Failure == nil && (!r.Report.Certificate.Complete() || r.Covered != r.Edges || r.Edges == 0) {
				t.Errorf("expected a complete exploration that covers each edge; observed %v, %d of %d edges; not %v",
					r.Report.Certificate, r.Covered, r.Edges, r.Missed)
			}
			sum.Replayed += r.Replayed
			sum.Steps += r.Steps
			sum.Covered += r.Covered
			sum.Edges += r.Edges
			sum.Replay += r.Replay
			sum.Cover += r.Cover
		})
	}
	t.Logf("%d scenarios: %d executions replayed, %d steps, in %v; %d of %d edges covered, in %v", len(all),
		sum.Replayed, sum.Steps, sum.Replay.Round(time.Millisecond), sum.Covered, sum.Edges, sum.Cover.Round(time.Millisecond))
}

// TestUnreduced replays all executions, not one of each class, of two scenarios that are
// small enough.
func TestUnreduced(t *testing.T) {
	tier.OnlyFull(t)
	for _, s := range scenarios(t) {
		if s.Name != "runnext-0" && s.Name != "batches-6" {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			r := trace.Test(t, ref.New, s, interleave.Preemptions(-1), interleave.Executions(20_000))
			if r == nil {
				return
			}
			t.Log(r)
			if !r.Report.Certificate.Complete() || r.Covered != r.Edges {
				t.Errorf("expected all executions and each edge; observed %v, %v", r.Report.Certificate, r)
			}
		})
	}
}

// TestCoverageCanFail holds that an exploration that ends early leaves edges uncovered.
func TestCoverageCanFail(t *testing.T) {
	tier.NotShort(t)
	s := scenarios(t)[3]
	r := trace.Test(t, ref.New, s, interleave.Executions(5))
	if r == nil {
		return
	}
	if r.Covered == 0 || r.Covered >= r.Edges || len(r.Missed) == 0 {
		t.Errorf("%s: expected some edges covered and some not; observed %d of %d, not %v", s.Name, r.Covered, r.Edges, r.Missed)
	}
}
