package sched

import (
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
)

// mended are the fixes with which the core conserves work.
const mended = `Fixes={"undo_first", "handoff_need", "batch_locked", "rescan"}`

// TestLiveness is about a bug that breaks no invariant, but what must happen at some time.
func TestLiveness(t *testing.T) {
	t.Attr("req", "DN-WORK-LIVE")
	if got := falls(t, "Gs=2; "+mended); got != "" {
		t.Errorf("%s falls", got)
	}
	if got := falls(t, `Gs=2; Bugs={"no_runnext_steal"}; `+mended); got != "WorkLive" {
		t.Errorf("with no_runnext_steal %q falls, want WorkLive", got)
	}
}

// falls returns the first temporal property that does not hold, or "".
func falls(t *testing.T, constants string) string {
	t.Helper()
	m, _ := configuration(t, constants)
	for _, l := range m.Liveness() {
		r, err := explore.Lively(t.Context(), m, l, explore.Options[State]{MaxStates: 1_000_000})
		if err != nil {
			t.Fatal(err)
		}
		if r.Violation != nil {
			return l.Name
		}
		if !r.Complete {
			t.Errorf("the search stopped: %s", r.Stopped)
		}
	}
	return ""
}
