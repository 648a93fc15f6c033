package linearizability

import (
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// onRing adds a effect to the ring of P p, and to the composite.
func (pr *projector) onRing(p int, q effect) {
	pr.rings[p].add(q)
	if b := pr.both[p]; b != nil {
		b.add(q)
	}
}

// onSlot adds a effect to the runnext of P p, and to the composite.
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
	base := effect{op: i, thread: int32(op.Thread), call: op.Call, ret: op.Return}
	do := func(d action, r guard, ids []record.ID) effect {
		q := base
		q.action, q.guard, q.ids = d, r, ids
		return q
	}
	switch op.Kind {
	case record.Put, record.PutNext, record.PutBatch:
		pr.splitPut(op, do)
	case record.Get:
		pr.splitGet(op, do)
	case record.Steal, record.StealNext:
		pr.splitSteal(op, do)
	case record.Drain:
		rest := op.Out
		if len(rest) > 0 && pr.inSlot(rest[0]) {
			pr.onSlot(op.P, do(take, 0, rest[:1:1]))
			rest = rest[1:]
		} else if pr.filled[op.P] {
			pr.onSlot(op.P, do(seeEmpty, 0, nil))
		}
		if len(rest) > 0 {
			pr.onRing(op.P, do(take, guardAll, rest))
		} else if pr.order != bag || len(op.Out) == 0 {
			pr.onRing(op.P, do(seeEmpty, 0, nil))
		}
	case record.Empty:
		pr.splitEmpty(op, do)
	case record.GlobalPut:
		pr.global.add(do(put, 0, op.In))
	case record.GlobalGet:
		pr.splitGlobalGet(op, do)
	}
}

type maker func(action, guard, []record.ID) effect

