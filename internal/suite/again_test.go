package suite_test

import (
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
)

// TestAgainAlone: what tries again what failed before keeps nothing, and a run of it
// alone is no pass.
func TestAgainAlone(t *testing.T) {
	c := suitetest.Done("sequence/kept", 9, "RQ-LOST")
	c.Again = true
	target := &suitetest.Target{Name: "tiny", Checks: []suitetest.Check{c}}
	if row := rows(t, suite.Options{}, target)["RQ-LOST"]; row.Standing != suite.NotRun || row.Judged != 0 || row.Checks != nil {
		t.Errorf("expected that nothing ran, saw %+v", row)
	}
	var g gate.Gate
	for _, e := range suitetest.Run(t.Context(), t, suite.Options{}, target) {
		g.Event(e)
	}
	if r := g.Result(); r.Exit != 3 {
		t.Errorf("expected exit 3, saw %d, %v", r.Exit, r.Reasons)
	}
}

// TestDoneIsHeld: what another process sends of a check is held to what the target
// is judged by here.
func TestDoneIsHeld(t *testing.T) {
	c := suitetest.Done("sequence/x", 9, "RQ-LOST", "RQ-FIFO")
	o := suite.Options{Elsewhere: &suite.Elsewhere{Checks: []string{c.Name}, Events: func() ([]suite.Event, error) {
		return []suite.Event{{Event: suite.CheckEvent, Check: c.Name, Result: &suite.Result{
			Witness: "sequence", Requirements: c.Requirements, Outcome: c.Outcome,
		}}}, nil
	}}}
	target := &suitetest.Target{Name: "tiny", Checks: []suitetest.Check{c}} // of profile core, which has no order
	var g gate.Gate
	for _, e := range suitetest.Run(t.Context(), t, o, target) {
		g.Event(e)
	}
	if r := g.Result(); r.Exit != 0 {
		t.Errorf("expected a pass, saw exit %d, %v", r.Exit, r.Reasons)
	}
}
