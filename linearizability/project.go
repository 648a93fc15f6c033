package linearizability

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
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
//   - put batch: In goes to the ring but for what Moved lists as ring -> global,
//     which must be a tail of In.
//   - get, drain, steal: Out, and for a steal with a thief's P what Moved lists
//     as ring -> ring, the oldest first, Out last. A steal for no P that took
//     more than Out lists the rest, which it gave to the global queue, as
//     ring -> global. A steal of several from a deque or a pool is one effect for each
//     G, in turn: see oneByOne.
//   - global get: Out, then what Moved lists as global -> ring, leave the global
//     queue in one piece. What found no room in the ring and went back to the
//     tail is listed as global -> global.
//
// A G that was put in runnext and that no Moved ever lists as leaving it was
// taken from there by whoever took it: that is how a steal from runnext is told
// from a steal of one from the ring, and what a drain took first from the rest.
//
// Without Moves, only what moves nothing can be projected; the error of the
// object says which call stands in the way.

// unknownMoves is why a call that did not return conceals moves.
const unknownMoves = "did not return, and what it had moved is unknown"

// projector splits the calls of one history.
type projector struct {
	h      *record.History
	rules  sequential.Rules
	order  order
	span   span
	next   *table[bool] // the ids that are taken from runnext; nil: none
	ps     []*object    // ring and runnext of each P together
	slots  []*object    // runnext by itself: its effects are added by parts
	global *object
	filled []bool             // runnext of P was used
	behind bool               // there is a global queue
	beside map[company][]bool // by call, as it was made: whether one of the company overlapped it
	over   bool               // the run came to its end, and every call returned
	end    int64              // a stamp after all calls
	at     int                // the call that is being split
	now    effect             // what all effects of the call that is being split have in common
}

// project splits h object by object. Objects that no call touched are left out.
func project(h *record.History, rules sequential.Rules) []*object {
	pr := &projector{h: h, rules: rules, over: h.Ended(), end: 1, beside: make(map[company][]bool)}
	switch rules.Order {
	case spec.OwnerLast:
		pr.order = lifo
	case spec.AnyOrder:
		pr.order = bag
	}
	pr.objects()
	if h.Moves && slices.Contains(pr.filled, true) {
		pr.learn()
	}
	for i := range h.Ops {
		op := &h.Ops[i]
		pr.at, pr.now = i, effect{op: int32(i), thread: int32(op.Thread), call: op.Call, ret: op.Return}
		pr.over, pr.end = pr.over && op.Return != 0, max(pr.end, op.Return+1)
		switch why := pr.hides(op); {
		case why != "":
			pr.giveUp(op, why)
		case op.Return == 0:
			pr.pending(op)
		default:
			pr.split(op)
		}
	}
	if pr.over {
		pr.last()
	}
	var out []*object
	for p := range pr.ps {
		out = append(out, pr.parts(p)...)
	}
	out = append(out, pr.global)
	return slices.DeleteFunc(out, func(o *object) bool { return len(o.effects) == 0 && o.err == nil })
}

// A company is the set of concurrent calls that excuse a failed get, steal or put under the
// contract: all calls (spec.Beside), or those of a kind on queue p, or on the queue of the
// thief that steals from it.
type company struct {
	when     string
	p, thief int
}

// has reports whether a call is one of the company.
func (c company) has(op *record.Op) bool {
	on := func(p int) bool { return p >= 0 && (p == c.p || p == c.thief) }
	switch c.when {
	case spec.BesidePut: // by its owner, or of what was stolen for it
		return on(op.P) && (op.Kind.Puts() || op.Kind == record.GlobalGet) || op.Kind.Steals() && on(op.Thief)
	case spec.BesideTake:
		return on(op.P) && op.Kind.Takes() && op.Kind != record.GlobalGet
	case spec.BesideSteal:
		return on(op.P) && op.Kind.Steals()
	}
	return true
}

// made returns the calls as they were made.
func (pr *projector) made() []record.Op {
	if pr.h.Made != nil {
		return pr.h.Made
	}
	return pr.h.Ops
}

// crowd finds the calls that a call of the company, of another thread, overlapped. One that
// did not return overlaps all that came after it.
func (pr *projector) crowd(c company) []bool {
	ops := pr.made()
	beside := make([]bool, len(ops))
	ends := func(i int) int64 {
		if ops[i].Return == 0 {
			return never
		}
		return ops[i].Return
	}
	// The two latest returns so far, of different threads.
	first, second, thread := int64(-1), int64(-1), -1
	for i := range ops {
		before := first
		if thread == ops[i].Thread {
			before = second
		}
		beside[i] = before >= ops[i].Call
		if !c.has(&ops[i]) {
			continue
		}
		switch end := ends(i); {
		case thread == ops[i].Thread:
			first = max(first, end)
		case end > first:
			first, second, thread = end, first, ops[i].Thread
		default:
			second = max(second, end)
		}
	}
	next, other := len(ops), len(ops) // the next calls of the company, of different threads
	for i := len(ops) - 1; i >= 0; i-- {
		later := next
		if next < len(ops) && ops[next].Thread == ops[i].Thread {
			later = other
		}
		beside[i] = beside[i] || later < len(ops) && ops[later].Call <= ends(i)
		if c.has(&ops[i]) {
			if next < len(ops) && ops[next].Thread != ops[i].Thread {
				other = next
			}
			next = i
		}
	}
	return beside
}

