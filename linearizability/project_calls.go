package linearizability

import (
	"slices"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// onRing adds an effect to the ring of P p.
func (pr *projector) onRing(p int, q effect) { pr.ps[p].add(q) }

// onSlot adds an effect to the runnext of P p.
func (pr *projector) onSlot(p int, q effect) {
	switch {
	case pr.slotted(p):
		q.lane = 1
		pr.ps[p].add(q)
	case q.action == swap: // of a bag, as is the put below
		t := q
		t.action, t.ids = take, []record.ID{q.old}
		pr.ps[p].add(t)
		q.action, q.old = put, 0
		pr.ps[p].add(q)
	case q.action == put:
		pr.ps[p].add(q)
	}
}

// slotted reports whether runnext of P p was used and is told from the ring: a
// queue without order is one bag.
func (pr *projector) slotted(p int) bool { return pr.filled[p] && pr.order != bag }

// inSlot reports whether whoever took id from P p took it from runnext.
func (pr *projector) inSlot(p int, id record.ID) bool {
	return pr.next != nil && pr.slotted(p) && *pr.next.at(id)
}

// afterRing adds an effect on runnext that comes after the ring was seen empty.
func (pr *projector) afterRing(p int, q effect) {
	seen := pr.effect(seeEmpty, 0, nil)
	seen.waited = true
	q.guard, q.after = guardAfter, int32(len(pr.ps[p].effects))
	pr.onRing(p, seen)
	pr.onSlot(p, q)
}

// effect makes an effect of the call that is being split.
func (pr *projector) effect(a action, g guard, ids []record.ID) effect {
	q := pr.now
	q.action, q.guard, q.ids = a, g, ids
	return q
}

// all makes the effect of finding ids and no more.
func (pr *projector) all(ids []record.ID) effect {
	if len(ids) == 0 {
		return pr.effect(seeEmpty, 0, nil)
	}
	return pr.effect(take, guardAll, ids)
}

// split adds the effects of op, which returned and hides nothing.
func (pr *projector) split(op *record.Op) {
	switch op.Kind {
	case record.Put, record.PutNext, record.PutBatch:
		pr.splitPut(op)
	case record.Get, record.Take:
		pr.splitGet(op)
	case record.CloseQueue: // of what it dropped, one G: see checks.Judge
		if len(op.Out) > 0 {
			pr.onRing(op.P, pr.effect(take, guardAnyway, op.Out))
		}
	case record.Steal, record.StealNext:
		pr.splitSteal(op)
	case record.Drain:
		next, rest := []record.ID(nil), op.Out
		if len(rest) > 0 && pr.inSlot(op.P, rest[0]) {
			next, rest = rest[:1:1], rest[1:]
		}
		pr.onSlot(op.P, pr.all(next))
		pr.onRing(op.P, pr.all(rest))
	case record.Empty:
		q := pr.effect(seeFilled, 0, nil)
		if op.OK {
			q.action = seeEmpty
		}
		pr.observe(op.P, pr.rules.Empty, q)
	case record.Len:
		q := pr.effect(seeLen, 0, nil)
		q.arg = int32(max(-1, min(op.Count, 1<<30)))
		pr.observe(op.P, pr.rules.Len, q)
	case record.GlobalPut:
		pr.global.add(pr.effect(put, 0, op.In))
	case record.GlobalGet:
		pr.splitGlobalGet(op)
	}
}

// observe adds what a call saw of P p, if the contract says that it was true.
func (pr *projector) observe(p int, worth string, q effect) {
	if worth == spec.Unsaid || worth == spec.AtQuiet && pr.lets(spec.Beside) {
		return
	}
	if pr.slotted(p) {
		q.lane = both
	}
	pr.onRing(p, q)
}

func (pr *projector) splitPut(op *record.Op) {
	p := op.P
	n := max(0, min(op.Count, len(op.In))) // what a bad target says it took may be anything
	accepted := op.In[:n:n]
	half := moved(op, record.Ring, record.Global)
	var toRing, toGlobal []record.ID
	switch op.Kind {
	case record.PutNext:
		if len(accepted) == 0 {
			break
		}
		toRing = moved(op, record.Runnext, record.Ring)
		toGlobal = moved(op, record.Runnext, record.Global)
		q := pr.effect(put, 0, accepted)
		if old := append(toRing, toGlobal...); len(old) > 0 {
			q.action, q.old = swap, old[0]
		}
		pr.onSlot(p, q)
	case record.Put:
		toRing = accepted
		if len(half) > 0 {
			toRing, toGlobal = nil, accepted
		}
	case record.PutBatch:
		for n > 0 && slices.Contains(half, accepted[n-1]) {
			n--
		}
		toRing, toGlobal = accepted[:n], accepted[n:]
	}
	half = slices.DeleteFunc(half, func(id record.ID) bool { return slices.Contains(toGlobal, id) })
	if len(half) > 0 {
		g := guard(0)
		if pr.rules.Spills() {
			g = guardFull
		}
		pr.onRing(p, pr.effect(take, g, half))
	}
	if len(toRing) > 0 {
		pr.onRing(p, pr.effect(put, 0, toRing))
	}
	// The put was told that there was no room for more.
	refused := len(accepted) < len(op.In)
	switch {
	case refused && pr.rules.Bound == spec.Grows && !pr.lets(pr.rules.Refuse):
		pr.breaks(pr.ps[p], "RQ-CAPACITY", sayf("%s was refused: the queue grows", who(op)), *op)
	case pr.ps[p].capacity == 0:
	case pr.rules.Bound == spec.Fresh && refused && pr.fresh(op):
		pr.onRing(p, pr.effect(seeFull, 0, nil))
	case pr.rules.Bound != spec.Exact:
	case op.Kind == record.PutBatch && len(toGlobal) > 0, refused && !pr.lets(pr.rules.Refuse):
		pr.onRing(p, pr.effect(seeFull, 0, nil))
	}
	if len(half)+len(toGlobal) > 0 {
		pr.global.add(pr.effect(put, 0, slices.Concat(half, toGlobal)))
	}
}

// fresh reports whether nothing was taken from op's queue before op returned.
func (pr *projector) fresh(op *record.Op) bool {
	return !slices.ContainsFunc(pr.h.Ops, func(q record.Op) bool {
		return q.Kind.Takes() && q.P == op.P && (len(q.Out) > 0 || q.Return == 0) && (op.Return == 0 || q.Call <= op.Return)
	})
}

func (pr *projector) splitGet(op *record.Op) {
	took := len(op.Out) > 0
	if took && pr.inSlot(op.P, op.Out[0]) {
		pr.onSlot(op.P, pr.effect(take, 0, op.Out))
		return
	}
	if !took && op.Kind == record.Get && pr.lets(pr.rules.GetMiss) {
		return // it may give up, and has seen nothing
	}
	if pr.rules.Slotted() || !took {
		pr.onSlot(op.P, pr.effect(seeEmpty, 0, nil))
	}
	switch {
	case !took:
		pr.onRing(op.P, pr.effect(seeEmpty, 0, nil))
	case pr.order == lifo:
		pr.onRing(op.P, pr.effect(take, guardNewest, op.Out))
	default:
		pr.onRing(op.P, pr.effect(take, 0, op.Out))
	}
}

func (pr *projector) splitSteal(op *record.Op) {
	v := op.P
	slotted := len(op.Out) == 1 && len(op.Moved) == 0 && pr.inSlot(v, op.Out[0])
	switch {
	case slotted && op.Kind == record.StealNext:
		pr.afterRing(v, pr.effect(take, 0, op.Out))
	case slotted:
		if pr.rules.Slotted() {
			pr.breaks(pr.slots[v], "RQ-STEAL-RUNNEXT", sayf("%s took id %d from runnext without asking for it", who(op), op.Out[0]), *op)
		}
		pr.onSlot(v, pr.effect(take, 0, op.Out))
	case len(op.Out) > 0:
		pr.splitLoot(op)
	case op.Thief != record.None && pr.rules.MayGiveUp(pr.h.Scenario.Holds):
	case pr.lets(pr.rules.StealMiss): // it may give up, after a lost race say: it saw nothing
	case !pr.filled[v], pr.slotted(v) && op.Kind == record.Steal:
		pr.onRing(v, pr.effect(seeEmpty, 0, nil))
	case pr.slotted(v):
		pr.afterRing(v, pr.effect(seeEmpty, 0, nil))
	}
	// Of a bag, the ring and, later, runnext: no moment of an empty P.
}

// splitLoot is a steal from a ring.
func (pr *projector) splitLoot(op *record.Op) {
	g := guardAnyway
	if op.Thief != record.None && pr.rules.Batch != spec.None && pr.rules.Batch != spec.Some {
		g = guardBatch
	}
	pub, kept := moved(op, record.Ring, record.Ring), moved(op, record.Ring, record.Global)
	loot := op.Out
	if len(pub)+len(kept) > 0 {
		loot = slices.Concat(pub, kept, op.Out)
		if pr.rules.Returns == spec.Oldest {
			loot = slices.Concat(op.Out, pub, kept)
		}
	}
	for _, m := range op.Moved {
		if m.From.P != op.P && m.From.Object == record.Ring || m.To.P != op.Thief && m.To.Object == record.Ring {
			pr.breaks(pr.ps[op.P], "RQ-STEAL-ORDER", sayf("%s says that it moved %s from %v to %v", who(op), idWord(m.IDs), m.From, m.To), *op)
		}
	}
	astray := kept
	if pr.rules.Rest == spec.ToGlobal {
		astray = pub
	}
	if op.Thief != record.None && pr.rules.Batches() && len(astray) > 0 {
		pr.breaks(pr.ps[op.Thief], "RQ-STEAL-ORDER", sayf("%s moved %s to another place than the contract says", who(op), idWord(astray)), *op)
	}
	if op.Thief != record.None && pr.rules.Batches() && pr.order != fifo {
		pr.oneByOne(op, g, loot, pub)
		return
	}
	pr.onRing(op.P, pr.effect(take, g, loot))
	if len(kept) > 0 {
		pr.global.add(pr.effect(put, 0, kept))
	}
	if len(pub) > 0 && op.Thief >= 0 {
		pr.onRing(op.Thief, pr.effect(put, 0, pub))
	}
}

// oneByOne is a steal of several from a queue that is not first in, first out: its owner takes
// from one end while the thief takes from the other, so that the thief takes its batch G by G,
// the oldest first, and puts the rest into its own queue so. Where the contract says how many,
// they are a part of a length that the queue had before the first was taken.
func (pr *projector) oneByOne(op *record.Op, g guard, loot, pub []record.ID) {
	var steps []effect
	if g == guardBatch {
		q := pr.effect(readLength, 0, nil)
		q.arg = int32(len(loot))
		steps = append(steps, q)
	}
	for i := range loot {
		steps = append(steps, pr.effect(take, 0, loot[i:i+1:i+1]))
	}
	pr.inTurn(op.P, steps)
	steps = nil
	for i := range pub {
		steps = append(steps, pr.effect(put, 0, pub[i:i+1:i+1]))
	}
	pr.inTurn(op.Thief, steps)
}

// inTurn adds effects on the ring of P p, each of which comes after the one before. A queue
// without order has no order of them either, but that the length is read first.
func (pr *projector) inTurn(p int, steps []effect) {
	linked := pr.order != bag || len(steps) > 0 && steps[0].action == readLength
	for i, q := range steps {
		if linked {
			q.waited = i < len(steps)-1
			if i > 0 {
				q.guard, q.after = q.guard|guardAfter, int32(len(pr.ps[p].effects)-1)
			}
		}
		pr.onRing(p, q)
	}
}

func (pr *projector) splitGlobalGet(op *record.Op) {
	if len(op.Out) == 0 {
		pr.global.add(pr.effect(seeEmpty, 0, nil))
		return
	}
	toRing, back := moved(op, record.Global, record.Ring), moved(op, record.Global, record.Global)
	q := pr.effect(take, 0, slices.Concat(op.Out, toRing, back))
	if pr.rules.Spills() && op.Want > 0 {
		q.guard, q.arg = guardShare, int32(op.Want)
		if pr.rules.Capacity > 0 {
			q.arg = min(q.arg, int32(pr.rules.Capacity/2))
		}
	}
	pr.global.add(q)
	if len(back) > 0 {
		pr.global.add(pr.effect(put, 0, back))
	}
	if len(toRing) > 0 {
		pr.onRing(op.P, pr.effect(put, 0, toRing))
	}
}

// pending adds the effects of a call that did not return.
func (pr *projector) pending(op *record.Op) {
	pr.now.ret = never
	switch op.Kind {
	case record.Put, record.PutBatch: // all or nothing: a batch is published at once
		pr.onRing(op.P, pr.effect(put, guardMaybe, op.In))
	case record.Get, record.Take, record.Steal, record.Drain:
		g := guardMaybe
		if op.Kind != record.Steal && op.Kind != record.Drain && pr.order == lifo {
			g |= guardNewest
		}
		pr.onRing(op.P, pr.effect(take, g, nil))
		if op.Kind != record.Steal {
			pr.onSlot(op.P, pr.effect(take, g, nil))
		} else if pr.h.Moves && pr.behind {
			pr.global.unknown(op, unknownMoves)
		}
	case record.GlobalPut:
		pr.global.add(pr.effect(put, guardMaybe, op.In))
	}
}
