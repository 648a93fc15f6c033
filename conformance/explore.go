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
	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// An explorer carries out the checks of the checker interleave in an instrumented binary, and R is what it sends of them.
type explorer[R any] struct {
	subject *suite.Subject
	// open returns the target there, for a part of the work, and what is sent of its events.
	open func(part harness.Part) (target suite.Target, send func([]suite.Event) R, err error)
	// whole makes the events of the checks of what all parts have sent.
	whole func([]suite.Check, []R) []suite.Event
	// later says that other checks look whether this process is at rest: no binary is built beside them.
	later bool
}

// explored has instrumented binaries of the test carry out the checks of the witness interleave. They are built while
// other checks are carried out. In those binaries it does not return.
func explored[R any](t *testing.T, x explorer[R], o *options) error {
	t.Helper()
	chosen, err := suite.Select(o.suite.Select, x.subject.Checks)
	if err != nil {
		return err
	}
	var explores []suite.Check
	var names []string
	for _, c := range chosen {
		if c.Witness == spec.Interleave && !c.Told && c.Fits(o.profile) {
			explores, names = append(explores, c), append(names, c.Name)
		}
	}
	if len(explores) == 0 {
		return nil
	}
	wait, built := harness.Parts(t, parts(), x.later, func(part harness.Part) ([]byte, error) {
		target, send, err := x.open(part)
		if err != nil {
			return nil, err
		}
		var events []suite.Event
		there := o.suite
		there.Witnesses = []spec.Witness{spec.Interleave}
		there.Again = noAgain // the test binary's parent says how
		there.Sink = func(e suite.Event) {
			if e.Event == suite.FindingEvent || e.Event == suite.CheckEvent {
				events = append(events, e)
			}
			if e.Event == suite.FindingEvent {
				if text, err := json.Marshal(announced(e)); err == nil {
					part.Say(text)
				}
			}
		}
		ctx, cancel := awake.BeforeDeadline(context.Background(), t)
		defer cancel()
		if err := suite.Run(ctx, there, suite.Opened(x.subject, target)); err != nil {
			return nil, err
		}
		return json.Marshal(send(events))
	})
	if wait == nil { // in an instrumented binary that was started for another call
		return nil
	}
	o.suite.Elsewhere = &suite.Elsewhere{Checks: names, Ready: built, Events: func() ([]suite.Event, error) {
		payloads, err := wait(func(text []byte) {
			var e suite.Event
			if json.Unmarshal(text, &e) == nil && e.Finding != nil {
				o.broken(t, e)
			}
		})
		if err != nil {
			return notExplored(explores, o, err), nil
		}
		sent := make([]R, len(payloads))
		for i, payload := range payloads {
			if err := json.Unmarshal(payload, &sent[i]); err != nil {
				return nil, fmt.Errorf("conformance: what the explorer sent cannot be read: %w", err)
			}
		}
		return x.whole(explores, sent), nil
	}}
	return nil
}

// exploredQueue is explored for queues.
func exploredQueue(t *testing.T, s *suite.Subject, f queue.Factory, o *options) error {
	t.Helper()
	return explored(t, explorer[checks.Report]{s, func(part harness.Part) (suite.Target, func([]suite.Event) checks.Report, error) {
		target, err := checks.InstrumentedPart(t.Name(), o.profile, f, part)
		if err == nil && o.short {
			checks.Short(target)
		}
		return target, func(events []suite.Event) checks.Report { return checks.ReportOf(target, events) }, err
	}, checks.Whole, false}, o)
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
