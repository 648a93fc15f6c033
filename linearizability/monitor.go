package linearizability

import "github.com/spindle-go/spindle/spec"

// monitor is just-in-time linearization of an object laid out in lanes.
//
// A state is how many puts and how many takes of each lane have taken effect.
// Since both go by position, that is all there is to know of the contents. What
// else belongs to a state are sights: which of the calls in progress that only
// look have seen what they answered, and whether the thief whose take is next
// has read a length that justifies its k. Sights are made as soon as they are
// possible: they change nothing, so to have seen more is never worse. Of two
// states with equal counts the one that has seen more therefore dominates, and
// the other is dropped. Few states remain: on the grid of the puts and takes in
// progress, and of them only those that some return has made necessary.
type monitor struct {
	*lay
	watch  []watcher
	free   [maxWatch]bool
	called []bool   // by part
	bitOf  []uint16 // by part: 1 + its bit while it is in progress and looks, else 0
	cur    []state
	next   []state
	stack  []state
	states int // the most states at any time
}

// maxWatch is how many calls that only look may be in progress at once, twice.
const maxWatch = 128

// A watcher is a part in progress that waits for a sight.
type watcher struct {
	part int32
	bit  uint16 // seen; for seeInTurn, bit+1 says that the ring has been seen empty
}

type bits [maxWatch / 64]uint64

func (b *bits) has(i uint16) bool { return b[i>>6]&(1<<(i&63)) != 0 }
func (b *bits) set(i uint16)      { b[i>>6] |= 1 << (i & 63) }
func (b *bits) clear(i uint16)    { b[i>>6] &^= 1 << (i & 63) }

// includes reports whether b has all of c.
func (b *bits) includes(c *bits) bool {
	for i := range b {
		if c[i]&^b[i] != 0 {
			return false
		}
	}
	return true
}

type state struct {
	t, h  [2]int32 // puts and takes that have taken effect, by lane
	tail  [2]int32 // positions
	head  [2]int32
	ready bool // the next take of the ring has read its length
	seen  bits
}

func (s *state) len(lane int) int32 { return s.tail[lane] - s.head[lane] }

// run returns the index of the part whose return no state survives, or -1. It
// returns untold when too many calls look at once.
func (l *lay) run() (int, untold) {
	m := &monitor{lay: l, called: make([]bool, len(l.parts)), bitOf: make([]uint16, len(l.parts))}
	m.cur = append(m.cur, state{})
	var returns heap
	for i := 0; i <= len(l.parts); i++ {
		until := int64(never)
		if i < len(l.parts) {
			until = l.parts[i].call
		}
		for len(returns) > 0 && returns[0].at < until {
			p := returns.pop()
			if !m.returned(p) {
				return int(p), ""
			}
		}
		if i == len(l.parts) {
			return -1, ""
		}
		p := &l.parts[i]
		m.called[i] = true
		if p.sees() {
			b, ok := m.bit(p.deed == seeInTurn)
			if !ok {
				return -1, "too many calls look at once"
			}
			m.bitOf[i] = b + 1
			m.watch = append(m.watch, watcher{int32(i), b})
		}
		if p.sees() || p.rule&ruleHalf != 0 {
			for j := range m.cur {
				m.look(&m.cur[j])
			}
		}
		returns.push(p.ret, int32(i))
	}
	return -1, ""
}

// bit finds a free bit, or two.
func (m *monitor) bit(two bool) (uint16, bool) {
	for i := 0; i < maxWatch-1; i++ {
		if !m.free[i] && (!two || !m.free[i+1]) {
			m.free[i] = true
			if two {
				m.free[i+1] = true
			}
			return uint16(i), true
		}
	}
	return 0, false
}

// look makes the sights that are possible in s.
func (m *monitor) look(s *state) {
	ring := &m.lanes[0]
	if !s.ready && s.h[0] < int32(len(ring.takes)) {
		t := ring.takes[s.h[0]]
		if m.called[t.part] && m.parts[t.part].rule&ruleHalf != 0 {
			n := s.len(0)
			s.ready = n-n/2 == t.end-t.start
		}
	}
	for _, w := range m.watch {
		if s.seen.has(w.bit) {
			continue
		}
		p := &m.parts[w.part]
		ok := false
		switch p.deed {
		case seeEmpty:
			ok = s.len(int(p.lane)) == 0
		case seeFilled:
			ok = s.len(int(p.lane)) != 0
		case seeFull:
			ok = s.head[0] == p.at
		case seeNeither:
			ok = s.len(0) == 0 && s.len(1) == 0
		case seeEither:
			ok = s.len(0) != 0 || s.len(1) != 0
		case seeInTurn:
			if s.len(0) == 0 {
				s.seen.set(w.bit + 1)
			}
			ok = s.seen.has(w.bit+1) && s.len(1) == 0
		}
		if ok {
			s.seen.set(w.bit)
		}
	}
}

