package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/internal/suite/witnessed"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Interleave checks the queues of f in the interleavings of one small scenario:
// all of them, or those that opts choose. It fails t with the requirement that is
// broken. The code under test is explored as TestQueue explores it.
func Interleave(t testing.TB, p spec.Profile, f queue.Factory, s record.Scenario, opts ...interleave.Option) {
	t.Helper()
	if schedule := harness.ScheduleAsked(t); schedule != "" {
		opts = append(opts, interleave.Schedule(schedule))
	}
	payload, err := harness.Remote(t, func() ([]byte, error) {
		target, err := checks.Instrumented(t.Name(), p, f)
		if err != nil {
			return nil, fmt.Errorf("conformance: %w", err)
		}
		ctx, cancel := awake.BeforeDeadline(context.Background(), t)
		defer cancel()
		out, findings := checks.Explore(ctx, target, s, opts...)
		for i := range findings {
			if x := findings[i].Execution(); x != nil {
				findings[i].Again = append(findings[i].Again, record.Again{Kind: record.RunAgain, Command: harness.Reproduce(t, x.Schedule)})
			}
		}
		return json.Marshal(explored1{out, findings})
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return
	}
	var e explored1
	if err := json.Unmarshal(payload, &e); err != nil {
		t.Fatalf("conformance: what the explorer sent cannot be read: %v", err)
	}
	events := witnessed.Begin(t, spec.Interleave, p)
	events.Found(e.Findings...)
	events.Ended(e.Outcome)
	e.report(t)
}

// explored1 is what one scenario came to.
type explored1 struct {
	Outcome  suite.Outcome
	Findings []record.Finding
}

// report fails t unless the exploration came to its end and found nothing.
func (e *explored1) report(t testing.TB) {
	t.Helper()
	for i := range e.Findings {
		text, _ := show.Finding(&e.Findings[i], false, "")
		t.Errorf("%s\n%s", e.Findings[i].Requirement, text)
	}
	switch {
	case len(e.Findings) > 0:
	case e.Outcome.Ended != suite.Completed:
		t.Errorf("%s: %s", e.Outcome.Ended, e.Outcome.Reason)
	default:
		t.Log(e.Outcome.Note)
	}
}
