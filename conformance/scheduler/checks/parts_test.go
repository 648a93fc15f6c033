package checks

import (
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec/record"
)

// A check that several processes share has ended as the worst of its parts has, and one without a result is none that passed.
func TestParts(t *testing.T) {
	result := func(ended suite.Ended) suite.Event {
		return suite.Event{Event: suite.CheckEvent, Check: "interleave/graphs", Result: &suite.Result{Outcome: suite.Outcome{Ended: ended, Scenarios: 1}}}
	}
	found := suite.Event{Event: suite.FindingEvent, Check: "interleave/graphs", Finding: &record.Finding{Requirement: "SC-LOST", Fingerprint: "SC-LOST"}}
	for name, c := range map[string]struct {
		parts    [][]suite.Event
		ended    suite.Ended
		findings int
	}{
		"all":              {[][]suite.Event{{result(suite.Completed)}, {result(suite.Completed)}}, suite.Completed, 0},
		"one without":      {[][]suite.Event{{result(suite.Completed)}, nil}, suite.Inconclusive, 0},
		"none":             {[][]suite.Event{nil, nil}, suite.Inconclusive, 0},
		"one inconclusive": {[][]suite.Event{{result(suite.Completed)}, {result(suite.Inconclusive)}}, suite.Inconclusive, 0},
		"found twice":      {[][]suite.Event{{found, result(suite.Completed)}, {found, result(suite.Completed)}}, suite.Completed, 1},
	} {
		events := Whole([]suite.Check{exploreCheck}, c.parts)
		last := events[len(events)-1].Result
		if last != nil && last.Note != "" {
			t.Errorf("%s: expected no note of parts without one, saw %q", name, last.Note)
		}
		if last == nil || last.Ended != c.ended || len(events) != c.findings+1 {
			t.Errorf("%s: expected %s and %d findings, saw %+v", name, c.ended, c.findings, events)
		}
	}
}
