package linearizability

import (
	"cmp"
	"slices"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// When the monitor fails, at the return of some effect, it has tried every
// order of the calls so far. What all its last states have in common is
// therefore the evidence: an observation that was true in none of them, or a
// put or take that something blocks in all of them. Usually the ids at the head
// say it: who put them, who took them, and the call that cannot be true.

// An explainer finds the evidence against a layout that the monitor has found
// illegal.
type explainer struct {
	*layout
	failed int32
	skip   []bool    // by effect: the observations that are not needed for it
	needed []*effect // those that are, besides the failed one
	stack  []state   // what the monitor reached and could not move on
	trail  []int32   // the effects that wait for one another, from the failed one on
}

// explain returns the evidence, given the monitor that failed and the effect at
// whose return it did.
func explain(m *monitor, failed int) *Explanation {
	x := &explainer{layout: m.layout, failed: int32(failed), stack: m.stack}
	x.minimize()
	if len(x.needed) == 0 {
		// Effects that happen late may be blocked by what is itself only
		// waiting: the state in which most has happened shows the cause.
		most := slices.MaxFunc(x.stack, func(a, b state) int { return cmp.Compare(a.effects(), b.effects()) })
		if e := x.blocked(&most, x.failed); e != nil {
			return e
		}
	}
	return x.together(&x.effects[x.failed])
}

// blocked explains why effect i has not happened in s, from where the monitor
// could not go on.
func (x *explainer) blocked(s *state, i int32) *Explanation {
	if slices.Contains(x.trail, i) {
		return nil
	}
	x.trail = append(x.trail, i)
	p := &x.effects[i]
	if p.sees() {
		return x.untrue(i)
	}
	ln := &x.lanes[p.lane]
	t, h := s.t[p.lane], s.h[p.lane]
	switch {
	case p.puts() && t < x.seq[i]:
		return x.blocked(s, ln.puts[t].effect)
	case p.action == put:
		return x.noRoom(s, ln, p)
	}
	at := int32(slices.IndexFunc(ln.takes, func(t step) bool { return t.effect == i }))
	own := ln.takes[at]
	if in := &x.effects[ln.putAt(own.end-1).effect]; !x.called(in) {
		return x.early(ln.names[own.end-1], in, p)
	}
	if h < at { // another take comes first
		next := &x.effects[ln.takes[h].effect]
		if x.called(next) {
			return x.blocked(s, ln.takes[h].effect)
		}
		requirement := x.orderID()
		if p.action == swap || next.action == swap {
			requirement = "RQ-RUNNEXT-KICK"
		}
		oldest := x.stay(p.lane, ln.takes[h].start)
		return x.outOfOrder(requirement, ln.names[own.end-1], p, oldest.id, next, oldest.in)
	}
	if own.end > s.tail[p.lane] && t < int32(len(ln.puts)) {
		return x.blocked(s, ln.puts[t].effect)
	}
	return x.wrongSize(s, i)
}

// called reports whether p was called before the return that no state survives.
func (x *explainer) called(p *effect) bool { return p.call <= x.effects[x.failed].ret }

// noRoom explains a put that found its lane full.
func (x *explainer) noRoom(s *state, ln *lane, p *effect) *Explanation {
	own, head := ln.puts[s.t[p.lane]], s.head[p.lane]
	if ln.cap == 0 || own.end-head <= ln.cap {
		return nil
	}
	if h := s.h[p.lane]; h < int32(len(ln.takes)) && x.called(&x.effects[ln.takes[h].effect]) {
		if e := x.blocked(s, ln.takes[h].effect); e != nil && e.Requirement != "RQ-INVENTED" {
			return e
		}
	}
	oldest := x.stay(p.lane, head)
	later := "never taken"
	if oldest.out != nil {
		later = "taken later " + x.by(oldest.out)
	}
	if x.place.Object == record.Runnext || p.lane == 1 {
		return x.evidence("RQ-RUNNEXT-KICK", sayf("%s displaced nothing although id %d was in runnext, %s", x.who(p), oldest.id, later), oldest.in, p, oldest.out)
	}
	if oldest.out != nil {
		later = "of which the oldest was " + later
	}
	return x.evidence("RQ-CAPACITY", sayf("the ring holds %d, but %s left %d in it: %s, %s",
		ln.cap, x.who(p), own.end-head, idWord(ln.names[head:own.end]), later), oldest.in, p, oldest.out)
}

// wrongSize explains a take whose turn has come and whose guard does not let it
// happen: it took more or less than it must.
func (x *explainer) wrongSize(s *state, i int32) *Explanation {
	p, lane := &x.effects[i], x.effects[i].lane
	ln := &x.lanes[lane]
	own := ln.takes[s.h[lane]]
	switch n := s.len(lane); {
	case p.guard&guardAll != 0 && s.tail[lane] > own.end:
		left := ln.names[own.end:s.tail[lane]]
		first := x.stay(lane, own.end)
		if p.op == final {
			return x.evidence("RQ-LOST", sayf("%s had been put, not taken, and not found at the end", idWord(left)), first.in)
		}
		return x.evidence("RQ-DRAIN", sayf("%s left %s, which had been put before", x.who(p), idWord(left)), first.in, p, first.out)
	case p.guard&guardFull != 0 && ln.cap > 0 && n != ln.cap:
		return x.evidence("RQ-CAPACITY", sayf("%s moved half the ring to the global queue when it held %d of %d", x.who(p), n, ln.cap), p, &x.effects[x.failed])
	case p.guard&(guardShare|guardBatch) != 0:
		return x.notThePart(i)
	case p.guard&guardAfter != 0:
		if there, calls := shown(x.there(x.views(p.after), 0)); len(there) > 0 {
			failed := &x.effects[x.failed]
			return x.evidence("RQ-STEAL-RUNNEXT", sayf("%s took id %d from runnext although, until %s returned, the ring held id %s", x.who(p), p.ids[0], x.who(failed), list(there, " or ")), append(calls, p, failed)...)
		}
	}
	return nil
}

// notThePart explains a take of k that must be some part of the length.
func (x *explainer) notThePart(i int32) *Explanation {
	p, lane := &x.effects[i], x.effects[i].lane
	ln := &x.lanes[lane]
	own := ln.takes[x.seq[i]]
	var had []int32
	for _, v := range x.views(i) {
		had = append(had, v.len(lane))
	}
	if slices.Sort(had); len(had) == 0 {
		return nil
	}
	evidence := []*effect{p, &x.effects[x.failed]}
	since := ""
	if x.seq[i] > 0 {
		if before := &x.effects[ln.takes[x.seq[i]-1].effect]; before.ret >= p.call {
			evidence, since = append(evidence, before), ", after "+x.who(before)
		}
	}
	// The put that came too late for half, or the one that was there too early.
	at, k := own.start+had[len(had)-1], own.end-own.start
	if k < x.part(p, had[0]) {
		at = own.start + 2*k
	}
	if p.guard&guardBatch != 0 && int(at) < len(ln.names) {
		evidence = append(evidence, &x.effects[ln.putAt(at).effect])
	}
	return x.wrongPart(p, had, since, evidence...)
}

// part returns how many of n a take must take that takes some part of them.
func (o *object) part(p *effect, n int32) int32 {
	if p.guard&guardShare != 0 {
		return int32(sequential.Share(int(p.arg), 0, int(n), o.procs))
	}
	k := n
	for k > 0 && !o.rules.BatchFits(int(k), int(n)) {
		k--
	}
	return k
}

// wrongPart explains a take of some part of the length, unless its size fits one
// of the lengths that there were.
func (o *object) wrongPart(p *effect, had []int32, since string, evidence ...*effect) *Explanation {
	var must []int32
	for _, n := range had {
		must = append(must, o.part(p, n))
	}
	if must = slices.Compact(must); slices.Contains(must, int32(len(p.ids))) {
		return nil
	}
	requirement, of, part := "RQ-STEAL-HALF", "ring", batchWord(o.rules.Batch)
	if p.guard&guardShare != 0 {
		requirement, of, part = "RQ-GLOBAL-BATCH", "queue", "its share"
	}
	return o.evidence(requirement, sayf("%s took %d of a %s of %s%s: %s is %s", o.who(p), len(p.ids), of, list(slices.Compact(had), " or "), since, part, list(must, " or ")), evidence...)
}

// batchWord says how many a steal from queue to queue takes.
func batchWord(batch string) string {
	if batch == spec.HalfUp || batch == spec.HalfDown {
		return "half"
	}
	return "its batch"
}
