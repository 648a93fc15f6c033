package checks

import (
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// TestResize: a pool passes that takes workers away when their tasks have ended, and, where it says so, one that waits for tasks; each flaw is
// found as what it is.
func TestResize(t *testing.T) {
	t.Attr("req", "SC-GROW")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	const exact, waits = spec.Pool + ",workers=exact", spec.Pool + ",workers=exact,resizes=tasks"
	for _, c := range tier.Some(t, []struct {
		name  string
		p     spec.Profile
		bug   resizeBug
		falls []string
	}{
		{"lazily", exact, noResizeBug, nil}, {"lazily, and may wait", waits, noResizeBug, nil}, {"waits", waits, waitsForTasks, nil},
		{"waits, and does not say so", exact, waitsForTasks, []string{"SC-CALLS"}},
		{"drops queues", exact, dropsQueues, []string{"SC-LOST", "SC-CLOSE-WAITS", "SC-WORK", "SC-TOGETHER", "SC-STEAL"}},
		{"grows later", exact, growsLater, []string{"SC-GROW"}}, {"waits first", exact, waitsFirst, []string{"SC-WORK", "SC-GROW", "SC-TOGETHER", "SC-STEAL"}},
		{"never shrinks", exact, neverShrinks, []string{"SC-SHRINK"}}, {"takes one more", exact, takesOneMore, []string{"SC-GROW", "SC-TOGETHER"}},
		{"looks at few queues", exact, looksAtFew, []string{"SC-GROW", "SC-TOGETHER", "SC-STEAL"}},
	}, 2) {
		t.Run(c.name, func(t *testing.T) {
			judgedBy(t, c.p, newResizePool(c.bug), "^stress/resize$", c.falls, "SC-GROW", "SC-SHRINK")
		})
	}
	rows, _ := carried(t, spec.Pool, newPool(""), "^stress/resize$")
	if got := rows["SC-GROW"].Standing; got != suite.NotOffered {
		t.Errorf("expected that a pool without Resizer is not judged, saw %s", got)
	}
}
