package checks

import (
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// TestBlock: a pool that replaces blocked workers passes, each flaw is found as what it is and as nothing else, and a pool whose
// tasks do not block is not judged by it.
func TestBlock(t *testing.T) {
	t.Attr("req", "SY-BLOCK")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	const exact = spec.Pool + ",workers=exact"
	for name, c := range map[string]struct {
		bug   blockBug
		falls string
	}{
		"right": {noBlockBug, ""}, "not replaced": {keepsWorker, "SY-BLOCK"}, "eight spare workers": {fewSpare, "SY-BLOCK"},
		"does not come back": {losesBlocked, "SY-RETURN"}, "calls twice": {callsTwice, "SY-RETURN"}, "comes back beside": {comesBeside, "SC-WORKERS"},
	} {
		t.Run(name, func(t *testing.T) {
			rows, findings := carried(t, exact, newBlockPool(c.bug), "^stress/block$")
			for _, f := range findings {
				t.Logf("%s: %s, saw %s", f.Fingerprint, f.Expected, f.Observed)
				if f.Requirement != c.falls {
					t.Errorf("expected %q alone broken, saw %s", c.falls, f.Requirement)
				}
			}
			if c.falls != "" && rows[c.falls].Standing != suite.Broken {
				t.Errorf("expected %s broken, saw %s", c.falls, rows[c.falls].Standing)
			}
			for _, id := range []string{"SY-BLOCK", "SY-RETURN"} {
				if r := rows[id]; c.falls == "" && (r.Standing != suite.Kept || r.Judged == 0) {
					t.Errorf("%s: expected it kept, saw %s %s, judged %d times", id, r.Standing, r.Reason, r.Judged)
				}
			}
		})
	}
	rows, _ := carried(t, spec.Pool, newPool(""), "^stress/block$")
	for _, id := range []string{"SY-BLOCK", "SY-RETURN"} {
		if got := rows[id].Standing; got != suite.NotOffered {
			t.Errorf("%s: expected that a pool without Blocker is not judged, saw %s", id, got)
		}
	}
}
