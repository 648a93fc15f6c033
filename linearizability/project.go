package linearizability

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// How a call becomes effects. With record.History.Moves:
//
//   - put: In goes to the ring. If Moved lists ring -> global, the ring
//     overflowed: those ids left the ring, and In, which never entered it, is
//     the last of the batch on the global queue. In may also be listed in that
//     move, as its last id; it makes no difference.
//   - put next: In goes to runnext. Moved lists runnext -> ring if the old one
//     was kicked to the ring; runnext -> global, and ring -> global, if the ring
//     overflowed on it: the global queue gets the half ring first. Nothing is
//     listed if runnext was empty.
//   - put batch: In goes to the ring but for what Moved lists as ... -> global,
//     which must be a tail of In. A tail that is not listed is recognised by
//     leaving the global queue without having been seen to enter it.
//   - get, drain, steal: Out, and for a steal with a thief's P what Moved lists
//     as ring -> ring, the oldest first, Out last. A steal for no P that took
//     more than Out and gave the rest to the global queue may list it as
//     ring -> global; if it does not, it is recognised as above.
//   - global get: Out, then what Moved lists as global -> ring, leave the global
//     queue in one piece. What found no room in the ring and went back to the
//     tail is to be listed as global -> global; it cannot be recognised.
//
// A G that was put in runnext and that no Moved ever lists as leaving it was
// taken from there by whoever took it: that is how a steal from runnext is told
// from a steal of one from the ring, and what a drain took first from the rest.
//
// Without Moves, only what moves nothing can be projected; the error of the
// object says which call stands in the way.

// unknownMoves is why a call that did not return conceals moves.
const unknownMoves = "did not return, and what it had moved is unknown"

// fact is what is known of one id before the projection.
type fact struct {
	slotted bool // it was put in runnext
	kicked  bool // and reported to have left it otherwise than by Out
	in, out int8 // how often it was reported to enter and to leave the global queue
}

// unlisted reports whether the id entered the global queue unreported.
func (f fact) unlisted() bool { return f.out > f.in }

// projector splits the calls of one history.
type projector struct {
	h      *record.History
	rules  spec.Rules
	order  order
	facts  *table[fact]
	rings  []*object
	slots  []*object
	global *object
	both   []*object // ring and runnext together, where something asks for it; else nil
	filled []bool    // runnext of P was used
	behind bool      // there is a global queue
	now    effect    // what all effects of the call that is being split have in common
}

// project splits h object by object. Objects that no call touched are left out.
func project(h *record.History, rules spec.Rules) []*object {
	pr := &projector{h: h, rules: rules}
	switch rules.Order {
	case spec.LIFOOwner:
		pr.order = lifo
	case spec.AnyOrder:
		pr.order = bag
	}
	pr.objects()
	if h.Moves {
		pr.learn()
	}
	for i := range h.Ops {
		op := &h.Ops[i]
		switch why := pr.hides(op); {
		case why != "":
			pr.giveUp(op, why)
		case op.Return == 0:
			pr.pending(int32(i), op)
		default:
			pr.split(int32(i), op)
		}
	}
	pr.last()
	var out []*object
	for p := range pr.rings {
		out = append(out, pr.rings[p])
		if pr.filled[p] && pr.order != bag {
			out = append(out, pr.slots[p])
			if pr.both[p] != nil {
				pr.both[p].err = pr.slots[p].err
				out = append(out, pr.both[p])
			}
		}
	}
	out = append(out, pr.global)
	strays := pr.strays()
	for _, o := range out {
		if strays && o.order == fifo && o.lanes == 1 && o.place.Object == record.Ring {
			pr.unlistedSteals(o)
		}
	}
	return slices.DeleteFunc(out, func(o *object) bool { return len(o.effects) == 0 && o.err == nil })
}

func (pr *projector) objects() {
	h := pr.h
	capacity := max(0, pr.rules.Capacity)
	ps := h.Scenario.Ps
	for i := range h.Ops {
		ps = max(ps, h.Ops[i].P+1, h.Ops[i].To+1)
	}
	pr.filled = make([]bool, ps)
	asks := make([]bool, ps)
	touches := make([]int, ps)
	for i := range h.Ops {
		op := &h.Ops[i]
		switch op.Kind {
		case record.PutNext:
			pr.filled[op.P] = true
		case record.Empty, record.StealNext:
			asks[op.P] = true
		case record.GlobalPut, record.GlobalGet:
			pr.behind = true
		}
		if op.P >= 0 {
			touches[op.P]++
		}
	}
	pr.behind = pr.behind || h.Final.Global != nil || pr.rules.Global
	object := func(kind record.Object, p, capacity int, order order) *object {
		place := record.Place{Object: kind, P: p}
		return &object{name: place.String(), place: place, capacity: capacity, procs: h.Scenario.Ps, order: order, lanes: 1, ops: h.Ops}
	}
	for p := range ps {
		ring := object(record.Ring, p, capacity, pr.order)
		ring.effects = make([]effect, 0, touches[p]+1)
		whole := fmt.Sprintf("P%d", p)
		pr.rings, pr.slots, pr.both = append(pr.rings, ring), append(pr.slots, object(record.Runnext, p, 1, fifo)), append(pr.both, nil)
		switch {
		case pr.filled[p] && pr.order == bag:
			ring.name = whole
		case pr.filled[p] && asks[p] && pr.order == fifo:
			pr.both[p] = object(record.Ring, p, capacity, fifo)
			pr.both[p].name, pr.both[p].lanes = whole, 2
		}
	}
	pr.global = object(record.Global, record.None, 0, fifo)
	if pr.order == bag {
		pr.global.order = bag
	}
}

