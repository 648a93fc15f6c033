package trace_test

import (
	"testing"

	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// TestLap has a thief read a slot of another thief that has read what it will store there
// and has not stored it: the first came to that slot a lap ago.
func TestLap(t *testing.T) {
	tier.OnlyFull(t)
	s := record.Scenario{Name: "lap", Ps: 3, Capacity: 2, Threads: []record.Thread{{P: 0, Script: "p"}, {P: 1, Script: "pps0"}, {P: 2, Script: "s1"}}}
	r := trace.Test(t, ref.New, s, interleave.Schedule("0b.11a.15c.21b.35c.40b"))
	if r == nil {
		return
	}
	if r.Replayed == 0 || r.Outside != "" {
		t.Errorf("expected that the schedule is replayed; observed %v", r)
	}
}
