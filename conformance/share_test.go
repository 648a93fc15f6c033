package conformance

import (
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
)

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
