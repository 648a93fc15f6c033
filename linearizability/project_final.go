package linearizability

import (
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// last adds what was found at the end as takes after everything else.
func (pr *projector) last() {
	pr.now = effect{op: final, thread: -1, call: pr.end, ret: pr.end}
	for p := range min(len(pr.h.Final.Ps), len(pr.ps)) {
		c := pr.h.Final.Ps[p]
		if pr.order == lifo {
			c.Ring = slices.Clone(c.Ring)
			slices.Reverse(c.Ring) // it was taken out newest first
		}
		if pr.rules.Slotted() {
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
		pr.global.add(pr.all(pr.h.Final.Global))
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
	pr.breaks(pr.slots[p], "RQ-RUNNEXT-FIRST", sentence)
	c.Ring = slices.Delete(slices.Clone(c.Ring), at, at+1)
	return c
}

// breaks files an explanation of what only a call's own words show.
func (pr *projector) breaks(o *object, requirement, sentence string, ops ...record.Op) {
	if o.broken == nil {
		o.broken = &Explanation{Requirement: requirement, Object: o.name, Sentence: sentence, Ops: ops}
	}
}