func (pr *projector) splitPut(op *record.Op, do maker) {
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
		q := do(put, 0, accepted)
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
		pr.onRing(p, do(take, r, half))
	}
	if len(toRing) > 0 {
		pr.onRing(p, do(put, 0, toRing))
	}
	// The put was told that there was no room for more.
	if pr.rings[p].capacity > 0 && (len(accepted) < len(op.In) || op.Kind == record.PutBatch && len(toGlobal) > 0) {
		pr.onRing(p, do(seeFull, 0, nil))
	}
	if len(half)+len(toGlobal) > 0 {
		pr.global.add(do(put, 0, slices.Concat(half, toGlobal)))
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

func (pr *projector) splitGet(op *record.Op, do maker) {
	switch {
	case len(op.Out) > 0 && pr.inSlot(op.Out[0]):
		pr.onSlot(op.P, do(take, 0, op.Out))
		return
	case len(op.Out) > 0:
		if pr.filled[op.P] && pr.rules.RunNext {
			pr.onSlot(op.P, do(seeEmpty, 0, nil))
		}
		r := guard(0)
		if pr.order == lifo {
			r = guardNewest
		}
		pr.onRing(op.P, do(take, r, op.Out))
	default:
		if pr.filled[op.P] {
			pr.onSlot(op.P, do(seeEmpty, 0, nil))
		}
		pr.onRing(op.P, do(seeEmpty, 0, nil))
	}
}

func (pr *projector) splitSteal(op *record.Op, do maker) {
	v := op.P
	slotted := len(op.Out) == 1 && len(op.Moved) == 0 && pr.inSlot(op.Out[0])
	if slotted && op.Kind == record.Steal && pr.rules.RunNext {
		pr.breaks(v, "RQ-STEAL-RUNNEXT", sayf("%s took id %d from runnext without asking for it", who(op), op.Out[0]), *op)
	}
	if len(op.Out) > 0 && !slotted {
		pub := moved(op, record.Ring, record.Ring)
		kept := moved(op, record.Ring, record.Global)
		loot := op.Out
		r := guard(0)
		if op.To != record.None && pr.rules.Half {
			r = guardHalf
		} else {
			r = guardAnyway
		}
		if len(pub)+len(kept) > 0 {
			loot = slices.Concat(pub, kept, op.Out)
		}
		pr.onRing(v, do(take, r, loot))
		if len(kept) > 0 {
			pr.global.add(do(put, 0, kept))
		}
		if len(pub) > 0 && op.To >= 0 {
			pr.onRing(op.To, do(put, 0, pub))
		}
		return
	}
	if pr.rules.Misses && !slotted {
		return // a thief may give up, after a lost race say: it saw nothing
	}
	if !pr.filled[v] {
		pr.rings[v].add(do(seeEmpty, 0, nil))
		return
	}
	if pr.order == bag {
		if slotted {
			pr.onSlot(v, do(take, 0, op.Out))
		}
		return // the ring and, later, runnext: no moment of an empty P
	}
	// The ring alone, runnext alone, and the two in turn.
	b := pr.both[v]
	switch {
	case op.Kind == record.Steal && !slotted:
		pr.onRing(v, do(seeEmpty, 0, nil))
	case !slotted:
		pr.rings[v].add(do(seeEmpty, 0, nil))
		pr.slots[v].add(do(seeEmpty, 0, nil))
		if b != nil {
			b.add(do(seeInTurn, 0, nil))
		}
	default:
		if op.Kind == record.StealNext {
			pr.rings[v].add(do(seeEmpty, 0, nil))
		}
		t := do(take, 0, op.Out)
		pr.slots[v].add(t)
		if b != nil {
			if t.lane = 1; op.Kind == record.StealNext {
				t.guard, t.after = guardAfter, int32(len(b.effects))
				observer := do(seeEmpty, 0, nil)
				observer.waited = true
				b.add(observer)
			}
			b.add(t)
		}
	}
}

func (pr *projector) splitEmpty(op *record.Op, do maker) {
	p := op.P
	if !pr.filled[p] || pr.order == bag {
		if op.OK {
			pr.rings[p].add(do(seeEmpty, 0, nil))
		} else {
			pr.rings[p].add(do(seeFilled, 0, nil))
		}
		return
	}
	if op.OK {
		pr.rings[p].add(do(seeEmpty, 0, nil))
		pr.slots[p].add(do(seeEmpty, 0, nil))
	}
	if b := pr.both[p]; b != nil {
		if op.OK {
			b.add(do(seeNeither, 0, nil))
		} else {
			b.add(do(seeEither, 0, nil))
		}
	}
}

func (pr *projector) splitGlobalGet(op *record.Op, do maker) {
	if len(op.Out) == 0 {
		pr.global.add(do(seeEmpty, 0, nil))
		return
	}
	toRing, back := moved(op, record.Global, record.Ring), moved(op, record.Global, record.Global)
	q := do(take, 0, op.Out)
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
		pr.global.add(do(put, 0, back))
	}
	if len(toRing) > 0 {
		pr.onRing(op.P, do(put, 0, toRing))
	}
}

