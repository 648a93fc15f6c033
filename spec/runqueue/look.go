package runqueue

// look makes a step of runqempty or of the length.
func (m *Machine) look(s *State, c *thread) {
	v := int(c.v) - 1
	switch c.pc {
	case emptyLoadHead:
		c.pc, c.h = emptyLoadTail, s.head[v]
		if m.bug(emptyTailTwice) {
			c.h = s.tail[v]
		}
	case emptyLoadTail:
		c.pc, c.t = emptyLoadNext, s.tail[v]
		if m.bug(emptySkipsNext) {
			c.pc = emptyReloadTail
		}
	case emptyLoadNext:
		c.pc, c.old = emptyReloadTail, s.next[v]
		if m.bug(emptyForgetsNext) {
			c.old = 0
		}
	case emptyReloadTail:
		if m.steady(s, c) {
			c.done()
			return
		}
		c.pc, c.h, c.t, c.old = emptyLoadHead, 0, 0, 0
	case lenLoadHead:
		c.pc, c.h = lenLoadTail, s.head[v]
		if m.bug(lenTailTwice) {
			c.h = s.tail[v]
		}
	case lenLoadTail:
		n := m.dist(c.h, s.tail[v])
		if m.bug(lenWide) && s.tail[v] < c.h {
			n = s.tail[v] - c.h // below zero
		} else {
			n = min(n, m.cap)
		}
		c.pc, c.h, c.n = lenLoadNext, 0, n
	case lenLoadNext:
		c.done()
	}
}

func (m *Machine) steady(s *State, c *thread) bool {
	v := int(c.v) - 1
	switch {
	case m.bug(emptyNoReload):
		return true
	case m.bug(emptyReloadHead):
		return c.h == s.head[v]
	}
	return c.t == s.tail[v]
}

// saysEmpty is what runqempty answers if the last look is steady.
func (m *Machine) saysEmpty(s *State, c *thread) bool {
	switch {
	case m.bug(emptyNoNext):
		return c.h == c.t
	case m.bug(emptySlot):
		return m.slot(s, int(c.v)-1, c.h) == 0 && c.old == 0
	}
	return c.h == c.t && c.old == 0
}

// saysLen is what the length is if this is the last look.
func (m *Machine) saysLen(s *State, c *thread) int {
	n := int(int8(c.n))
	if s.next[c.v-1] != 0 && !m.bug(lenNoNext) {
		n++
	}
	return n
}
