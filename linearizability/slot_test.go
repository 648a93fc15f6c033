package linearizability

import (
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// TestRunnextAtTheEnd holds that a G which was in runnext when all was over is
// told from one of the ring, also where the gets that took it out lie.
func TestRunnextAtTheEnd(t *testing.T) {
	rules := sequential.RulesOf(spec.GoRT, 4)
	for _, c := range []struct {
		final record.PContents
		want  string
	}{
		{record.PContents{Runnext: 2, Ring: []record.ID{1}}, ""},
		{record.PContents{Ring: []record.ID{2, 1}}, "RQ-RUNNEXT-FIRST"}, // said to come from the ring
		{record.PContents{Ring: []record.ID{1, 2}}, "RQ-RUNNEXT-FIRST"}, // the ring first
	} {
		h := history(1).put(1, 2, 1).next(3, 4, 2, 0).history()
		h.Final = record.Contents{Ps: []record.PContents{c.final}}
		got := ""
		r := Check(h, Options{Rules: rules})
		for _, e := range r.Explanations() {
			got += e.Requirement
		}
		if got != c.want {
			t.Errorf("%v at the end: %q, want %q: %v", c.final, got, c.want, r.Explanation())
		}
	}
}