// lets reports whether the contract, which says when, allows the call that is being split
// what a call at a quiet moment is not allowed.
func (pr *projector) lets(when string) bool {
	if when == spec.Never {
		return false
	}
	if spec.AtRest(when) {
		return true
	}
	c := company{when, record.None, record.None}
	if op := &pr.h.Ops[pr.at]; when != spec.Beside { // for which one list does for all queues
		c.p = op.P
		if op.Kind.Steals() {
			c.thief = op.Thief
		}
	}
	if pr.beside[c] == nil {
		pr.beside[c] = pr.crowd(c)
	}
	at := pr.at
	if pr.h.Made != nil {
		at = pr.h.Ops[at].Made - 1
	}
	return at >= 0 && pr.beside[c][at]
}

// objects makes the objects, and looks up what the calls use.
func (pr *projector) objects() {
	h := pr.h
	ps := h.Scenario.Ps
	for i := range h.Ops {
		ps = max(ps, h.Ops[i].P+1, h.Ops[i].Thief+1)
		pr.span.enter(h.Ops[i].In)
	}
	pr.filled = make([]bool, ps)
	calls := make([]int, ps)
	pr.behind = h.Final.Global != nil || pr.rules.Spills()
	for i := range h.Ops {
		op := &h.Ops[i]
		switch op.Kind {
		case record.PutNext:
			pr.filled[op.P] = true
		case record.GlobalPut, record.GlobalGet:
			pr.behind = true
		}
		if op.P >= 0 {
			calls[op.P]++
		}
	}
	for p := range ps {
		ring := pr.object(record.Ring, p, pr.order)
		if pr.rules.Bounded() {
			ring.capacity = pr.rules.Capacity
		}
		ring.effects = make([]effect, 0, calls[p]+1)
		slot := pr.object(record.Runnext, p, fifo)
		slot.capacity = 1
		pr.ps, pr.slots = append(pr.ps, ring), append(pr.slots, slot)
	}
	pr.global = pr.object(record.Global, record.None, fifo)
	if pr.order == bag {
		pr.global.order = bag
	}
}

func (pr *projector) object(kind record.Object, p int, order order) *object {
	place := record.Place{Object: kind, P: p}
	return &object{name: place.String(), place: place, procs: pr.h.Scenario.Ps, order: order, lanes: 1, ops: pr.h.Ops, span: pr.span, rules: &pr.rules, many: pr.rules.Puts == spec.Anyone}
}

// parts returns the objects of a P: its ring, and where runnext was used also
// that, and the two together if an effect is about both.
func (pr *projector) parts(p int) []*object {
	whole, slot := pr.ps[p], pr.slots[p]
	if !pr.filled[p] {
		return []*object{whole}
	}
	whole.name = fmt.Sprintf("P%d", p)
	if pr.order == bag { // what is in runnext is in it
		return []*object{whole}
	}
	ring := pr.object(record.Ring, p, pr.order)
	ring.capacity, ring.err, ring.broken = whole.capacity, whole.err, whole.broken
	spans := false
	for _, q := range whole.effects {
		spans = spans || q.lane == both || q.guard&guardAfter != 0
		lane, alone := q.lane, q.lane != both || q.action == seeEmpty
		q.lane, q.guard, q.waited = 0, q.guard&^guardAfter, false
		if alone && lane != 1 {
			ring.add(q)
		}
		if alone && lane != 0 {
			slot.add(q)
		}
	}
	if !spans || pr.order != fifo {
		return []*object{ring, slot}
	}
	whole.lanes = 2
	if whole.err == nil {
		whole.err = slot.err
	}
	return []*object{ring, slot, whole}
}

// learn marks the Gs that were taken from runnext: they were put there, and no call
// reported moving them.
func (pr *projector) learn() {
	pr.next = newTable[bool](pr.span)
	for i := range pr.h.Ops {
		if op := &pr.h.Ops[i]; op.Kind == record.PutNext {
			for _, id := range op.In {
				*pr.next.at(id) = true
			}
		}
	}
	for i := range pr.h.Ops {
		op := &pr.h.Ops[i]
		for _, id := range slices.Concat(moved(op, record.Runnext, record.Ring), moved(op, record.Runnext, record.Global)) {
			*pr.next.at(id) = false
		}
	}
}

// hides says why op conceals moves, or "".
func (pr *projector) hides(op *record.Op) string {
	switch op.Kind {
	case record.Empty, record.Len, record.Get, record.Drain, record.Take, record.CloseQueue:
		return ""
	case record.Steal:
		if op.Thief == record.None {
			return ""
		}
	}
	switch {
	case pr.h.Moves && op.Return == 0:
		return unknownMoves
	case pr.h.Moves, op.Kind == record.GlobalPut:
		return ""
	case (op.Kind == record.Put || op.Kind == record.PutBatch) && !pr.behind:
		return ""
	}
	return "the target does not report what else it moved (queue.Mover)"
}

// giveUp marks the objects that op may have touched as unknown.
func (pr *projector) giveUp(op *record.Op, why string) {
	pr.global.unknown(op, why)
	if op.P >= 0 {
		pr.ps[op.P].unknown(op, why)
		pr.slots[op.P].unknown(op, why)
	}
	if op.Kind.Takes() && op.Kind != record.GlobalGet && op.Thief >= 0 {
		pr.ps[op.Thief].unknown(op, why)
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
			ids = append(ids, m.IDs...)
		}
	}
	return ids
}
