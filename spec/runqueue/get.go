package runqueue

// get makes a step of runqget.
func (m *Machine) get(s *State, c *thread, p int) {
	switch c.pc {
	case getLoadNext:
		c.old, c.pc = s.next[p], getCASNext
		if c.old == 0 || m.bug(getRingFirst) && s.head[p] != s.tail[p] {
			c.pc = getLoadHead
		}
	case getCASNext:
		if s.next[p] == c.old || m.bug(getNextNoncas) {
			s.next[p] = 0
			s.out |= bit(c.old)
			c.took()
			return
		}
		c.pc, c.old = getLoadHead, 0
	case getLoadHead:
		none := s.tail[p] == s.head[p]
		if m.bug(getCompares) {
			none = s.tail[p] <= s.head[p]
		}
		if none {
			c.foundNone()
			return
		}
		c.pc, c.h, c.old = getCASHead, s.head[p], 0
	case getCASHead:
		switch {
		case s.head[p] == c.h || m.bug(getNoncas):
			s.head[p] = m.plus(c.h, 1)
			s.out |= bit(m.slot(s, p, c.h))
			c.took()
		case m.bug(getGivesUp):
			c.foundNone()
		default:
			c.pc, c.h = getLoadHead, 0
		}
	}
}

// took and foundNone end a get. A caller that looks for work gets again while there is
// some in its own queue, and goes on when there is none.
func (c *thread) took() {
	if c.op == Get {
		c.done()
		return
	}
	c.pc, c.h, c.old = getLoadNext, 0, 0
}

func (c *thread) foundNone() {
	if c.op == Get {
		c.done()
		return
	}
	c.pc, c.h, c.old = firstOf[c.op], 0, 0
}

// drain makes a step of runqdrain.
func (m *Machine) drain(s *State, c *thread, p int) {
	switch c.pc {
	case drainLoadNext:
		c.old, c.pc = s.next[p], drainCASNext
		if c.old == 0 || m.bug(drainForgetsNext) {
			c.pc = drainLoadHead
		}
	case drainCASNext:
		c.hand = 0
		if s.next[p] == c.old || m.bug(drainNextNoncas) {
			s.next[p] = 0
			s.setLink(c.old, 0)
			c.hand = list(0).add(c.old)
		}
		c.pc, c.old = drainLoadHead, 0
	case drainLoadHead:
		if s.head[p] == s.tail[p] {
			m.drainEnds(s, c, p, c.hand)
			return
		}
		c.h, c.old, c.pc = s.head[p], 0, drainCASHead
		if m.bug(drainLinksFirst) {
			c.pc = drainReadSlots
		}
	case drainCASHead:
		m.drainCASHead(s, c, p)
	case drainReadSlots:
		m.drainReadSlots(s, c, p)
	}
}

func (m *Machine) drainCASHead(s *State, c *thread, p int) {
	won := s.head[p] == c.h
	if won {
		s.head[p] = s.tail[p]
	}
	if m.bug(drainLinksFirst) {
		if won {
			all := c.hand
			for k := range m.dist(c.h, s.tail[p]) {
				all = all.add(nibble(uint32(c.copied), k))
			}
			m.drainEnds(s, c, p, all)
			return
		}
		if c.hand != 0 {
			s.setLink(c.hand.last(), 0)
		}
		c.pc, c.h, c.copied = drainLoadHead, 0, 0
		return
	}
	if won || m.bug(drainNoncas) {
		c.pc = drainReadSlots
		return
	}
	c.pc, c.h = drainLoadHead, 0
}

// drainReadSlots reads one slot and links its G to those before it.
func (m *Machine) drainReadSlots(s *State, c *thread, p int) {
	g := m.slot(s, p, c.h+c.i)
	all := c.i+1 == m.dist(c.h, s.tail[p])
	early := m.bug(drainLinksFirst)
	before := uint8(0)
	if early && c.i > 0 {
		before = nibble(uint32(c.copied), c.i-1)
	} else if c.hand != 0 {
		before = c.hand.last()
	}
	if before != 0 {
		s.setLink(before, g)
	}
	s.setLink(g, 0)
	if early {
		c.copied |= uint16(g) << (4 * c.i)
		if c.i++; all {
			c.pc, c.i = drainCASHead, 0
		}
		return
	}
	c.hand = c.hand.add(g)
	c.i++
	if all {
		m.drainEnds(s, c, p, c.hand)
	}
}

// drainEnds is the return of a drain with l. A thief without a P passes l on, and its P is
// as new for the next steal.
func (m *Machine) drainEnds(s *State, c *thread, p int, l list) {
	if m.loner[p] {
		s.head[p], s.tail[p], s.slot[p] = 0, 0, 0
	}
	switch {
	case c.op == Drain:
		for k := range l.len() {
			s.setLink(l.at(k), 0)
		}
		s.out |= l.set()
		c.done()
	case l == 0:
		m.finish(s, c)
	default:
		*c = thread{at: c.at, op: c.op, pc: putRestGlobal, hand: l, ret: c.ret}
	}
}