// done reports whether part i has taken effect in s.
func (m *monitor) done(s *state, i int32) bool {
	p := &m.parts[i]
	switch p.deed {
	case put, swap:
		return s.t[p.lane] > m.seq[i]
	case take:
		return s.h[p.lane] > m.seq[i]
	}
	return s.seen.has(m.bitOf[i] - 1)
}

// returned drops the states in which part i cannot have taken effect by now,
// and moves the others on just as far as is needed. It reports whether any is
// left.
func (m *monitor) returned(i int32) bool {
	all := true
	for j := range m.cur {
		if !m.done(&m.cur[j], i) {
			all = false
			break
		}
	}
	if !all {
		m.next, m.stack = m.next[:0], m.stack[:0]
		for j := range m.cur {
			m.reach(m.cur[j], i)
		}
		for k := 0; k < len(m.stack); k++ { // breadth first: nothing is popped, so repeats are seen
			s := m.stack[k]
			for lane := range m.lanes {
				if n, ok := m.put(s, lane); ok {
					m.reach(n, i)
				}
				if n, ok := m.take(s, lane); ok {
					m.reach(n, i)
				}
			}
		}
		m.cur, m.next = m.next, m.cur
		m.states = max(m.states, len(m.cur)+len(m.stack))
	}
	if b := m.bitOf[i]; b != 0 {
		m.unwatch(i, b-1)
	}
	return len(m.cur) > 0
}

// unwatch forgets the sights of part i.
func (m *monitor) unwatch(i int32, b uint16) {
	m.bitOf[i] = 0
	for k, w := range m.watch {
		if w.part == i {
			m.watch[k] = m.watch[len(m.watch)-1]
			m.watch = m.watch[:len(m.watch)-1]
			break
		}
	}
	two := m.parts[i].deed == seeInTurn
	m.free[b] = false
	if two {
		m.free[b+1] = false
	}
	for j := range m.cur {
		m.cur[j].seen.clear(b)
		if two {
			m.cur[j].seen.clear(b + 1)
		}
	}
	if len(m.cur) > 1 {
		m.next = m.next[:0]
		for _, s := range m.cur {
			m.next = insert(m.next, s)
		}
		m.cur, m.next = m.next, m.cur
	}
}

// reach files s: with the survivors if part i has taken effect, else among
// those to be moved on.
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
	for j := range list {
		if dominates(&list[j], &s) {
			return list
		}
	}
	kept := list[:0]
	for _, o := range list {
		if !dominates(&s, &o) {
			kept = append(kept, o)
		}
	}
	return append(kept, s)
}

// put makes the next put of a lane take effect.
func (m *monitor) put(s state, which int) (state, bool) {
	ln := &m.lanes[which]
	if s.t[which] >= int32(len(ln.puts)) {
		return s, false
	}
	p := ln.puts[s.t[which]]
	if !m.called[p.part] {
		return s, false
	}
	if m.parts[p.part].deed == swap {
		// Out with the old, at the same moment.
		h := s.h[which]
		if h >= int32(len(ln.takes)) || ln.takes[h].part != p.part || s.len(which) != 1 {
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
func (m *monitor) take(s state, which int) (state, bool) {
	ln := &m.lanes[which]
	if s.h[which] >= int32(len(ln.takes)) {
		return s, false
	}
	t := ln.takes[s.h[which]]
	p := &m.parts[t.part]
	if !m.called[t.part] || p.deed == swap || t.end > s.tail[which] {
		return s, false
	}
	n, k := s.len(which), t.end-t.start
	switch {
	case p.rule&ruleHalf != 0 && !s.ready,
		p.rule&ruleAll != 0 && n != k,
		p.rule&ruleFull != 0 && ln.cap > 0 && n != ln.cap,
		p.rule&ruleShare != 0 && k != int32(spec.Share(int(p.arg), 0, int(n), m.procs)),
		p.rule&ruleAfter != 0 && !m.sawBefore(&s, p.after):
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

// sawBefore reports whether the observer has seen what it waits for.
func (m *monitor) sawBefore(s *state, observer int32) bool {
	b := m.bitOf[observer]
	return b == 0 || s.seen.has(b-1) // it has returned, so every state has seen it
}

// A heap is a binary heap of parts by return stamp.
type heap []returning

type returning struct {
	at   int64
	part int32
}

func (h *heap) push(at int64, part int32) {
	*h = append(*h, returning{at, part})
	a := *h
	for i := len(a) - 1; i > 0; {
		up := (i - 1) / 2
		if a[up].at <= a[i].at {
			break
		}
		a[up], a[i] = a[i], a[up]
		i = up
	}
}

func (h *heap) pop() int32 {
	a := *h
	top := a[0].part
	last := len(a) - 1
	a[0] = a[last]
	a = a[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(a) {
			break
		}
		if c+1 < len(a) && a[c+1].at < a[c].at {
			c++
		}
		if a[i].at <= a[c].at {
			break
		}
		a[i], a[c] = a[c], a[i]
		i = c
	}
	*h = a
	return top
}
