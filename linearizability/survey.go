package linearizability

import (
	"cmp"
	"maps"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// A view is what a surviving state tells about an effect that cannot happen in
// it.
type view struct {
	head, tail [2]int32
	turn       bool // of a take: it is the next take of its lane
	wasEmpty   bool // of seeInTurn: the ring has been empty
}

func (v *view) len(lane int) int32 { return v.tail[lane] - v.head[lane] }

// enter adds what has been reached to the survey, for as long as the target has
// not happened.
func (m *monitor) enter() {
	p := &m.effects[m.target]
	for j := range m.stack {
		s := &m.stack[j]
		if m.done(s, m.target) {
			continue
		}
		v := view{head: s.head, tail: s.tail, turn: p.takes() && s.h[p.lane] == m.seq[m.target]}
		v.wasEmpty = p.action == seeInTurn && s.seen.has(m.bitOf[m.target])
		m.survey[v] = true
	}
}

// views returns all states from the call of target to the return that none
// survives.
func (x *explainer) views(target int32) []view {
	m := newMonitor(x.layout, x.skip)
	m.survey, m.target = make(map[view]bool), target
	m.run()
	return slices.SortedFunc(maps.Keys(m.survey), func(a, b view) int {
		return cmp.Or(slices.Compare(a.head[:], b.head[:]), slices.Compare(a.tail[:], b.tail[:]))
	})
}

// lengths returns the lengths that the lane had when it was the turn of a take.
func lengths(views []view, lane int) []int32 {
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
	lane int
	at   int32
}

// residents returns the fewest positions, as far as they are easy to find, of
// which each view holds one, in lanes from to until; nil if a view holds
// nothing.
func residents(views []view, lanes ...int) []resident {
	var least []resident
	for range lanes {
		list := stab(views, lanes)
		if list == nil {
			return nil
		}
		if least == nil || len(list) < len(least) {
			least = list
		}
		slices.Reverse(lanes)
	}
	return least
}

// stab takes the views by the end of what they hold. If no position so far is
// in a view, it adds the last one of that view. Each view counts by the first
// of the lanes that is not empty.
func stab(views []view, lanes []int) []resident {
	of := func(v *view) int {
		for _, lane := range lanes {
			if v.len(lane) > 0 {
				return lane
			}
		}
		return -1
	}
	if slices.ContainsFunc(views, func(v view) bool { return of(&v) < 0 }) {
		return nil
	}
	slices.SortFunc(views, func(a, b view) int {
		i, j := of(&a), of(&b)
		return cmp.Or(cmp.Compare(i, j), cmp.Compare(a.tail[i], b.tail[j]))
	})
	var list []resident
	for i := range views {
		v := &views[i]
		if !slices.ContainsFunc(lanes, func(lane int) bool {
			return slices.ContainsFunc(list, func(r resident) bool { return r.lane == lane && v.head[lane] <= r.at && r.at < v.tail[lane] })
		}) {
			list = append(list, resident{of(v), v.tail[of(v)] - 1})
		}
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
	return l.names[r.lane][r.at], &l.effects[ln.putAt(r.at).effect], out
}
