package checks

import (
	"testing"

	"github.com/spindle-go/spindle/internal/sample"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// TestSleep: pools whose tasks sleep pass, one whose clock ticks every 10 ms too; each flaw is found as what it is.
func TestSleep(t *testing.T) {
	t.Attr("req", "TM-LOST")
	sample.OneIn(t, 4)
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	const exact = spec.Pool + ",workers=exact"
	for _, c := range sample.Of(t, []struct {
		name  string
		bug   leaveBug
		falls string
	}{
		{"right", noLeaveBug, ""}, {"ticks of 10 ms", roundsUp, ""}, {"rounds down", roundsDown, "TM-EARLY"}, {"is lost", looksNotAgain, "TM-LOST"},
		{"beside", looksBehind, "TM-BESIDE"}, {"sleeps on", sleepsOn, "TM-LEAVES"},
	}, 1) {
		t.Run(c.name, func(t *testing.T) {
			judgedBy(t, exact, newLeavePool(c.bug), "^stress/sleep$", one(c.falls), "TM-EARLY", "TM-LOST", "TM-BESIDE", "TM-LEAVES")
		})
	}
	rows, _ := carried(t, spec.Pool, newPool(""), "^stress/sleep$")
	if got := rows["TM-LOST"].Standing; got != suite.NotOffered {
		t.Errorf("expected that a pool without Sleeper is not judged, saw %s", got)
	}
}
