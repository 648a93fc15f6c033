package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// explored has an instrumented binary of the test carry out the checks of the
// witness interleave, and returns their events. In that binary it does not return.
func explored(t *testing.T, s *suite.Subject, target checks.Target, f queue.Factory, o *options) ([]suite.Event, error) {
	t.Helper()
	chosen, err := suite.Select(o.suite.Select, s.Checks)
	if err != nil {
		return nil, err
	}
	var explores []suite.Check
	for _, c := range chosen {
		if c.Witness == spec.Interleave && c.Fits(o.profile) {
			explores = append(explores, c)
		}
	}
	if len(explores) == 0 {
		return nil, nil
	}
	payloads, err := harness.Parts(t, parts(), func(part harness.Part) ([]byte, error) {
		target, err := checks.InstrumentedPart(t.Name(), o.profile, f, part)
		if err != nil {
			return nil, err
		}
		if o.short {
			checks.Short(target)
		}
		var events []suite.Event
		there := o.suite
		there.Budget /= 2
		there.Witnesses = []spec.Witness{spec.Interleave}
		there.Again = noAgain // the test binary's parent says how
		there.Sink = func(e suite.Event) {
			if e.Event == suite.FindingEvent || e.Event == suite.CheckEvent {
				events = append(events, e)
			}
		}
		if err := suite.Run(context.Background(), there, suite.Opened(s, target)); err != nil {
			return nil, err
		}
		return json.Marshal(checks.ReportOf(target, events))
	})
	if err != nil {
		return notExplored(explores, o, err), nil
	}
	if len(payloads) == 0 { // in an instrumented binary that was started for another call
		return nil, nil
	}
	reports := make([]checks.Report, len(payloads))
	for i, payload := range payloads {
		if err := json.Unmarshal(payload, &reports[i]); err != nil {
			return nil, fmt.Errorf("conformance: what the explorer sent cannot be read: %w", err)
		}
	}
	events := checks.Whole(explores, reports)
	for _, e := range events {
		if e.Event == suite.FindingEvent {
			o.broken(t, e)
		}
	}
	return events, nil
}

// parts is how many processes explore at once.
func parts() int { return min(runtime.GOMAXPROCS(0), 8) }

// notExplored are the events of checks that could not be carried out. Code that
// cannot be explored by its nature is skipped. If the environment kept the
// explorer from running, nothing is known, which is inconclusive.
func notExplored(list []suite.Check, o *options, why error) []suite.Event {
	out := suite.Outcome{Ended: suite.Inconclusive, Reason: "the interleavings were not explored: " + why.Error() +
		" (conformance.Only names checks that do without; SPINDLE_UNEXPLORED=allow lets the others pass)"}
	if harness.Refused(why) || o.unexplored {
		out.Ended, out.Reason = suite.Skipped, "the interleavings were not explored: "+why.Error()
	}
	var events []suite.Event
	for _, c := range list {
		events = append(events, suite.Event{Event: suite.CheckEvent, Check: c.Name, Result: &suite.Result{Witness: c.Witness, Requirements: c.Requirements, Outcome: out}})
	}
	return events
}
