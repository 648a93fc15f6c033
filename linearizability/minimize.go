package linearizability

import (
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/spindle-go/spindle/spec"
)

// minimize leaves out observations for as long as the history stays illegal: an
// observation changes nothing, so no correct history becomes wrong without it.
// All but the one that failed are tried first, because then the states alone
// say what is wrong.
func (x *explainer) minimize() {
	var others []int
	x.skip = make([]bool, len(x.effects))
	for i := range x.effects {
		if p := &x.effects[i]; p.sees() && !p.waited && p.op != x.effects[x.failed].op {
			others = append(others, i)
			x.leaveOut(i, true)
		}
	}
	if len(others) == 0 || x.stillFails() {
		return
	}
	last := x.effects[x.failed].ret
	for _, i := range others {
		x.leaveOut(i, x.effects[i].call > last)
	}
	tries := min(64, 1_000_000/len(x.effects)) // each one is a run of the monitor
	for _, i := range slices.Backward(others) {
		if x.skip[i] || i == int(x.failed) {
			continue
		}
		x.leaveOut(i, tries > 0)
		if tries--; tries < 0 || !x.stillFails() {
			x.leaveOut(i, false)
			x.needed = append(x.needed, &x.effects[i])
		}
	}
}

// leaveOut leaves out an observation, or not, with the one that it waits for.
func (x *explainer) leaveOut(i int, skip bool) {
	x.skip[i] = skip
	if p := &x.effects[i]; p.guard&guardAfter != 0 {
		x.skip[p.after] = skip
	}
}

// stillFails asks the monitor again, without the observations in skip.
func (x *explainer) stillFails() bool {
	m := newMonitor(x.layout, x.skip)
	failed, why := m.run()
	if why != "" || failed < 0 {
		return false
	}
	x.failed, x.stack = int32(failed), m.stack
	return true
}

// together explains what no single state says: effect f cannot be true together
// with the other observations, and the puts and takes in progress at the same
// time as f.
func (x *explainer) together(f *effect) *Explanation {
	parts := []*effect{f}
	var others []string
	for _, p := range x.needed[:min(3, len(x.needed))] {
		_, saw := x.observed(p)
		others, parts = append(others, saw), append(parts, p)
	}
	for i := range x.effects {
		if p := &x.effects[i]; !p.sees() && p.ret >= f.call && p.call <= f.ret && len(parts) < 7 {
			parts = append(parts, p)
		}
	}
	requirement, what := x.orderID(), sayf("%s took %s", x.who(f), idWord(f.ids))
	switch {
	case f.sees():
		requirement, what = x.observed(f)
	case f.guard&guardBatch != 0:
		requirement, what = "RQ-STEAL-HALF", sayf("%s took %d", x.who(f), len(f.ids))
	case f.puts():
		requirement, what = "RQ-CAPACITY", sayf("%s put %s", x.who(f), idWord(f.ids))
	}
	if len(others) > 0 {
		return x.evidence(requirement, what+": that cannot be true together with: "+strings.Join(others, "; "), parts...)
	}
	return x.evidence(requirement, what+": that fits into no order of the calls in progress", parts...)
}

// unexplained is the explanation of a verdict that only porcupine could reach. The
// requirement is that of the first thing without which the history is legal: an
// observation of one kind, the capacity, the order.
func (o *object) unexplained(timeout time.Duration) *Explanation {
	e := o.evidence(o.orderID(), "no order of the calls fits their results (by exhaustive search)", o.first(8)...)
	legal := func(less *object) bool { return askPorcupine(less, timeout) == porcupine.Ok }
	tried := make(map[string]bool)
	for i := range o.effects {
		p := &o.effects[i]
		if !p.sees() || p.waited {
			continue
		}
		id, what := o.observed(p)
		if tried[id] {
			continue
		}
		tried[id] = true
		less := *o
		less.effects = slices.Clone(o.effects)
		for k := range less.effects {
			if q := &less.effects[k]; q.sees() {
				if other, _ := o.observed(q); other == id {
					q.action = leftOut
				}
			}
		}
		if !legal(&less) {
			continue
		}
		return o.evidence(id, what+": that fits into no order of the calls (by exhaustive search)", append(o.first(7), p)...)
	}
	if any, in := o.ofAnyPart(), o.inAnyTurn(); any != nil && legal(any) {
		e.Requirement, e.Sentence = "RQ-STEAL-HALF", "a steal took another part of the queue than the contract says, whatever length it saw (by exhaustive search)"
	} else if in != nil && legal(in) {
		e.Requirement, e.Sentence = "RQ-STEAL-ORDER", "a steal took its batch, or put the rest of it, in another order than the contract says (by exhaustive search)"
	}
	less := *o
	if less.capacity = 0; o.capacity > 0 && legal(&less) {
		e.Requirement, e.Sentence = "RQ-CAPACITY", sayf("the ring holds %d, and no order of the calls keeps to that (by exhaustive search)", o.capacity)
	}
	return e
}

// ofAnyPart returns o with steals that may take any number of Gs, or nil if they may.
func (o *object) ofAnyPart() *object {
	if !slices.ContainsFunc(o.effects, func(p effect) bool { return p.action == readLength }) {
		return nil
	}
	less, rules := *o, *o.rules
	rules.Batch, less.rules = spec.Some, &rules
	return &less
}

// inAnyTurn returns o with steals whose Gs may come and go in any order, or nil if there are
// none of several.
func (o *object) inAnyTurn() *object {
	less := *o
	less.effects = slices.Clone(o.effects)
	waits := false
	for i := range less.effects {
		if p := &less.effects[i]; p.guard&guardAfter != 0 && !p.sees() {
			p.guard, waits = p.guard&^guardAfter, true
		}
	}
	if !waits {
		return nil
	}
	return &less
}

// first returns the first n effects.
func (o *object) first(n int) (list []*effect) {
	for i := range min(n, len(o.effects)) {
		list = append(list, &o.effects[i])
	}
	return list
}