// learn collects the facts about ids that the projection needs beforehand.
func (pr *projector) learn() {
	most, n := mostID(pr.h.Ops)
	pr.facts = newTable[fact](most, n)
	for i := range pr.h.Ops {
		op := &pr.h.Ops[i]
		switch op.Kind {
		case record.PutNext:
			for _, id := range op.In {
				pr.facts.at(id).slotted = true
			}
		case record.GlobalPut:
			for _, id := range op.In {
				pr.facts.at(id).in++
			}
		case record.GlobalGet:
			for _, id := range op.Out {
				pr.facts.at(id).out++
			}
		}
		overflow := false
		for _, m := range op.Moved {
			for _, id := range m.IDs {
				f := pr.facts.at(id)
				if m.From.Object == record.Runnext {
					f.kicked = true
				}
				if m.From.Object == record.Global {
					f.out++
				}
				if m.To.Object == record.Global {
					f.in++
				}
			}
			overflow = overflow || m.To.Object == record.Global
		}
		if op.Kind == record.Put && overflow && !listed(op, op.In[0]) {
			pr.facts.at(op.In[0]).in++
		}
	}
	for _, id := range pr.h.Final.Global {
		pr.facts.at(id).out++
	}
}

// strays reports whether any id entered the global queue unreported.
func (pr *projector) strays() bool {
	if pr.facts == nil {
		return false
	}
	stray := slices.ContainsFunc(pr.facts.dense, fact.unlisted)
	for _, f := range pr.facts.sparse {
		stray = stray || f.unlisted()
	}
	return stray
}

// hides says why op conceals moves, or "".
func (pr *projector) hides(op *record.Op) string {
	if pr.h.Moves && op.Return == 0 {
		switch op.Kind {
		case record.Empty, record.Len, record.Get, record.Drain:
		case record.Steal:
			if op.To != record.None {
				return unknownMoves
			}
		default:
			return unknownMoves
		}
	}
	switch {
	case pr.h.Moves:
	case op.Kind == record.PutNext:
		return "the target does not report what was kicked (queue.Mover)"
	case op.Kind == record.GlobalGet || op.Kind == record.StealNext:
		return "the target does not report what else it moved (queue.Mover)"
	case op.Kind == record.Steal && op.To != record.None:
		return "the target does not report what went to the thief's queue (queue.Mover)"
	case (op.Kind == record.Put || op.Kind == record.PutBatch) && pr.behind:
		return "the target does not report what overflowed to the global queue (queue.Mover)"
	}
	return ""
}

// giveUp marks the objects that op may have touched as unknown.
func (pr *projector) giveUp(op *record.Op, why string) {
	pr.global.unknown(op, why)
	if op.P >= 0 {
		pr.rings[op.P].unknown(op, why)
		pr.slots[op.P].unknown(op, why)
	}
	if op.Kind.Takes() && op.Kind != record.GlobalGet && op.To >= 0 {
		pr.rings[op.To].unknown(op, why)
	}
}

// unknown says why the history does not tell what happened to an object.
func (o *object) unknown(op *record.Op, why string) {
	if o.err == nil {
		o.err = fmt.Errorf("not applicable: %v: %s", op, why)
	}
}

// listed reports whether op's moves name id.
func listed(op *record.Op, id record.ID) bool {
	for _, m := range op.Moved {
		if slices.Contains(m.IDs, id) {
			return true
		}
	}
	return false
}

// moved returns the ids that op moved from an object of one kind to another,
// in order.
func moved(op *record.Op, from, to record.Object) []record.ID {
	var ids []record.ID
	for _, m := range op.Moved {
		if m.From.Object == from && m.To.Object == to {
			if ids == nil {
				ids = m.IDs[:len(m.IDs):len(m.IDs)]
			} else {
				ids = append(ids, m.IDs...)
			}
		}
	}
	return ids
}