// pending adds the effects of a call that did not return.
func (pr *projector) pending(i int32, op *record.Op) {
	q := effect{op: i, thread: int32(op.Thread), call: op.Call, ret: never, guard: guardMaybe}
	switch op.Kind {
	case record.Put:
		q.action, q.ids = put, op.In
		pr.onRing(op.P, q)
	case record.PutBatch:
		q.action, q.ids = put, op.In // all or nothing: a batch is published at once
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

// slotFirst returns what was found of a P at the end with the G that was in
// runnext there, whatever the gets that took it out said, and in whatever order
// they came.
func (pr *projector) slotFirst(p int, c record.PContents) record.PContents {
	at := slices.IndexFunc(c.Ring, pr.inSlot)
	if at < 0 || c.Runnext != 0 {
		return c
	}
	c.Runnext = c.Ring[at]
	sentence := sayf("id %d, in runnext at the end, was taken out after id %d of the ring", c.Runnext, c.Ring[0])
	if at == 0 {
		sentence = sayf("id %d, in runnext at the end, was taken out by a get that said that it came from the ring", c.Runnext)
	}
	pr.breaks(p, "RQ-RUNNEXT-FIRST", sentence)
	c.Ring = slices.Delete(slices.Clone(c.Ring), at, at+1)
	return c
}

// last adds what was found at the end as takes after everything else.
func (pr *projector) last() {
	h := pr.h
	if len(h.Final.Ps) == 0 {
		return // the run did not come to its end
	}
	at := int64(1)
	for i := range h.Ops {
		if h.Ops[i].Return == 0 {
			return
		}
		at = max(at, h.Ops[i].Return+1)
	}
	found := func(ids []record.ID) effect {
		q := effect{op: final, thread: -1, action: take, guard: guardAll, ids: ids, call: at, ret: at}
		if len(ids) == 0 {
			q.action, q.guard = seeEmpty, 0
		}
		return q
	}
	for p := range min(len(h.Final.Ps), len(pr.rings)) {
		c := h.Final.Ps[p]
		if pr.order == lifo {
			c.Ring = slices.Clone(c.Ring)
			slices.Reverse(c.Ring) // it was taken out newest first
		}
		if pr.order == bag && c.Runnext != 0 {
			c.Ring = append([]record.ID{c.Runnext}, c.Ring...)
			c.Runnext = 0
		}
		if pr.filled[p] && pr.order != bag && pr.rules.RunNext {
			c = pr.slotFirst(p, c)
		}
		if pr.filled[p] && pr.order != bag {
			var ids []record.ID
			if c.Runnext != 0 {
				ids = []record.ID{c.Runnext}
			}
			pr.onSlot(p, found(ids))
		}
		pr.onRing(p, found(c.Ring))
	}
	if pr.behind {
		pr.global.add(found(h.Final.Global))
	}
}

// unlistedSteals completes the steals for no P that took more than they
// returned: what lies in the ring between the take before and the id returned,
// was never seen to leave, and turned up in the global queue. One that did not
// return may have put there anything that turned up.
func (pr *projector) unlistedSteals(o *object) {
	if !pr.h.Moves || !slices.ContainsFunc(o.effects, func(q effect) bool {
		return q.op != final && pr.h.Ops[q.op].Kind == record.Steal && pr.h.Ops[q.op].To == record.None
	}) {
		return
	}
	var seq []record.ID // the ids by position
	taken := newTable[bool](mostID(pr.h.Ops))
	for i := range o.effects {
		switch q := &o.effects[i]; q.action {
		case put:
			seq = append(seq, q.ids...)
		case take:
			for _, id := range q.ids {
				*taken.at(id) = true
			}
		}
	}
	where := newTable[int32](mostID(pr.h.Ops))
	for i, id := range seq {
		*where.at(id) = int32(i) + 1
	}
	for i := range o.effects {
		q := &o.effects[i]
		if q.action != take || q.op == final || pr.h.Ops[q.op].Kind != record.Steal || pr.h.Ops[q.op].To != record.None {
			continue
		}
		if q.guard&guardMaybe != 0 {
			if pr.global.err == nil {
				pr.global.err = &inapplicableError{pr.h.Ops[q.op], unknownMoves}
			}
			continue
		}
		end := int(*where.at(q.ids[0])) - 1
		begin := end
		for begin > 0 && !*taken.at(seq[begin-1]) && pr.facts.at(seq[begin-1]).unlisted() {
			begin--
		}
		if begin >= end || end < 0 {
			continue
		}
		rest := slices.Clone(seq[begin:end])
		q.ids = append(rest, q.ids...)
		g := *q
		g.action, g.guard, g.ids, g.lane = put, 0, rest, 0
		before := pr.global.effects
		if n := len(before); n > 0 && before[n-1].op == final {
			before = before[:n-1]
		}
		at, _ := slices.BinarySearchFunc(before, g, func(a, b effect) int { return int(a.op) - int(b.op) })
		pr.global.effects = slices.Insert(pr.global.effects, at, g)
		if b := pr.both[o.place.P]; b != nil {
			for j := range b.effects {
				if b.effects[j].op == q.op && b.effects[j].action == take && b.effects[j].lane == 0 {
					b.effects[j].ids = q.ids
				}
			}
		}
	}
}
