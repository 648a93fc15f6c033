package drive

import (
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// unmoved is a queue that does not say what its calls move.
type unmoved struct{ *missing }

func (q unmoved) Moved() {} // another method

// TestHolds: a thread that steals into its own queue keeps there what the scenario lets it hold,
// as far as it can know how much that is.
func TestHolds(t *testing.T) {
	mute := queue.Single(func() unmoved { return unmoved{new(missing)} })
	for _, c := range []struct {
		f      queue.Factory
		holds  int
		script string
		gets   int // that gave something
	}{
		{misses(0), 0, "pppps1", 4},
		{misses(0), 1, "pppps1", 3},
		{misses(0), 3, "pppps1", 1},
		{misses(0), 4, "pppps1", 0},
		{misses(0), 4, "pps1pps1ps1", 1},
		{mute, 4, "pppps1", 0},
		{mute, 4, "ps1ps1", 2}, // what the first brought it does not know
	} {
		h, err := Run(t.Context(), c.f, record.Scenario{Name: "holds", Ps: 2, Holds: c.holds, Threads: []record.Thread{{P: 0, Script: c.script}}})
		if err != nil {
			t.Fatal(err)
		}
		gets := 0
		for _, op := range h.Ops {
			if op.Kind == record.Get && op.OK {
				gets++
			}
		}
		if gets != c.gets {
			t.Errorf("%s, which may hold %d: expected %d gets to make room, saw %d: %v", c.script, c.holds, c.gets, gets, h.Ops)
		}
		if err := h.Answers(); err != nil {
			t.Errorf("%s: %v", c.script, err)
		}
	}
}
