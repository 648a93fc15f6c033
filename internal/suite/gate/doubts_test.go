package gate

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
)

// TestDoubts: what no check of a target looks at keeps it from a pass, in whatever words, and whatever the
// list of known failures has.
func TestDoubts(t *testing.T) {
	for _, c := range []struct {
		name    string
		doubts  []string
		finding string
		verdict Verdict
		says    string
	}{
		{"none", nil, "", Pass, ""},
		{"one", []string{"half of it was not run"}, "", Inconclusive, "tiny: half of it was not run"},
		{"one without words", []string{""}, "", Inconclusive, "tiny: a blind spot without a reason"},
		{"one beside a known failure", []string{"half of it was not run"}, "RQ-TWICE/a", Inconclusive, "tiny: half of it was not run"},
		{"one beside another failure", []string{"half of it was not run"}, "RQ-LOST/a", Fail, "tiny: half of it was not run"},
	} {
		check := suitetest.Done("sequence/x", 1, "RQ-TWICE", "RQ-LOST")
		if c.finding != "" {
			check.Findings = []string{c.finding}
		}
		target := &suitetest.Target{Name: "tiny", Doubts: c.doubts, Checks: []suitetest.Check{check}}
		known := []suite.Known{{Fingerprint: "RQ-TWICE", Target: "tiny", URL: "https://example.org/1", Reason: "it is so"}}
		g := Gate{Known: known}
		if err := suite.Run(t.Context(), suite.Options{Seed: 1, Sink: g.Event}, target.Source()); err != nil {
			t.Fatal(err)
		}
		r := g.Result()
		said := c.says == "" && len(r.Reasons) == 0 || c.says != "" && slices.Contains(r.Reasons, c.says)
		if r.Verdict != c.verdict || !said || (r.Exit == 0) != (c.verdict == Pass) {
			t.Errorf("%s: expected %s and %q, saw %s, exit %d, %s", c.name, c.verdict, c.says, r.Verdict, r.Exit, strings.Join(r.Reasons, "; "))
		}
	}
}
