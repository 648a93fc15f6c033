package linearizability

import (
	"cmp"
	"maps"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// A survey collects the states in which an effect cannot happen, from its call
// to the return that none survives. The monitor is lazy, but in the end it has
// been in all of them: the last time it moves on all that is left, and a state
// that is no longer possible then was moved on by the return that ended it.
type survey struct {
	target int32
	seen   map[view]bool
}

// A view is what such a state tells.
type view struct {
	extent
	turn  bool // of a take: it is the next take of its lane
	after bool // what it waits for, if anything, has been true
}

// enter adds what has been reached.
func (y *survey) enter(m *monitor) {
	p := &m.effects[y.target]
	for j := range m.stack {
		s := &m.stack[j]
		if m.done(s, y.target) {
			continue
		}
		turn := p.takes() && s.h[p.lane] == m.seq[y.target]
		y.seen[view{s.extent, turn, p.guard&guardAfter == 0 || m.sawBefore(s, p.after)}] = true
	}
}

// views returns what a survey for target has seen, in order.
func (x *explainer) views(target int32) []view {
	m := newMonitor(x.layout, x.skip)
	m.survey = &survey{target: target, seen: make(map[view]bool)}
	m.run()
	return slices.SortedFunc(maps.Keys(m.survey.seen), func(a, b view) int {
		return cmp.Or(slices.Compare(a.head[:], b.head[:]), slices.Compare(a.tail[:], b.tail[:]))
	})
}

// lengths returns the lengths that the lane had when it was the turn of a take.
func lengths(views []view, lane uint8) []int32 {
	var list []int32
	for i := range views {
		if v := &views[i]; v.turn {
			list = append(list, v.len(lane))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// A resident is a position of a lane.
type resident struct {
	lane uint8
	at   int32
}

// residents returns a few positions of which each view holds one, in the lane
// given, or in both; nil if a view holds nothing there.
func residents(views []view, lane uint8) []resident {
	if lane != both {
		return stab(views, lane)
	}
	least := stab(views, 0, 1)
	if other := stab(views, 1, 0); len(other) < len(least) {
		return other
	}
	return least
}

// stab takes the views by the end of what they hold in a lane, and adds the last
// position of each that holds none so far: the fewest, if there is one lane.
func stab(views []view, lanes ...uint8) []resident {
	var list []resident
	var found [2][]int32 // positions so far, by lane, in order
	holds := func(v *view) bool {
		for lane, at := range found {
			if i, _ := slices.BinarySearch(at, v.head[lane]); i < len(at) && at[i] < v.tail[lane] {
				return true
			}
		}
		return false
	}
	for _, lane := range lanes {
		slices.SortStableFunc(views, func(a, b view) int { return cmp.Compare(a.tail[lane], b.tail[lane]) })
		for i := range views {
			if v := &views[i]; v.len(lane) > 0 && !holds(v) {
				found[lane] = append(found[lane], v.tail[lane]-1)
				list = append(list, resident{lane, v.tail[lane] - 1})
			}
		}
	}
	if slices.ContainsFunc(views, func(v view) bool { return !holds(&v) }) {
		return nil
	}
	return list
}

// id returns the id of a resident with its put and its take, if there is one.
func (l *layout) id(r resident) (id record.ID, in, out *effect) {
	ln := &l.lanes[r.lane]
	i, _ := slices.BinarySearchFunc(ln.takes, r.at, func(s step, at int32) int { return cmp.Compare(s.end, at+1) })
	if i < len(ln.takes) {
		out = &l.effects[ln.takes[i].effect]
	}
	return ln.names[r.at], &l.effects[ln.putAt(r.at).effect], out
}
