package linearizability

// maxWatch is how many observations may be pending at once; those of two steps
// count twice.
const maxWatch = 128

// A watcher is a pending observation.
type watcher struct {
	effect int32
	bit    uint16 // its answer has been true; for seeInTurn, bit+1 says that the ring has been empty
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

// bit finds a free bit, or two.
func (m *monitor) bit(two bool) (uint16, bool) {
	for i := range maxWatch - 1 {
		if !m.taken[i] && (!two || !m.taken[i+1]) {
			m.taken[i], m.taken[i+1] = true, m.taken[i+1] || two
			return uint16(i), true
		}
	}
	return 0, false
}

// look makes the observations that are true in s.
func (m *monitor) look(s *state) {
	ring := &m.lanes[0]
	if !s.ready && s.h[0] < int32(len(ring.takes)) {
		t := ring.takes[s.h[0]]
		if m.called[t.effect] && m.effects[t.effect].guard&guardHalf != 0 {
			n := s.len(0)
			s.ready = n-n/2 == t.end-t.start
		}
	}
	for _, w := range m.watch {
		if s.seen.has(w.bit) {
			continue
		}
		p := &m.effects[w.effect]
		ok := false
		switch p.action {
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

// unwatch forgets observation i.
func (m *monitor) unwatch(i int32, b uint16) {
	m.bitOf[i] = 0
	for k, w := range m.watch {
		if w.effect == i {
			m.watch[k] = m.watch[len(m.watch)-1]
			m.watch = m.watch[:len(m.watch)-1]
			break
		}
	}
	two := m.effects[i].action == seeInTurn
	m.taken[b] = false
	if two {
		m.taken[b+1] = false
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

// sawBefore reports whether the observer's answer has been true.
func (m *monitor) sawBefore(s *state, observer int32) bool {
	b := m.bitOf[observer]
	return b == 0 || s.seen.has(b-1) // it has returned, so every state has seen it
}
