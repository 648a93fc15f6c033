package linearizability

import (
	"slices"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// conserve puts in words what counting the ids of the whole history shows. It
// comes before all other evidence, because a G that was lost or doubled breaks
// order and emptiness as well, and it holds for every order and every
// projection.
func conserve(h *record.History) *Explanation {
	vs := spec.Conserve(h)
	if len(vs) == 0 {
		return nil
	}
	v := &vs[0]
	e := &Explanation{Requirement: v.Requirement, Ops: v.Ops}
	id := v.IDs[0]
	put := ""
	var takers []string
	for i := range v.Ops {
		op := &v.Ops[i]
		if slices.Contains(op.In, id) {
			put = who(op)
		}
		for _, out := range op.Out {
			if out == id {
				takers = append(takers, who(op))
			}
		}
	}
	switch {
	case v.Requirement == "RQ-LOST":
		e.Sentence = sayf("id %d was put by %s", id, put)
		for i := range h.Ops {
			if op := &h.Ops[i]; listed(op, id) {
				e.Ops, e.Sentence = append(slices.Clip(e.Ops), *op), sayf("id %d was moved by %s", id, who(op))
			}
		}
		e.Sentence += " and never seen again, nor found at the end"
		if n := len(v.IDs); n > 1 {
			e.Sentence += sayf("; %d ids were lost", n)
		}
	case v.Requirement == "RQ-TWICE" && len(takers) == 0:
		e.Sentence = sayf("id %d is twice in %s", id, finalContents)
	case v.Requirement == "RQ-TWICE" && len(takers) == 1:
		e.Sentence = sayf("id %d was taken by %s and is in %s", id, takers[0], finalContents)
	case v.Requirement == "RQ-TWICE":
		e.Sentence = sayf("id %d was taken by %s and by %s", id, takers[0], takers[1])
	case put == "" && len(takers) == 0:
		e.Sentence = sayf("id %d is in %s, and nobody had put it", id, finalContents)
	case put == "":
		e.Sentence = sayf("id %d was taken by %s, and nobody had put it", id, takers[0])
	default:
		e.Sentence = sayf("id %d was taken by %s, which returned before %s was called with it", id, takers[0], put)
	}
	return e
}
