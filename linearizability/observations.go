package linearizability

import (
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// untrue explains an observation that was true in no state.
func (x *explainer) untrue(i int32) *Explanation {
	p, views := &x.effects[i], x.views(i)
	switch p.action {
	case seeEmpty:
		if p.guard&guardAfter == 0 {
			ids, calls := x.there(views, p.lane)
			return x.present(p, ids, calls)
		}
		views = slices.DeleteFunc(views, func(v view) bool { return !v.after })
		if len(views) == 0 {
			return x.untrue(p.after)
		}
		if there, calls := x.there(views, p.lane); len(there) > 0 {
			_, what := x.observed(p)
			return x.evidence("RQ-STEAL-RUNNEXT", sayf("%s although, from when the ring was empty, runnext held id %s", what, list(there, " or ")), append(calls, p)...)
		}
	case seeFilled:
		return x.emptied(p, views)
	case seeFull:
		return x.notFull(p, views)
	}
	return nil
}

// shownCalls bounds the calls that show what was there during a call that lasts:
// the first puts and takes will do.
const shownCalls = 16

// there returns a few ids of which one was there in each view, with the put and
// the take of each.
func (x *explainer) there(views []view, lane uint8) (ids []record.ID, calls []*effect) {
	for _, r := range residents(views, lane) {
		id, in, out := x.id(r)
		ids, calls = append(ids, id), append(calls, in, out)
	}
	return ids, calls[:min(len(calls), shownCalls)]
}

// present words the evidence against an "empty": the ids of which one was there
// at every moment of the call, and the put and the take of each.
func (o *object) present(p *effect, there []record.ID, calls []*effect) *Explanation {
	requirement, what := o.observed(p)
	all := append(calls[:min(len(calls), shownCalls)], p)
	switch {
	case len(there) == 0:
		return nil
	case len(there) > 1:
		slices.Sort(there)
		return o.evidence(requirement, sayf("%s although at every moment of the call one of %s was there", what, idWord(there)), all...)
	case calls[0].ret < p.call && (calls[1] == nil || calls[1].call > p.ret):
		return o.evidence(requirement, sayf("%s although id %d was put before it was called and not taken before it returned", what, there[0]), all...)
	}
	return o.evidence(requirement, sayf("%s although, in every order that fits, id %d was there throughout the call", what, there[0]), all...)
}

// emptied explains a "not empty" where nothing was there throughout.
func (x *explainer) emptied(p *effect, views []view) *Explanation {
	parts := []*effect{p}
	for lane := range uint8(len(x.lanes)) {
		if p.lane != lane && p.lane != both {
			continue
		}
		head := int32(0)
		for i := range views {
			if head = max(head, views[i].head[lane]); views[i].len(lane) != 0 {
				return nil
			}
		}
		if head > 0 {
			_, _, out := x.id(resident{lane, head - 1})
			parts = append(parts, out)
		}
		if int(head) < len(x.lanes[lane].names) {
			_, in, _ := x.id(resident{lane, head})
			parts = append(parts, in)
		}
	}
	requirement, what := x.observed(p)
	return x.evidence(requirement, what+" although everything put before it returned had been taken before it was called", parts...)
}

// notFull explains a put that was told that the ring is full.
func (x *explainer) notFull(p *effect, views []view) *Explanation {
	limit := int32(x.capacity)
	most := int32(0)
	for i := range views {
		most = max(most, p.at+limit-views[i].head[0])
	}
	if most >= limit {
		return nil
	}
	var out *effect
	if p.at >= 0 {
		_, _, out = x.id(resident{0, p.at})
	}
	requirement, what := x.observed(p)
	return x.evidence(requirement, sayf("%s, but in every order that fits, the ring held at most %d of %d", what, most, limit), p, out)
}

// observed returns the requirement that an impossible observation breaks, and
// says what was observed: "T0's get found nothing".
func (o *object) observed(p *effect) (requirement, what string) {
	if p.op == final {
		return "RQ-LOST", "nothing was found at the end"
	}
	op, who := &o.ops[p.op], o.who(p)
	what = who + " found nothing"
	switch op.Kind {
	case record.Get:
		if op.OK {
			return "RQ-RUNNEXT-FIRST", who + " took from the ring, not from runnext,"
		}
		return "RQ-GET-NONE", what
	case record.Steal:
		return "RQ-STEAL-NONE", what
	case record.StealNext:
		if op.OK {
			return "RQ-STEAL-RUNNEXT", who + " took from runnext, not from the ring,"
		}
		if o.place.Object == record.Runnext {
			return "RQ-STEAL-RUNNEXT", what
		}
		return "RQ-STEAL-NONE", what
	case record.Drain:
		if op.OK {
			what = who + " took nothing from " + o.name
		}
		return "RQ-DRAIN", what
	case record.GlobalGet:
		return "RQ-GLOBAL-BATCH", what
	case record.PutBatch:
		return "RQ-PUT-BATCH", who + " was told that the ring was full"
	case record.Put, record.PutNext:
		return "RQ-CAPACITY", who + " was refused"
	}
	if op.OK {
		return "RQ-EMPTY-TRUE", who + " said yes"
	}
	return "RQ-EMPTY-FALSE", who + " said no"
}
