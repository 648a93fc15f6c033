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
	var put *record.Op
	var takers []string
	for i := range v.Ops {
		op := &v.Ops[i]
		if slices.Contains(op.In, id) {
			put = op
		}
		for _, out := range op.Out {
			if out == id {
				takers = append(takers, who(op))
			}
		}
	}
	for len(takers) < 2 {
		takers = append(takers, "the taking out at the end")
	}
	switch {
	case v.Requirement == "RQ-LOST":
		e.Sentence, e.Ops = lost(h, put, id, len(v.IDs))
	case v.Requirement == "RQ-TWICE":
		e.Sentence = sayf("id %d was taken by %s and by %s", id, takers[0], takers[1])
	case put == nil:
		e.Sentence = sayf("id %d was taken by %s, and nobody had put it", id, takers[0])
	default:
		e.Sentence = sayf("id %d was taken by %s, which returned before %s was called with it", id, takers[0], who(put))
	}
	return e
}

// lost says where an id was seen last, one of count that were never seen again.
func lost(h *record.History, put *record.Op, id record.ID, count int) (string, []record.Op) {
	ops := []record.Op{*put}
	s := sayf("id %d was put by %s and never seen again, nor found at the end", id, who(put))
	for i := range h.Ops {
		for _, m := range h.Ops[i].Moved {
			if slices.Contains(m.IDs, id) {
				ops = append(ops, h.Ops[i])
				s = sayf("id %d was moved by %s and never seen again, nor found at the end", id, who(&h.Ops[i]))
			}
		}
	}
	if count > 1 {
		s += sayf("; %d ids were lost", count)
	}
	return s, ops
}
