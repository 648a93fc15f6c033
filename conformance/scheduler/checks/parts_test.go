package checks

import (
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec/record"
)

// A check that several processes share has ended as the worst of its parts has, and one without a result is none that passed. But if
// parts skip, or come to no verdict, the one that ended at the first graph decides, as in one process.
func TestParts(t *testing.T) {
	at := func(ended suite.Ended, at int) suite.Event {
		return suite.Event{Event: suite.CheckEvent, Check: "interleave/graphs", Result: &suite.Result{Outcome: suite.Outcome{Ended: ended, Scenarios: 1, At: at}}}
	}
	result := func(ended suite.Ended) suite.Event { return at(ended, 0) }
	found := suite.Event{Event: suite.FindingEvent, Check: "interleave/graphs", Finding: &record.Finding{Requirement: "SC-LOST", Fingerprint: "SC-LOST"}}
	for name, c := range map[string]struct {
		parts    [][]suite.Event
		ended    suite.Ended
		findings int
	}{
		"all":                                  {[][]suite.Event{{result(suite.Completed)}, {result(suite.Completed)}}, suite.Completed, 0},
		"one without":                          {[][]suite.Event{{result(suite.Completed)}, nil}, suite.Inconclusive, 0},
		"none":                                 {[][]suite.Event{nil, nil}, suite.Inconclusive, 0},
		"one inconclusive":                     {[][]suite.Event{{result(suite.Completed)}, {result(suite.Inconclusive)}}, suite.Inconclusive, 0},
		"refused first":                        {[][]suite.Event{{at(suite.Inconclusive, 3)}, {at(suite.Skipped, 1)}, {at(suite.Inconclusive, 2)}}, suite.Skipped, 0},
		"refused later":                        {[][]suite.Event{{at(suite.Skipped, 3)}, {at(suite.Inconclusive, 2)}, {at(suite.Skipped, 4)}}, suite.Inconclusive, 0},
		"refused, and one without":             {[][]suite.Event{{at(suite.Skipped, 1)}, nil}, suite.Inconclusive, 0},
		"refused, and an error":                {[][]suite.Event{{at(suite.Skipped, 1)}, {at(suite.Error, 2)}}, suite.Error, 0},
		"refused, and inconclusive as a whole": {[][]suite.Event{{result(suite.Inconclusive)}, {at(suite.Inconclusive, 3)}, {at(suite.Skipped, 1)}}, suite.Inconclusive, 0},
		"not offered, inconclusive, refused":   {[][]suite.Event{{result(suite.Skipped)}, {at(suite.Inconclusive, 3)}, {at(suite.Skipped, 1)}}, suite.Skipped, 0},
		"not offered, refused, inconclusive":   {[][]suite.Event{{result(suite.Skipped)}, {at(suite.Skipped, 1)}, {at(suite.Inconclusive, 3)}}, suite.Skipped, 0},
		"not offered, and inconclusive":        {[][]suite.Event{{result(suite.Skipped)}, {at(suite.Inconclusive, 3)}}, suite.Inconclusive, 0},
		"found twice":                          {[][]suite.Event{{found, result(suite.Completed)}, {found, result(suite.Completed)}}, suite.Completed, 1},
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
