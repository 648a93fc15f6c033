package checks

import (
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// TestWakes: a pool that wakes a worker for each task passes; who wakes all of them does not, nor who wakes one that has nothing to do.
func TestWakes(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-WAKES")
	const two = spec.Pool + ",wakes=two"
	for _, c := range []struct {
		name, check string
		bug         bug
		falls       []string
	}{
		{"right", "wakes", noBug, nil}, {"wakes all", "wakes", wakesAll, []string{"SC-WAKES"}},
		{"right, idle", "idle", noBug, nil}, {"wakes the idle", "idle", wakesIdle, []string{"SC-WAKES"}},
	} {
		t.Run(c.name, func(t *testing.T) { judgedBy(t, two, wrong(c.bug), "^stress/"+c.check+"$", c.falls, "SC-WAKES") })
	}
	rows, _ := carried(t, two, newPool(""), "^stress/wakes$")
	if got := rows["SC-WAKES"].Standing; got != suite.NotOffered {
		t.Errorf("expected that a pool without WakeCounter is not judged, saw %s", got)
	}
}
