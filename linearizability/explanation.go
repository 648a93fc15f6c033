package linearizability

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
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
		fmt.Fprintf(&b, "\n\t[%d, %d] %v", op.Call, op.Return, op)
		for _, m := range op.Moved {
			fmt.Fprintf(&b, " (%v -> %v %v)", m.From, m.To, ids(m.IDs))
		}
	}
	return b.String()
}

// Finding is the explanation as a finding of the witness "linearizability".
func (e *Explanation) Finding(h *record.History) record.Finding {
	return record.Finding{
		Requirement: e.Requirement, Witness: "linearizability",
		Expected: "a moment for each call at which it takes effect",
		Observed: e.Sentence, Count: 1, Of: 1, Ops: e.Ops, History: h,
	}
}

func sayf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// who names a call: "T2's steal".
func who(op *record.Op) string { return fmt.Sprintf("T%d's %v", op.Thread, op.Kind) }

// ids shows ids: "4", "4..6", "4, 6 and 9".
func ids(list []record.ID) string {
	run := len(list) > 2
	for i := 1; i < len(list); i++ {
		run = run && list[i] == list[i-1]+1
	}
	switch {
	case len(list) == 0:
		return "none"
	case len(list) == 1:
		return fmt.Sprint(list[0])
	case run:
		return fmt.Sprintf("%d..%d", list[0], list[len(list)-1])
	case len(list) > 8:
		return fmt.Sprintf("%d, %d and %d others", list[0], list[1], len(list)-2)
	}
	var b strings.Builder
	for i, id := range list {
		switch {
		case i == 0:
		case i == len(list)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, id)
	}
	return b.String()
}

// either shows numbers of which one will do: "2", "3 or 4", "3 to 6".
func either(list []int32) string {
	n := len(list)
	if n > 2 && int(list[n-1]-list[0]) == n-1 {
		return sayf("%d to %d", list[0], list[n-1])
	}
	var b strings.Builder
	for i, k := range list {
		switch {
		case i == 0:
		case i == n-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, k)
	}
	return b.String()
}

func idWord(list []record.ID) string {
	if len(list) == 1 {
		return "id " + ids(list)
	}
	return "ids " + ids(list)
}

// finalDrain names what took out the rest when all calls had returned.
const finalDrain = "the final drain"

// who names the call that an effect belongs to.
func (o *object) who(p *effect) string {
	if p.op == final {
		return finalDrain
	}
	return who(&o.ops[p.op])
}

// evidence makes an explanation out of effects.
func (o *object) evidence(requirement, sentence string, effects ...*effect) *Explanation {
	e := &Explanation{Requirement: requirement, Object: o.name, Sentence: sentence}
	var ops []int32
	for _, p := range effects {
		if p != nil && p.op != final && !slices.Contains(ops, p.op) {
			ops = append(ops, p.op)
		}
	}
	slices.Sort(ops)
	for _, i := range ops {
		e.Ops = append(e.Ops, o.ops[i])
	}
	return e
}

// early explains a take that was over before the put of its id began.
func (o *object) early(id record.ID, in, out *effect) *Explanation {
	return o.evidence("RQ-INVENTED", sayf("id %d was taken by %s, which returned before %s was called with it", id, o.who(out), o.who(in)), in, out)
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

// observationID is the requirement that an impossible observation breaks.
func (o *object) observationID(p *effect) string {
	if p.op == final {
		return "RQ-LOST"
	}
	op := &o.ops[p.op]
	switch op.Kind {
	case record.Get:
		if op.OK {
			return "RQ-RUNNEXT-FIRST"
		}
		return "RQ-GET-NONE"
	case record.Steal:
		return "RQ-STEAL-NONE"
	case record.StealNext:
		if op.OK || o.place.Object == record.Runnext {
			return "RQ-STEAL-RUNNEXT"
		}
		return "RQ-STEAL-NONE"
	case record.Drain:
		return "RQ-DRAIN"
	case record.GlobalGet:
		return "RQ-GLOBAL-BATCH"
	case record.PutBatch:
		return "RQ-PUT-BATCH"
	case record.Put, record.PutNext:
		return "RQ-CAPACITY"
	}
	if op.OK {
		return "RQ-EMPTY-TRUE"
	}
	return "RQ-EMPTY-FALSE"
}

// saw says what an effect observed: "T0's get found nothing".
func (o *object) saw(p *effect) string {
	if p.op == final {
		return "nothing was found at the end"
	}
	op, w := &o.ops[p.op], o.who(p)
	switch {
	case p.action == seeFull && op.Kind == record.PutBatch:
		return w + " was told that the ring was full"
	case p.action == seeFull:
		return w + " was refused"
	case op.Kind == record.Empty && op.OK:
		return w + " said yes"
	case op.Kind == record.Empty:
		return w + " said no"
	case op.Kind == record.Get && op.OK:
		return w + " took from the ring, not from runnext,"
	case op.Kind == record.StealNext && op.OK:
		return w + " took from runnext, not from the ring,"
	case op.Kind == record.Drain && op.OK:
		return w + " took nothing from " + o.name
	}
	return w + " found nothing"
}
