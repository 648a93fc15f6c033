package checks

import (
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// TestTimeouts: pools that send workers home.
func TestTimeouts(t *testing.T) {
	t.Attr("req", "SC-AFTER-IDLE")
	for _, c := range []struct {
		name  string
		right bool
		f     scheduler.Factory
	}{
		{"1ms", true, newHomePool(time.Millisecond, noHomeBug)},
		{"20ms", true, newHomePool(20*time.Millisecond, noHomeBug)},
		{"5ms", true, newHomePool(5*time.Millisecond, noHomeBug)},
		{"counts who has gone", false, newHomePool(time.Millisecond, countsGone)},
		{"counts who has gone, after 100ms", false, newHomePool(100*time.Millisecond, countsGone)},
		{"replaces nobody", false, newHomePool(5*time.Millisecond, neverReplaces)},
		{"starts one for the second task", false, newHomePool(5*time.Millisecond, startsForTwo)},
		{"starts one that begins with one task", false, newHomePool(5*time.Millisecond, startsEmpty)},
		{"looks not at the queue", false, newHomePool(5*time.Millisecond, looksNotAtQueue)},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, findings := carried(t, spec.Pool, c.f, "^stress/timeouts$")
			row := rows["SC-AFTER-IDLE"]
			if c.right && (row.Standing != suite.Kept || len(findings) > 0) || !c.right && row.Standing != suite.Broken {
				t.Errorf("expected it to be right: %v, saw %s %s, %v", c.right, row.Standing, row.Reason, findings)
			}
		})
	}
}

// TestTimeoutsUntried: what takes too long is not tried, and not passed.
func TestTimeoutsUntried(t *testing.T) {
	rows, _ := carried(t, spec.Pool, newHomePool(time.Minute, noHomeBug), "^stress/timeouts$")
	if row := rows["SC-AFTER-IDLE"]; row.Standing != suite.Unknown || !strings.Contains(row.Reason, "was not tried") {
		t.Errorf("expected it unknown, since it was not tried, saw %s %s", row.Standing, row.Reason)
	}
}
