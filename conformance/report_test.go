package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/spec/record"
)

// brokenBy is a decision with a finding of each check, with so many calls in a fixed order, or so many steps.
func brokenBy(id string, calls, steps int, checks ...string) gate.Decision {
	d := gate.Decision{Row: &suite.Row{ID: id, Standing: suite.Broken}}
	for _, c := range checks {
		f := &record.Finding{Requirement: id, Fingerprint: id}
		if steps > 0 {
			f.Evidence = append(f.Evidence, record.Evidence{Kind: record.Steps, Execution: &record.Execution{Steps: make([]record.Step, steps)}})
		} else {
			f.Evidence = append(f.Evidence, record.Evidence{Kind: record.Asked, Lines: append(make([]string, calls), "order: 0")})
		}
		d.Findings = append(d.Findings, suite.Event{Check: c, Finding: f})
	}
	return d
}

// TestFolded: the smallest failure comes first and in full, and what one of the same checks saw is told with it. What other checks
// saw alone may be another fault, and is shown. What is not decided comes behind all failures, and nothing is left out.
func TestFolded(t *testing.T) {
	unknown := gate.Decision{Row: &suite.Row{ID: "RQ-LEN", Standing: suite.Unknown}}
	kept := gate.Decision{Row: &suite.Row{ID: "RQ-RACE", Standing: suite.Kept}}
	for _, c := range []struct {
		decisions []gate.Decision
		want      string
	}{
		{[]gate.Decision{kept, unknown, brokenBy("RQ-FIFO", 3, 0, "sequence/order")}, "RQ-FIFO RQ-LEN RQ-RACE"},
		{[]gate.Decision{brokenBy("RQ-LOST", 9, 0, "a"), unknown, brokenBy("RQ-FIFO", 3, 0, "a")}, "RQ-FIFO RQ-LOST(RQ-FIFO) RQ-LEN"},
		{[]gate.Decision{brokenBy("RQ-LOST", 0, 20, "a"), brokenBy("RQ-FIFO", 0, 12, "b")}, "RQ-FIFO RQ-LOST"},
		{[]gate.Decision{brokenBy("RQ-LOST", 0, 20, "a"), brokenBy("RQ-FIFO", 0, 12, "b"), brokenBy("RQ-TWICE", 0, 30, "c", "b")}, "RQ-FIFO RQ-LOST RQ-TWICE(RQ-FIFO)"},
		{[]gate.Decision{brokenBy("RQ-LOST", 0, 20, "b", "a"), brokenBy("RQ-FIFO", 0, 12, "b"), brokenBy("RQ-TWICE", 0, 30, "a")}, "RQ-FIFO RQ-LOST(RQ-FIFO) RQ-TWICE(RQ-FIFO)"},
		// A short sequence is less to look at than steps, and these less than a long one.
		{[]gate.Decision{brokenBy("RQ-LOST", 300, 0, "a"), brokenBy("RQ-FIFO", 0, 40, "b"), brokenBy("RQ-TWICE", 20, 0, "c")}, "RQ-TWICE RQ-FIFO RQ-LOST"},
		{[]gate.Decision{{Row: &suite.Row{ID: "RQ-LOST", Standing: suite.Broken}}, brokenBy("RQ-FIFO", 3, 0, "a")}, "RQ-LOST RQ-FIFO"}, // an error of the suite's
	} {
		var saw []string
		for _, f := range folded(c.decisions) {
			id := f.Row.ID
			if f.as != "" {
				id += "(" + f.as + ")"
			}
			saw = append(saw, id)
		}
		if got := strings.Join(saw, " "); got != c.want {
			t.Errorf("expected %s, saw %s", c.want, got)
		}
	}
	d := brokenBy("RQ-LOST", 0, 20, "a")
	d.Findings = slices.Concat(brokenBy("RQ-LOST", 0, 30, "b").Findings, d.Findings)
	if f := folded([]gate.Decision{d})[0]; f.Findings[0].Check != "a" || d.Findings[0].Check != "b" {
		t.Errorf("expected the smallest finding first, and the gate's own in order, saw %s, %s", f.Findings[0].Check, d.Findings[0].Check)
	}
}

// TestShare: what was not offered, or is not known, is not judged, and it is said why nothing was explored.
func TestShare(t *testing.T) {
	t.Attr("req", "SC-RACE")
	r := new(gate.Result)
	add := func(s suite.Standing, reason string) {
		r.Decisions = append(r.Decisions, gate.Decision{Row: &suite.Row{Standing: s, Reason: reason}})
	}
	add(suite.Kept, "")
	add(suite.Broken, "")
	add(suite.Unknown, "stress/x: no time")
	add(suite.NotOffered, "no Parker")
	if got := share(r); got != "judged 2 of 4 requirements" {
		t.Errorf("saw %q", got)
	}
	add(suite.NotOffered, "its interleavings cannot be explored: thread T0 has reached a select at pool.go:7")
	if got := share(r); got != "judged 2 of 5 requirements; interleavings were not explored: thread T0 has reached a select at pool.go:7" {
		t.Errorf("saw %q", got)
	}
}
