package linearizability

import (
	"slices"

	"github.com/spindle-go/spindle/spec/sequential"
)

// A monitor is just-in-time linearization of an object laid out in lanes.
//
// A state is how many puts and how many takes of each lane have taken effect.
// Both go by position, so these numbers say what the lane holds. A state also
// records, for each pending observation, whether its answer has already been
// true, and whether the next steal has read a length that justifies the k it
// took. An observation changes nothing, so it is made as soon as it is true. Of
// two states with equal numbers the one that has observed more therefore
// dominates, and the other is dropped. Few states remain: they lie on the grid
// of the pending puts and takes, and only those that some return has made
// necessary are visited.
type monitor struct {
	*layout
	skip   []bool         // by effect: observations to be left out; nil: none
	watch  []int32        // the pending observations, by call
	taken  [maxWatch]bool // which bits are in use
	called []bool         // by effect
	bitOf  []uint16       // by effect: 1 + its bit while it is a pending observation, else 0
	cur    []state
	next   []state
	stack  []state

	visit func(*state) // sees the states that are moved on; nil: nobody does
}

type state struct {
	t, h [2]int32 // puts and takes that have taken effect, by lane
	extent
	ready bool // the next take of the ring has read its length
	seen  bits
}

// An extent is what lanes hold, by position.
type extent struct{ head, tail [2]int32 }

// len returns how much a lane holds, or both.
func (x *extent) len(lane uint8) int32 {
	if lane == both {
		return x.tail[0] - x.head[0] + x.tail[1] - x.head[1]
	}
	return x.tail[lane] - x.head[lane]
}

// effects returns how many puts and takes have taken effect.
func (s *state) effects() int32 { return s.t[0] + s.t[1] + s.h[0] + s.h[1] }

// newMonitor returns a monitor that leaves out the observations in skip.
func newMonitor(l *layout, skip []bool) *monitor {
	return &monitor{layout: l, skip: skip, called: make([]bool, len(l.effects)), bitOf: make([]uint16, len(l.effects)), cur: []state{{}}}
}

// run returns the effect whose return no state survives, or -1, or why it
// cannot tell.
func (m *monitor) run() (int, string) {
	var returns heap[int32]
	for i := 0; i <= len(m.effects); i++ {
		until := int64(never)
		if i < len(m.effects) {
			until = m.effects[i].call
		}
		for len(returns) > 0 && returns[0].key < until {
			if i := returns.pop(); !m.returned(i) {
				return int(i), ""
			}
		}
		if i == len(m.effects) {
			return -1, ""
		}
		if m.skip != nil && m.skip[i] {
			continue
		}
		p := &m.effects[i]
		m.called[i] = true
		if p.sees() {
			b := slices.Index(m.taken[:], false)
			if b < 0 {
				return -1, "too many calls look at once"
			}
			m.taken[b], m.bitOf[i] = true, uint16(b+1)
			m.watch = append(m.watch, int32(i))
		}
		if p.sees() || p.guard&guardBatch != 0 {
			for j := range m.cur {
				m.look(&m.cur[j])
			}
		}
		returns.push(p.ret, int32(i))
	}
	return -1, ""
}

// done reports whether effect i has happened in s.
func (m *monitor) done(s *state, i int32) bool {
	p := &m.effects[i]
	switch p.action {
	case put, swap:
		return s.t[p.lane] > m.seq[i]
	case take:
		return s.h[p.lane] > m.seq[i]
	}
	return m.saw(s, i)
}

// returned drops the states in which effect i cannot have happened by now, and
// reports whether any is left.
func (m *monitor) returned(i int32) bool {
	for j := range m.cur {
		if !m.done(&m.cur[j], i) {
			m.advance(i)
			break
		}
	}
	if b := m.bitOf[i]; b != 0 {
		m.unwatch(i, b-1)
	}
	return len(m.cur) > 0
}

// advance moves the states on just as far as is needed for effect i, and keeps
// those in which it has happened. If there are none, the stack has all states
// that could be reached.
func (m *monitor) advance(i int32) {
	m.next, m.stack = m.next[:0], m.stack[:0]
	for j := range m.cur {
		m.reach(m.cur[j], i)
	}
	for k := 0; k < len(m.stack); k++ { // breadth first: nothing is popped, so repeats are seen
		s := m.stack[k]
		for lane := range uint8(len(m.lanes)) {
			if n, ok := m.put(s, lane); ok {
				m.reach(n, i)
			}
			if n, ok := m.take(s, lane); ok {
				m.reach(n, i)
			}
		}
	}
	for j := range m.stack {
		if m.visit != nil {
			m.visit(&m.stack[j])
		}
	}
	m.cur, m.next = m.next, m.cur
}

// reach files s: with the survivors if effect i has happened, else among those
// to be moved on.
func (m *monitor) reach(s state, i int32) {
	if m.done(&s, i) {
		m.next = insert(m.next, s)
		return
	}
	for j := range m.stack {
		if dominates(&m.stack[j], &s) {
			return
		}
	}
	m.stack = append(m.stack, s)
}

func dominates(a, b *state) bool {
	return a.t == b.t && a.h == b.h && (a.ready || !b.ready) && a.seen.includes(&b.seen)
}

// insert adds s unless it is dominated, and drops what it dominates.
func insert(list []state, s state) []state {
	if slices.ContainsFunc(list, func(o state) bool { return dominates(&o, &s) }) {
		return list
	}
	return append(slices.DeleteFunc(list, func(o state) bool { return dominates(&s, &o) }), s)
}

// put makes the next put of a lane take effect.
func (m *monitor) put(s state, which uint8) (state, bool) {
	ln := &m.lanes[which]
	if s.t[which] >= int32(len(ln.puts)) {
		return s, false
	}
	p := ln.puts[s.t[which]]
	if !m.called[p.effect] {
		return s, false
	}
	if m.effects[p.effect].action == swap {
		// Out with the old, at the same moment.
		h := s.h[which]
		if h >= int32(len(ln.takes)) || ln.takes[h].effect != p.effect || s.len(which) != 1 {
			return s, false
		}
		s.h[which]++
		s.head[which] = ln.takes[h].end
	} else if ln.cap > 0 && p.end-s.head[which] > ln.cap {
		return s, false
	}
	s.t[which]++
	s.tail[which] = p.end
	m.look(&s)
	return s, true
}

// take makes the next take of a lane take effect.
func (m *monitor) take(s state, which uint8) (state, bool) {
	ln := &m.lanes[which]
	if s.h[which] >= int32(len(ln.takes)) {
		return s, false
	}
	t := ln.takes[s.h[which]]
	p := &m.effects[t.effect]
	if !m.called[t.effect] || p.action == swap || t.end > s.tail[which] {
		return s, false
	}
	n, k := s.len(which), t.end-t.start
	switch {
	case p.guard&guardBatch != 0 && !s.ready,
		p.guard&guardAll != 0 && n != k,
		p.guard&guardFull != 0 && ln.cap > 0 && n != ln.cap,
		p.guard&guardShare != 0 && k != int32(sequential.Share(int(p.arg), 0, int(n), m.procs)),
		p.guard&guardAfter != 0 && !m.saw(&s, p.after):
		return s, false
	}
	s.h[which]++
	s.head[which] = t.end
	if which == 0 {
		s.ready = false
	}
	m.look(&s)
	return s, true
}
