package linearizability

import "slices"

// maxWatch is how many observations may be pending at once.
const maxWatch = 128

// bits say which of the pending observations have been true.
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

// look makes the observations that are true in s.
func (m *monitor) look(s *state) {
	ring := &m.lanes[0]
	if !s.ready && s.h[0] < int32(len(ring.takes)) {
		t := ring.takes[s.h[0]]
		if m.called[t.effect] && m.effects[t.effect].guard&guardBatch != 0 {
			s.ready = m.rules.BatchFits(int(t.end-t.start), int(s.len(0)))
		}
	}
	for _, i := range m.watch { // what another one waits for comes first
		if m.saw(s, i) {
			continue
		}
		p := &m.effects[i]
		ok := false
		switch p.action {
		case seeEmpty:
			ok = s.len(p.lane) == 0
		case seeFilled:
			ok = s.len(p.lane) != 0
		case seeFull:
			ok = m.fullAt(p, s.head[0], s.len(0))
		case seeLen:
			ok = s.len(p.lane) == p.arg
		}
		if ok && (p.guard&guardAfter == 0 || m.saw(s, p.after)) {
			s.seen.set(m.bitOf[i] - 1)
		}
	}
}

// unwatch forgets observation i.
func (m *monitor) unwatch(i int32, b uint16) {
	m.bitOf[i] = 0
	m.watch = slices.DeleteFunc(m.watch, func(k int32) bool { return k == i })
	m.taken[b] = false
	for j := range m.cur {
		m.cur[j].seen.clear(b)
	}
	if len(m.cur) > 1 {
		m.next = m.next[:0]
		for _, s := range m.cur {
			m.next = insert(m.next, s)
		}
		m.cur, m.next = m.next, m.cur
	}
}

// saw reports whether the answer of observation i has been true.
func (m *monitor) saw(s *state, i int32) bool {
	b := m.bitOf[i]
	return b == 0 || s.seen.has(b-1) // it has returned, so every state has seen it
}
