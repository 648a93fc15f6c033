package runqueue

// steal makes a step of runqgrab or runqsteal.
func (m *Machine) steal(s *State, c *thread, p int) {
	v := int(c.v) - 1
	switch c.pc {
	case grabLoadHead:
		c.pc = grabLoadTail
		if m.bug(tailBeforeHead) {
			c.t = s.tail[v]
		} else {
			c.h = s.head[v]
		}
	case grabLoadTail:
		if m.bug(tailBeforeHead) {
			m.decide(s, c, s.head[v], c.t)
		} else {
			m.decide(s, c, c.h, s.tail[v])
		}
	case grabCopySlot:
		m.setSlot(s, p, s.tail[p]+c.i, m.slot(s, v, c.h+c.i))
		if c.i++; c.i < c.n {
			return
		}
		c.i = 0
		if m.bug(copyAfterCAS) {
			m.loot(s, c, p, m.slot(s, p, s.tail[p]+c.n-1))
			return
		}
		c.pc = grabCASHead
	case grabCASHead:
		m.grabCASHead(s, c, p, v)
	case grabLoadNext:
		if s.next[v] == 0 || m.bug(grabNextNone) {
			c.done()
			return
		}
		c.pc, c.old = grabCASNext, s.next[v]
	case grabCASNext:
		if s.next[v] != c.old && !m.bug(stealNextNoncas) {
			c.retry()
			return
		}
		s.next[v] = 0
		if m.loner[p] {
			c.pc, c.ret, c.old = drainLoadNext, c.old, 0
			return
		}
		m.setSlot(s, p, s.tail[p], c.old)
		s.out |= bit(c.old)
		c.done()
	case stealLoadHead:
		if m.bug(stealForgets) {
			m.finish(s, c)
			return
		}
		c.pc, c.h = stealStoreTail, s.head[p]
	case stealStoreTail:
		if !m.bug(stealNoStore) {
			s.tail[p] = m.plus(s.tail[p], c.n)
		}
		if m.loner[p] {
			c.pc, c.h, c.n = drainLoadNext, 0, 0
			return
		}
		m.finish(s, c)
	}
}

func (c *thread) retry() {
	*c = thread{at: c.at, op: c.op, v: c.v, pc: grabLoadHead}
}

// decide is what a thief does that knows head h and tail t of its victim.
func (m *Machine) decide(s *State, c *thread, h, t uint8) {
	n := m.dist(h, t)
	switch {
	case m.bug(stealDown):
		n /= 2
	case m.bug(stealCompares) && t < h:
		n = 0
	default:
		n -= n / 2
	}
	asked := c.op == StealNext || m.bug(stealNextUnasked)
	early := m.bug(stealNextEarly) && asked && s.next[c.v-1] != 0
	switch {
	case n == 0 || early:
		if asked && !m.bug(stealNextNever) {
			c.pc, c.h, c.t = grabLoadNext, 0, 0
			return
		}
		c.done()
	case n > m.cap/2 && !m.bug(noInconsistentCheck):
		c.retry()
	default:
		c.pc, c.h, c.t, c.n = grabCopySlot, h, 0, n
		if m.bug(copyAfterCAS) {
			c.pc = grabCASHead
		}
	}
}

func (m *Machine) grabCASHead(s *State, c *thread, p, v int) {
	now := s.head[v]
	won := now == c.h
	if m.bug(narrowCAS) {
		won = (now+m.wrap-c.h)&(2*m.cap-1) == 0
	}
	if !won {
		if m.bug(stealGivesUp) {
			c.done()
			return
		}
		c.retry()
		return
	}
	s.head[v] = m.plus(now, c.n)
	if m.bug(copyAfterCAS) {
		c.pc = grabCopySlot
		return
	}
	got := m.slot(s, p, s.tail[p]+c.n-1)
	if m.bug(stealOldest) && c.n > 1 {
		was := *s
		got = m.slot(&was, p, s.tail[p])
		for k := range c.n - 1 {
			m.setSlot(s, p, s.tail[p]+k, m.slot(&was, p, s.tail[p]+k+1))
		}
	}
	m.loot(s, c, p, got)
}

// loot goes on with what was taken, of which got will be returned.
func (m *Machine) loot(s *State, c *thread, p int, got uint8) {
	switch {
	case c.n > 1:
		c.pc, c.h, c.n, c.ret = stealLoadHead, 0, c.n-1, got
	case m.loner[p]:
		c.pc, c.h, c.n, c.ret = drainLoadNext, 0, 0, got
	default:
		s.out |= bit(got)
		c.done()
	}
}
