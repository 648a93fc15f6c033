package linearizability

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// An Explanation is the minimal evidence that an object's history is not what
// the contract allows: a sentence, and the few calls that suffice for it.
type Explanation struct {
	Requirement string // an id of spec.Requirements
	Object      string // "P0.ring", "P0.runnext", "P0", "global", or "" for all
	Sentence    string
	Ops         []record.Op // by call
}

// String gives the sentence and the calls, one a line.
func (e *Explanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", e.Requirement)
	if e.Object != "" {
		fmt.Fprintf(&b, "%s: ", e.Object)
	}
	b.WriteString(e.Sentence)
	for _, op := range e.Ops {
		b.WriteString("\n\t" + op.Text())
	}
	return b.String()
}

// Finding is the explanation as a finding of the checker "linearizability".
func (e *Explanation) Finding() record.Finding {
	f := record.Finding{
		Requirement: e.Requirement, Witness: "linearizability", Fingerprint: e.Requirement,
		Expected: "a moment for each call at which it takes effect", Observed: e.Sentence,
	}
	if len(e.Ops) > 0 {
		calls := record.Evidence{Kind: record.Calls}
		for i := range e.Ops {
			calls.Lines = append(calls.Lines, e.Ops[i].Text())
		}
		f.Evidence = []record.Evidence{calls}
	}
	return f
}

func sayf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// who names a call: "T2's steal".
func who(op *record.Op) string { return fmt.Sprintf("T%d's %v", op.Thread, op.Kind) }

// ids shows ids: "4", "4..6", "4, 6 and 9".
func ids(of []record.ID) string { return list(of, " and ") }

// list shows numbers, the last one after the word given.
func list[T int32 | record.ID](of []T, word string) string {
	n := len(of)
	run := n > 2
	for i := 1; i < n; i++ {
		run = run && of[i] == of[i-1]+1
	}
	switch {
	case run:
		return sayf("%d..%d", of[0], of[n-1])
	case n > 8:
		return sayf("%d, %d%s%d others", of[0], of[1], word, n-2)
	}
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(of), "[]"), " ", ", ")
	if i := strings.LastIndex(text, ", "); i >= 0 {
		text = text[:i] + word + text[i+2:]
	}
	return text
}

func idWord(list []record.ID) string {
	if len(list) == 1 {
		return "id " + ids(list)
	}
	return "ids " + ids(list)
}

// finalContents names what was there when all calls had returned. What is in it
// counts as taken by one more call.
const finalContents = "the final contents"

// who names the call that an effect belongs to.
func (o *object) who(p *effect) string {
	if p.op == final {
		return finalContents
	}
	return who(&o.ops[p.op])
}

// by says who took something: "by T1's get", or where it was found.
func (o *object) by(p *effect) string {
	if p.op == final {
		return "in " + finalContents
	}
	return "by " + o.who(p)
}

// evidence makes an explanation out of effects.
func (o *object) evidence(requirement, sentence string, effects ...*effect) *Explanation {
	e := &Explanation{Requirement: requirement, Object: o.name, Sentence: sentence}
	var ops []int32
	for _, p := range effects {
		if p != nil && p.op != final {
			ops = append(ops, p.op)
		}
	}
	slices.Sort(ops)
	for _, i := range slices.Compact(ops) {
		e.Ops = append(e.Ops, o.ops[i])
	}
	return e
}

// early explains a take that was over before the put of its id began.
func (o *object) early(id record.ID, in, out *effect) *Explanation {
	return o.evidence("RQ-INVENTED", sayf("id %d was taken by %s, which returned before %s was called with it", id, o.who(out), o.who(in)), in, out)
}

// twice explains an id that two effects took.
func (o *object) twice(id record.ID, p, q *effect) *Explanation {
	return o.evidence("RQ-TWICE", sayf("id %d was taken %s and %s", id, o.by(p), o.by(q)), p, q)
}

// outOfOrder explains a take of id by p, though an older one was there: it was
// taken later by next, or never if that is nil. Puts are more of the evidence.
func (o *object) outOfOrder(requirement string, id record.ID, p *effect, older record.ID, next *effect, puts ...*effect) *Explanation {
	sentence := sayf("id %d was taken %s, but id %d, which was put earlier, ", id, o.by(p), older)
	switch {
	case next == nil || next.call == never:
		sentence += "never was"
	case next.op == final:
		sentence += "was still there at the end"
	default:
		sentence = sayf("id %d was taken %s before id %d, which was put earlier and taken later %s", id, o.by(p), older, o.by(next))
	}
	return o.evidence(requirement, sentence, append(puts, p, next)...)
}

// orderID is the requirement that a take out of order breaks.
func (o *object) orderID() string {
	switch {
	case o.place.Object == record.Global:
		return "RQ-GLOBAL-FIFO"
	case o.order == lifo:
		return "RQ-LIFO"
	}
	return "RQ-FIFO"
}

// conserve returns what counting the ids of the whole history shows. It comes
// before all other evidence, because a G that was lost or doubled breaks order
// and emptiness as well, and it holds for every order and every projection.
func conserve(h *record.History) *Explanation {
	vs := sequential.Conserve(h)
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
