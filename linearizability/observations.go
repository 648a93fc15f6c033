package linearizability

import (
	"cmp"
	"maps"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// untrue explains an observation that was true in no state.
func (x *explainer) untrue(i int32) *Explanation {
	p, views := &x.effects[i], x.views(i)
	switch p.action {
	case seeEmpty:
		if p.guard&guardAfter == 0 {
			return x.present(p, x.there(views, p.lane))
		}
		if len(views) == 0 {
			return x.untrue(p.after)
		}
		if there, calls := shown(x.there(views, p.lane)); len(there) > 0 {
			_, what := x.observed(p)
			return x.evidence("RQ-STEAL-RUNNEXT", sayf("%s although, from when the ring was empty, runnext held id %s", what, list(there, " or ")), append(calls, p)...)
		}
	case seeFilled:
		return x.emptied(p, views)
	case seeFull:
		return x.notFull(p, views)
	case seeLen:
		return x.otherLen(p, views)
	}
	return nil
}

// present explains an "empty" by what was there at every moment of the call; nil
// if nothing was.
func (o *object) present(p *effect, there []interval) *Explanation {
	if len(there) == 0 {
		return nil
	}
	requirement, what := o.observed(p)
	ids, calls := shown(there)
	switch s := there[0]; {
	case len(there) > 1:
		slices.Sort(ids)
		what += sayf(" although at every moment of the call one of %s was there", idWord(ids))
	case s.in.ret < p.call && (s.out == nil || s.out.call > p.ret):
		what += sayf(" although id %d was put before it was called and not taken before it returned", s.id)
	default:
		what += sayf(" although, in every order that fits, id %d was there throughout the call", s.id)
	}
	return o.evidence(requirement, what, append(calls, p)...)
}

// shownCalls bounds the calls that show what was there during a call that lasts:
// the first puts and takes will do.
const shownCalls = 16

// shown returns the ids of intervals, with their puts and takes.
func shown(there []interval) (ids []record.ID, calls []*effect) {
	for _, s := range there {
		ids, calls = append(ids, s.id), append(calls, s.in, s.out)
	}
	return ids, calls[:min(len(calls), shownCalls)]
}

// emptied explains a "not empty" where nothing was there throughout.
func (x *explainer) emptied(p *effect, views []extent) *Explanation {
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
			parts = append(parts, x.stay(lane, head-1).out)
		}
		if int(head) < len(x.lanes[lane].names) {
			parts = append(parts, x.stay(lane, head).in)
		}
	}
	requirement, what := x.observed(p)
	return x.evidence(requirement, what+" although everything put before it returned had been taken before it was called", parts...)
}

// otherLen explains a length that the queue never had during the call.
func (x *explainer) otherLen(p *effect, views []extent) *Explanation {
	var had []int32
	for i := range views {
		had = append(had, views[i].len(p.lane))
	}
	slices.Sort(had)
	if had = slices.Compact(had); len(had) == 0 {
		return nil
	}
	requirement, what := x.observed(p)
	return x.evidence(requirement, sayf("%s, but in every order that fits, there were %s", what, list(had, " or ")), p)
}

