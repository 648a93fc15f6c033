package spec

import (
	"slices"
	"strings"
	"testing"
)

// TestMatter: of each requirement that runs judge it is said what has to come about, and of none that there is not.
func TestMatter(t *testing.T) {
	t.Attr("req", "RQ-LOST")
	for id := range matters {
		if _, err := Lookup(id); err != nil {
			t.Error(err)
		}
	}
	for _, q := range Requirements {
		byRuns := slices.ContainsFunc(q.Witnesses, func(w Witness) bool { return w == Stress || w == Interleave })
		if !strings.HasPrefix(q.ID, "VA-") && !strings.HasPrefix(q.ID, "DN-") && byRuns && matters[q.ID] == "" {
			t.Errorf("%s: expected what has to come about", q.ID)
		}
	}
	if Matter("DN-STOP") == "" {
		t.Error("expected words for all others, too")
	}
}
