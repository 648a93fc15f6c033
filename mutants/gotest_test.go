package mutants

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec/record"
)

// TestFellIn: what fell is what the events say, and a stream without an end is a
// crash. No wording of a test's output has a say.
func TestFellIn(t *testing.T) {
	quiet := []suite.Event{{Event: suite.HeaderEvent}}
	found := append(slices.Clone(quiet), suite.Event{Event: suite.FindingEvent, Finding: &record.Finding{Requirement: "RQ-TWICE"}})
	prose := "--- FAIL: TestX\n    x_test.go:7: RQ-LOST: expected 1, saw 2\npanic: RQ-LOST"
	for name, c := range map[string]struct {
		events     []suite.Event
		unfinished bool
		failed     bool
		fell, err  string
	}{
		"passes":                 {quiet, false, false, "", ""},
		"finds":                  {found, false, true, "RQ-TWICE", ""},
		"crashes":                {nil, true, true, "RQ-CRASH", ""},
		"finds and crashes":      {found, true, true, "RQ-TWICE RQ-CRASH", ""},
		"fails for no reason":    {quiet, false, true, "", "named no requirement"},
		"fails without events":   {nil, false, true, "", "named no requirement"},
		"passes without events":  {nil, false, false, "", "expected events of the tests, saw none"},
		"passes with a finding":  {found, false, false, "RQ-TWICE", "passed, though [RQ-TWICE] fell"},
		"passes without its end": {quiet, true, false, "RQ-CRASH", "passed, though [RQ-CRASH] fell"},
	} {
		res, err := fellIn(c.events, c.unfinished, output{text: prose, failed: c.failed})
		if got := strings.Join(res.fell, " "); got != c.fell || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: expected %q and error %q, saw %q and %v", name, c.fell, c.err, got, err)
		}
	}
}
