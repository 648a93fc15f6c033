package trace

import (
	"encoding/json"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/record"
)

// Test explores the queues of f in a scenario, and fails t with the first step that the
// machine lacks, as a table with the schedule that replays it. The code under test is
// instrumented as interleave.Test does it; its lines must name the actions that they are.
// It returns nil in the instrumented binary, and where another test was asked for.
func Test(t testing.TB, f queue.Factory, s record.Scenario, opts ...interleave.Option) *Result {
	t.Helper()
	if schedule := harness.ScheduleAsked(t); schedule != "" {
		opts = append(opts, interleave.Schedule(schedule))
	}
	payload, err := harness.Remote(t, func() ([]byte, error) {
		r, err := Explore(f, s, opts...)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return nil
	}
	r := new(Result)
	if err := json.Unmarshal(payload, r); err != nil {
		t.Fatalf("trace: what the explorer sent cannot be read: %v", err)
	}
	if f := r.Report.Failure; f != nil {
		t.Error(r.Report.Text(harness.Reproduce(t, f.Schedule)))
		if d := r.Divergence; d != nil && f.Kind != interleave.Assertion {
			t.Errorf("before that, %v", d)
		}
	}
	return r
}
