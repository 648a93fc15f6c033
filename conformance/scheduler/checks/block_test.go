package checks

import (
	"slices"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// TestBlock: a pool that replaces blocked workers passes, each flaw is found as what it is and as nothing else, and a pool whose
// tasks do not block is not judged by it.
func TestBlock(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SY-BLOCK")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	const exact = spec.Pool + ",workers=exact"
	for name, c := range map[string]struct {
		bug   leaveBug
		falls string
	}{
		"right": {noLeaveBug, ""}, "not replaced": {keepsWorker, "SY-BLOCK"}, "eight spare workers": {fewSpare, "SY-BLOCK"},
		"does not come back": {losesBlocked, "SY-RETURN"}, "calls twice": {callsTwice, "SY-RETURN"}, "comes back beside": {comesBeside, "SC-WORKERS"},
	} {
		t.Run(name, func(t *testing.T) {
			judgedBy(t, exact, newLeavePool(c.bug), "^stress/block$", one(c.falls), "SY-BLOCK", "SY-RETURN")
		})
	}
	rows, _ := carried(t, spec.Pool, newPool(""), "^stress/block$")
	for _, id := range []string{"SY-BLOCK", "SY-RETURN"} {
		if got := rows[id].Standing; got != suite.NotOffered {
			t.Errorf("%s: expected that a pool without Blocker is not judged, saw %s", id, got)
		}
	}
}

// judgedBy carries out the check of a pool that falls by some of these requirements, and by no others; or by none, and then keeps the ones
// listed.
func judgedBy(t *testing.T, p spec.Profile, f scheduler.Factory, check string, falls []string, keeps ...string) {
	t.Helper()
	rows, findings := carried(t, p, f, check)
	for _, f := range findings {
		t.Logf("%s: %s, saw %s", f.Fingerprint, f.Expected, f.Observed)
		if !slices.Contains(falls, f.Requirement) {
			t.Errorf("expected %v alone broken, saw %s", falls, f.Requirement)
		}
	}
	if len(falls) > 0 && !slices.ContainsFunc(falls, func(id string) bool { return rows[id].Standing == suite.Broken }) {
		t.Errorf("expected one of %v broken, saw none", falls)
	}
	for _, id := range keeps {
		if r := rows[id]; len(falls) == 0 && (r.Standing != suite.Kept || r.Judged == 0) {
			t.Errorf("%s: expected it kept, saw %s %s, judged %d times", id, r.Standing, r.Reason, r.Judged)
		}
	}
}

// one is a list of id, or of none.
func one(id string) []string {
	if id == "" {
		return nil
	}
	return []string{id}
}
