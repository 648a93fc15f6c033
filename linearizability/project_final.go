package linearizability

import (
	"cmp"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

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
		if pr.filled[p] && pr.order != bag && pr.rules.RunNext {
			c = pr.slotFirst(p, c)
		}
		var next []record.ID
		if c.Runnext != 0 {
			next = []record.ID{c.Runnext}
		}
		switch {
		case pr.order == bag:
			c.Ring = slices.Concat(next, c.Ring)
		case pr.filled[p]:
			pr.onSlot(p, found(next))
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
	var seq []record.ID // the ids by position
	most, n := mostID(pr.h.Ops)
	taken, where := newTable[bool](most, n), newTable[int](most, n)
	for i := range o.effects {
		q := &o.effects[i]
		if q.action == put {
			seq = append(seq, q.ids...)
		}
		for _, id := range q.taken() {
			*taken.at(id) = true
		}
	}
	for i, id := range seq {
		*where.at(id) = i
	}
	for i := range o.effects {
		q := &o.effects[i]
		if q.action != take || q.op == final || pr.h.Ops[q.op].Kind != record.Steal || pr.h.Ops[q.op].To != record.None {
			continue
		}
		if q.guard&guardMaybe != 0 {
			pr.global.unknown(&pr.h.Ops[q.op], unknownMoves)
			continue
		}
		end := *where.at(q.ids[0]) // 0 too where nobody put it
		begin := end
		for begin > 0 && !*taken.at(seq[begin-1]) && pr.facts.at(seq[begin-1]).unlisted() {
			begin--
		}
		if begin == end {
			continue
		}
		rest := slices.Clone(seq[begin:end])
		q.ids = append(rest, q.ids...)
		if b := pr.both[o.place.P]; b != nil {
			for j := range b.effects {
				if b.effects[j].op == q.op && b.effects[j].action == take && b.effects[j].lane == 0 {
					b.effects[j].ids = q.ids
				}
			}
		}
		g := *q
		g.action, g.guard, g.ids, g.lane = put, 0, rest, 0
		pr.global.add(g)
	}
	// The order of the calls, and the final contents after them.
	slices.SortStableFunc(pr.global.effects, func(a, b effect) int { return cmp.Compare(uint32(a.op), uint32(b.op)) })
}
