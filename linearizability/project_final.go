package linearizability

import (
	"cmp"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// last adds what was found at the end as takes after everything else.
func (pr *projector) last() {
	h := pr.h
	if !h.Ended() {
		return
	}
	at := int64(1)
	for i := range h.Ops {
		if h.Ops[i].Return == 0 {
			return
		}
		at = max(at, h.Ops[i].Return+1)
	}
	pr.now = effect{op: final, thread: -1, call: at, ret: at}
	for p := range min(len(h.Final.Ps), len(pr.ps)) {
		c := h.Final.Ps[p]
		if pr.order == lifo {
			c.Ring = slices.Clone(c.Ring)
			slices.Reverse(c.Ring) // it was taken out newest first
		}
		if pr.rules.RunNext {
			c = pr.slotFirst(p, c)
		}
		var next []record.ID
		if c.Runnext != 0 {
			next = []record.ID{c.Runnext}
		}
		if pr.order == bag {
			c.Ring = slices.Concat(next, c.Ring)
		}
		pr.onSlot(p, pr.all(next))
		pr.onRing(p, pr.all(c.Ring))
	}
	if pr.behind {
		pr.global.add(pr.all(h.Final.Global))
	}
}

// slotFirst returns what was found of a P at the end with the G that was in
// runnext there, whatever the gets that took it out said, and in whatever order
// they came.
func (pr *projector) slotFirst(p int, c record.PContents) record.PContents {
	at := slices.IndexFunc(c.Ring, func(id record.ID) bool { return pr.inSlot(p, id) })
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

// breaks files an explanation of what only a call's own words show.
func (pr *projector) breaks(p int, requirement, sentence string, ops ...record.Op) {
	if o := pr.slots[p]; o.broken == nil {
		o.broken = &Explanation{Requirement: requirement, Object: o.name, Sentence: sentence, Ops: ops}
	}
}

// unlistedSteals completes the steals for no P that took more than they
// returned: what lies in the ring between the take before and the id returned,
// was never seen to leave, and turned up in the global queue. One that did not
// return may have put there anything that turned up.
func (pr *projector) unlistedSteals() {
	stray := func(ids []record.ID) bool { return slices.ContainsFunc(ids, pr.unlisted) }
	if pr.order != fifo || !slices.ContainsFunc(pr.out, stray) {
		return
	}
	for _, o := range pr.ps {
		pr.unlistedFrom(o)
	}
	// The order of the calls, and the final contents after them.
	slices.SortStableFunc(pr.global.effects, func(a, b effect) int { return cmp.Compare(uint32(a.op), uint32(b.op)) })
}

func (pr *projector) unlistedFrom(o *object) {
	var seq []record.ID // the ids by position
	taken, where := newTable[bool](pr.span), newTable[int](pr.span)
	for i := range o.effects {
		q := &o.effects[i]
		if q.action == put && q.lane == 0 {
			seq = append(seq, q.ids...)
		}
		if q.action == take && q.lane == 0 {
			for _, id := range q.ids {
				*taken.at(id) = true
			}
		}
	}
	for i, id := range seq {
		*where.at(id) = i
	}
	for i := range o.effects {
		q := &o.effects[i]
		if q.action != take || q.lane != 0 || q.op == final || pr.h.Ops[q.op].Kind != record.Steal || pr.h.Ops[q.op].To != record.None {
			continue
		}
		if q.guard&guardMaybe != 0 {
			pr.global.unknown(&pr.h.Ops[q.op], unknownMoves)
			continue
		}
		end := *where.at(q.ids[0]) // 0 too where nobody put it
		begin := end
		for begin > 0 && !*taken.at(seq[begin-1]) && pr.unlisted(seq[begin-1]) {
			begin--
		}
		if begin == end {
			continue
		}
		rest := slices.Clone(seq[begin:end])
		q.ids = append(rest, q.ids...)
		g := *q
		g.action, g.guard, g.ids = put, 0, rest
		pr.global.add(g)
	}
}
