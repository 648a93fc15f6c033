package linearizability

import (
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// onRing adds an effect to the ring of P p, and to the composite.
func (pr *projector) onRing(p int, q effect) {
	pr.rings[p].add(q)
	if b := pr.both[p]; b != nil {
		b.add(q)
	}
}

// onSlot adds an effect to the runnext of P p, and to the composite.
func (pr *projector) onSlot(p int, q effect) {
	if pr.order == bag { // the P is one bag: what is in runnext is in it
		switch q.action {
		case put, take:
			pr.rings[p].add(q)
		case swap:
			t := q
			t.action, t.ids = take, []record.ID{q.old}
			pr.rings[p].add(t)
			q.action, q.old = put, 0
			pr.rings[p].add(q)
		}
		return
	}
	pr.slots[p].add(q)
	if b := pr.both[p]; b != nil {
		q.lane = 1
		b.add(q)
	}
}

// split adds the effects of op, which returned and hides nothing.
func (pr *projector) split(i int32, op *record.Op) {
	pr.now = effect{op: i, thread: int32(op.Thread), call: op.Call, ret: op.Return}
	switch op.Kind {
	case record.Put, record.PutNext, record.PutBatch:
		pr.splitPut(op)
	case record.Get:
		pr.splitGet(op)
	case record.Steal, record.StealNext:
		pr.splitSteal(op)
	case record.Drain:
		rest := op.Out
		if len(rest) > 0 && pr.inSlot(rest[0]) {
			pr.onSlot(op.P, pr.effect(take, 0, rest[:1:1]))
			rest = rest[1:]
		} else if pr.filled[op.P] {
			pr.onSlot(op.P, pr.effect(seeEmpty, 0, nil))
		}
		if len(rest) > 0 {
			pr.onRing(op.P, pr.effect(take, guardAll, rest))
		} else if pr.order != bag || len(op.Out) == 0 {
			pr.onRing(op.P, pr.effect(seeEmpty, 0, nil))
		}
	case record.Empty:
		pr.splitEmpty(op)
	case record.GlobalPut:
		pr.global.add(pr.effect(put, 0, op.In))
	case record.GlobalGet:
		pr.splitGlobalGet(op)
	}
}

// effect makes an effect of the call that is being split.
func (pr *projector) effect(a action, g guard, ids []record.ID) effect {
	q := pr.now
	q.action, q.guard, q.ids = a, g, ids
	return q
}

func (pr *projector) splitPut(op *record.Op) {
	p := op.P
	n := max(0, min(op.N, len(op.In))) // what a bad target says it took may be anything
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
		if len(half) > 0 && len(accepted) > 0 {
			toGlobal = accepted
			half = slices.DeleteFunc(slices.Clone(half), func(id record.ID) bool { return id == accepted[0] })
		} else {
			toRing = accepted
		}
	case record.PutBatch:
		n := len(accepted)
		for n > 0 && pr.h.Moves && pr.wentGlobal(op, accepted[n-1]) {
			n--
		}
		toRing, toGlobal = accepted[:n], accepted[n:]
		half = slices.DeleteFunc(slices.Clone(half), func(id record.ID) bool { return slices.Contains(toGlobal, id) })
	}
	if len(half) > 0 {
		r := guard(0)
		if pr.rules.Global {
			r = guardFull
		}
		pr.onRing(p, pr.effect(take, r, half))
	}
	if len(toRing) > 0 {
		pr.onRing(p, pr.effect(put, 0, toRing))
	}
	// The put was told that there was no room for more.
	if pr.rings[p].capacity > 0 && (len(accepted) < len(op.In) || op.Kind == record.PutBatch && len(toGlobal) > 0) {
		pr.onRing(p, pr.effect(seeFull, 0, nil))
	}
	if len(half)+len(toGlobal) > 0 {
		pr.global.add(pr.effect(put, 0, slices.Concat(half, toGlobal)))
	}
}

// wentGlobal reports whether an id of a batch put never entered the ring.
func (pr *projector) wentGlobal(op *record.Op, id record.ID) bool {
	for _, m := range op.Moved {
		if m.To.Object == record.Global && slices.Contains(m.IDs, id) {
			return true
		}
	}
	return pr.facts.at(id).unlisted()
}

// inSlot reports whether whoever took id took it from runnext.
func (pr *projector) inSlot(id record.ID) bool {
	if pr.facts == nil {
		return false
	}
	f := pr.facts.at(id)
	return f.slotted && !f.kicked
}

// breaks files an explanation of what only a call's own words show.
func (pr *projector) breaks(p int, requirement, sentence string, ops ...record.Op) {
	if o := pr.slots[p]; o.broken == nil {
		o.broken = &Explanation{Requirement: requirement, Object: o.name, Sentence: sentence, Ops: ops}
	}
}

