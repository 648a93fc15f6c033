package runqueue

import (
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
)

// walk explores a model, with its symmetry, until one of its invariants falls.
func walk(t *testing.T, model Model) explore.Result {
	t.Helper()
	m, err := New(model.Config)
	if err != nil {
		t.Fatal(err)
	}
	invariants, err := m.Checks(model.Check)
	if err != nil {
		t.Fatal(err)
	}
	machine := explore.Machine[State](m)
	if model.Symmetric {
		machine = m.Symmetric()
	}
	r, err := explore.Explore(t.Context(), machine, explore.Options[State]{Invariants: invariants})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// counts are what TLC finds with the same configurations.
var counts = map[string][3]int{ // distinct, generated, depth
	"runqueue-2p2":             {99791, 256195, 31},
	"runqueue-cap4":            {182397, 436522, 45},
	"runqueue-cap4-overflow":   {13803, 29584, 38},
	"runqueue-script-room":     {261, 469, 37},
	"runqueue-3p":              {65384, 251402, 31},
	"runqueue-batches":         {5262, 13929, 31},
	"runqueue-global":          {8957, 26580, 38},
	"runqueue-drain":           {47823, 124151, 33},
	"runqueue-loners":          {369702, 815975, 41},
	"runqueue-empty":           {30422, 75996, 30},
	"runqueue-answers":         {33214, 85973, 27},
	"runqueue-drains":          {33987, 88062, 33},
	"runqueue-halves":          {41085, 95654, 37},
	"runqueue-script-steal":    {528, 930, 28},
	"runqueue-script-empty":    {74, 128, 14},
	"runqueue-script-overflow": {122, 221, 21},
	"runqueue-script-kick":     {165, 269, 23},
	"runqueue-script-drain":    {110, 180, 19},
	"runqueue-script-global":   {55, 87, 15},
	"runqueue-script-batch":    {36, 57, 12},
	"runqueue-script-loot":     {645, 1570, 29},
}

// TestCounts holds the machine against TLC without Java: the states, the steps and the
// depth of each configuration.
func TestCounts(t *testing.T) {
	taken := make(map[string]int)
	for _, model := range Models() {
		t.Run(model.Name, func(t *testing.T) {
			t.Attr("req", "RQ-LOST")
			r := walk(t, model)
			if r.Violation != nil {
				t.Fatalf("expected all invariants to hold; observed that %s falls after %d states", r.Violation.Invariant, len(r.Violation.Trace))
			}
			if got := [3]int{r.Distinct, r.Generated, r.Depth}; got != counts[model.Name] {
				t.Errorf("expected distinct, generated, depth %v; observed %v\nto reproduce: go test ./spec/runqueue -run '%s'", counts[model.Name], got, t.Name())
			}
			for _, a := range r.Actions {
				taken[a.Name] += a.Taken
			}
		})
	}
	for _, name := range actionNames {
		if taken[name] == 0 {
			t.Errorf("expected every action to happen in some configuration; %s never did", name)
		}
	}
}
