package linearizability

import (
	"slices"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// conserve returns what counting the ids of the whole history shows. It comes
// before all other evidence, because a G that was lost or doubled breaks order
// and emptiness as well, and it holds for every order and every projection.
func conserve(h *record.History) *Explanation {
	vs := spec.Conserve(h)
	if len(vs) == 0 {
		return nil
	}
	e := &Explanation{Requirement: vs[0].Requirement, Sentence: vs[0].Observed, Ops: slices.Clip(vs[0].Ops)}
	for i := range h.Ops { // who moved what was lost
		if op := &h.Ops[i]; e.Requirement == "RQ-LOST" && listed(op, vs[0].IDs[0]) {
			e.Ops, e.Sentence = append(e.Ops, *op), sayf("%s, moved by %s", vs[0].Observed, who(op))
		}
	}
	return e
}