// notFull explains a put that was told that the ring is full.
func (x *explainer) notFull(p *effect, views []extent) *Explanation {
	limit := int32(x.capacity)
	most := int32(0)
	for i := range views {
		if x.many {
			most = max(most, views[i].len(0))
		} else {
			most = max(most, p.at+limit-views[i].head[0])
		}
	}
	if most >= limit {
		return nil
	}
	var out *effect
	if p.at >= 0 && !x.many {
		out = x.stay(0, p.at).out
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
	switch {
	case op.Kind == record.Take && !op.OK:
		return "RQ-TAKE-NONE", what
	case (op.Kind == record.Get || op.Kind == record.Take) && op.OK:
		return "RQ-RUNNEXT-FIRST", who + " took from the ring, not from runnext,"
	case op.Kind == record.Get:
		return "RQ-GET-NONE", what
	case op.Kind == record.StealNext && op.OK:
		return "RQ-STEAL-RUNNEXT", who + " took from runnext, not from the ring,"
	case op.Kind == record.StealNext && o.place.Object == record.Runnext:
		return "RQ-STEAL-RUNNEXT", what
	case op.Kind.Steals():
		return "RQ-STEAL-NONE", what
	case op.Kind == record.Drain && op.OK:
		return "RQ-DRAIN", who + " took nothing from " + o.name
	case op.Kind == record.Drain:
		return "RQ-DRAIN", what
	case op.Kind == record.GlobalGet:
		return "RQ-GLOBAL-BATCH", what
	case op.Kind == record.PutBatch:
		return "RQ-PUT-BATCH", who + " was told that the ring was full"
	case op.Kind.Puts():
		return "RQ-CAPACITY", who + " was refused"
	case op.Kind == record.Len:
		return "RQ-LEN", sayf("%s said %d", who, op.Count)
	case op.OK:
		return "RQ-EMPTY-TRUE", who + " said yes"
	}
	return "RQ-EMPTY-FALSE", who + " said no"
}

// views returns what the lanes held, in order, in the states in which effect i
// was not possible: from its call to the return that none survives, and once it
// was its turn or what it waits for was true. The monitor is lazy, but in the end
// it has been in all of them: the last time it moves on all that is left, and a
// state that is no longer possible then was moved on by the return that ended it.
func (x *explainer) views(i int32) []extent {
	p, seen := &x.effects[i], make(map[extent]bool)
	m := newMonitor(x.layout, x.skip)
	m.visit = func(s *state) {
		switch {
		case !m.called[i], m.done(s, i):
		case p.takes() && s.h[p.lane] != x.seq[i]:
		case p.sees() && p.guard&guardAfter != 0 && !m.saw(s, p.after):
		default:
			seen[s.extent] = true
		}
	}
	m.run()
	return slices.SortedFunc(maps.Keys(seen), func(a, b extent) int {
		return cmp.Or(slices.Compare(a.head[:], b.head[:]), slices.Compare(a.tail[:], b.tail[:]))
	})
}

// there returns a few ids of which each view holds one, in the lane given, or in
// both; nil if a view holds nothing there.
func (l *layout) there(views []extent, lane uint8) []interval {
	if lane != both {
		return l.stab(views, lane)
	}
	least := l.stab(views, 0, 1)
	if other := l.stab(views, 1, 0); len(other) < len(least) {
		return other
	}
	return least
}

// stab takes the views by the end of what they hold in a lane, and adds the last
// id of each that holds none so far: the fewest, if there is one lane.
func (l *layout) stab(views []extent, lanes ...uint8) []interval {
	var list []interval
	var found [2][]int32 // positions so far, by lane, in order
	holds := func(v *extent) bool {
		for lane, at := range found {
			if i, _ := slices.BinarySearch(at, v.head[lane]); i < len(at) && at[i] < v.tail[lane] {
				return true
			}
		}
		return false
	}
	for _, lane := range lanes {
		slices.SortStableFunc(views, func(a, b extent) int { return cmp.Compare(a.tail[lane], b.tail[lane]) })
		for i := range views {
			if v := &views[i]; v.len(lane) > 0 && !holds(v) {
				found[lane] = append(found[lane], v.tail[lane]-1)
				list = append(list, l.stay(lane, v.tail[lane]-1))
			}
		}
	}
	if slices.ContainsFunc(views, func(v extent) bool { return !holds(&v) }) {
		return nil
	}
	return list
}

// stay returns the id at a position of a lane, with its put and its take.
func (l *layout) stay(lane uint8, at int32) interval {
	ln := &l.lanes[lane]
	s := interval{id: ln.names[at], in: &l.effects[ln.putAt(at).effect]}
	i, _ := slices.BinarySearchFunc(ln.takes, at, func(s step, at int32) int { return cmp.Compare(s.end, at+1) })
	if i < len(ln.takes) {
		s.out = &l.effects[ln.takes[i].effect]
	}
	return s
}