func (pr *projector) splitGet(op *record.Op) {
	took := len(op.Out) > 0
	if took && pr.inSlot(op.Out[0]) {
		pr.onSlot(op.P, pr.effect(take, 0, op.Out))
		return
	}
	if pr.filled[op.P] && (pr.rules.RunNext || !took) {
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
	slotted := len(op.Out) == 1 && len(op.Moved) == 0 && pr.inSlot(op.Out[0])
	if slotted && op.Kind == record.Steal && pr.rules.RunNext {
		pr.breaks(v, "RQ-STEAL-RUNNEXT", sayf("%s took id %d from runnext without asking for it", who(op), op.Out[0]), *op)
	}
	if len(op.Out) > 0 && !slotted {
		pub := moved(op, record.Ring, record.Ring)
		kept := moved(op, record.Ring, record.Global)
		loot, r := op.Out, guardAnyway
		if op.To != record.None && pr.rules.Half {
			r = guardHalf
		}
		if len(pub)+len(kept) > 0 {
			loot = slices.Concat(pub, kept, op.Out)
		}
		pr.onRing(v, pr.effect(take, r, loot))
		if len(kept) > 0 {
			pr.global.add(pr.effect(put, 0, kept))
		}
		if len(pub) > 0 && op.To >= 0 {
			pr.onRing(op.To, pr.effect(put, 0, pub))
		}
		return
	}
	if pr.rules.Misses && !slotted {
		return // a thief may give up, after a lost race say: it saw nothing
	}
	if !pr.filled[v] {
		pr.rings[v].add(pr.effect(seeEmpty, 0, nil))
		return
	}
	if pr.order == bag {
		if slotted {
			pr.onSlot(v, pr.effect(take, 0, op.Out))
		}
		return // the ring and, later, runnext: no moment of an empty P
	}
	// The ring alone, runnext alone, and the two in turn.
	b := pr.both[v]
	switch {
	case op.Kind == record.Steal && !slotted:
		pr.onRing(v, pr.effect(seeEmpty, 0, nil))
	case !slotted:
		pr.rings[v].add(pr.effect(seeEmpty, 0, nil))
		pr.slots[v].add(pr.effect(seeEmpty, 0, nil))
		if b != nil {
			b.add(pr.effect(seeInTurn, 0, nil))
		}
	default:
		if op.Kind == record.StealNext {
			pr.rings[v].add(pr.effect(seeEmpty, 0, nil))
		}
		t := pr.effect(take, 0, op.Out)
		pr.slots[v].add(t)
		if b != nil {
			if t.lane = 1; op.Kind == record.StealNext {
				t.guard, t.after = guardAfter, int32(len(b.effects))
				observer := pr.effect(seeEmpty, 0, nil)
				observer.waited = true
				b.add(observer)
			}
			b.add(t)
		}
	}
}

func (pr *projector) splitEmpty(op *record.Op) {
	p, alone, together := op.P, seeFilled, seeEither
	if op.OK {
		alone, together = seeEmpty, seeNeither
	}
	one := !pr.filled[p] || pr.order == bag // the ring is all that there is
	if one || op.OK {
		pr.rings[p].add(pr.effect(alone, 0, nil))
	}
	if !one && op.OK {
		pr.slots[p].add(pr.effect(alone, 0, nil))
	}
	if b := pr.both[p]; b != nil && !one {
		b.add(pr.effect(together, 0, nil))
	}
}

func (pr *projector) splitGlobalGet(op *record.Op) {
	if len(op.Out) == 0 {
		pr.global.add(pr.effect(seeEmpty, 0, nil))
		return
	}
	toRing, back := moved(op, record.Global, record.Ring), moved(op, record.Global, record.Global)
	q := pr.effect(take, 0, op.Out)
	if len(toRing)+len(back) > 0 {
		q.ids = slices.Concat(op.Out, toRing, back)
	}
	if pr.rules.Global && op.Arg > 0 {
		q.guard, q.arg = guardShare, int32(op.Arg)
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
func (pr *projector) pending(i int32, op *record.Op) {
	q := effect{op: i, thread: int32(op.Thread), call: op.Call, ret: never, guard: guardMaybe}
	switch op.Kind {
	case record.Put, record.PutBatch: // all or nothing: a batch is published at once
		q.action, q.ids = put, op.In
		pr.onRing(op.P, q)
	case record.Get, record.Steal, record.Drain:
		q.action = take
		if op.Kind == record.Get && pr.order == lifo {
			q.guard |= guardNewest
		}
		pr.onRing(op.P, q)
		if pr.filled[op.P] && op.Kind != record.Steal {
			pr.onSlot(op.P, q)
		}
	case record.GlobalPut:
		q.action, q.ids = put, op.In
		pr.global.add(q)
	}
}
