package runqueue

// put makes a step of runqput or runqputslow.
func (m *Machine) put(s *State, c *thread, p int) {
	switch c.pc {
	case putLoadNext:
		c.pc, c.old = putCASNext, s.next[p]
		if c.old == 0 && m.bug(putNextLost) {
			c.done()
		}
	case putCASNext:
		switch won := s.next[p] == c.old || m.bug(putNextNoncas); {
		case !won:
			c.pc, c.old = putLoadNext, 0
		default:
			s.next[p] = c.hand.at(0)
			if c.old == 0 || m.bug(kickDropped) {
				c.done()
				return
			}
			c.pc, c.hand, c.old = putLoadHead, list(0).add(c.old), 0
		}
	case putLoadHead:
		c.h = s.head[p]
		switch {
		case !m.room(c.h, s.tail[p]):
			c.pc = putSlowCopy
		case m.bug(publishFirst):
			c.pc = putStoreTail
		default:
			c.pc = putWriteSlot
		}
	case putWriteSlot:
		if m.bug(publishFirst) {
			m.setSlot(s, p, m.plus(s.tail[p], m.wrap-1), c.hand.at(0))
			c.done()
			return
		}
		m.setSlot(s, p, s.tail[p], c.hand.at(0))
		c.pc = putStoreTail
	case putStoreTail:
		s.tail[p] = m.plus(s.tail[p], 1)
		if m.bug(publishFirst) {
			c.pc = putWriteSlot
			return
		}
		c.done()
	case putSlowCopy:
		from := c.h + c.i
		if m.bug(slowYounger) {
			from += m.cap / 2
		}
		c.copied |= uint16(m.slot(s, p, from)) << (4 * c.i)
		if c.i++; c.i == m.cap/2 {
			c.pc, c.i = putSlowCASHead, 0
		}
	case putSlowCASHead:
		m.putSlowCASHead(s, c, p)
	case putSlowGlobal:
		if m.bug(noLock) {
			m.appendUnlocked(s, c)
			return
		}
		m.appendGlobal(s, c.hand)
		c.done()
	}
}

// room is whether runqput finds room.
func (m *Machine) room(h, t uint8) bool {
	switch {
	case m.bug(putFull):
		return m.dist(h, t) <= m.cap
	case m.bug(putCompares):
		return t < m.plus(h, m.cap)
	}
	return m.dist(h, t) < m.cap
}

func (m *Machine) putSlowCASHead(s *State, c *thread, p int) {
	half := m.cap / 2
	won := s.head[p] == c.h
	if won {
		s.head[p] = m.plus(c.h, half)
		if m.bug(slowYounger) {
			was := *s
			for k := range half {
				m.setSlot(s, p, c.h+half+k, m.slot(&was, p, c.h+k))
			}
		}
	}
	switch {
	case won || m.bug(slowNoncas):
		var l list
		for k := range half {
			l = l.add(nibble(uint32(c.copied), k))
		}
		if !m.bug(slowDrops) {
			l = l.add(c.hand.at(0))
		}
		if m.bug(slowBackwards) {
			l = l.reverse()
		}
		c.pc, c.copied, c.h, c.hand = putSlowGlobal, 0, 0, l
	case m.bug(staleHead):
		c.pc, c.copied = putSlowCopy, 0
	default:
		c.pc, c.copied, c.h = putLoadHead, 0, 0
	}
}

// chain links the Gs of l, the last to none.
func (s *State) chain(l list) {
	for k := range l.len() {
		to := uint8(0)
		if k+1 < l.len() {
			to = l.at(k + 1)
		}
		s.setLink(l.at(k), to)
	}
}

// appendGlobal puts l at the tail of the global queue. (globrunqputbatch)
func (m *Machine) appendGlobal(s *State, l list) {
	if m.bug(joinFront) && s.ghd != 0 {
		s.chain(l)
		s.setLink(l.last(), s.ghd)
		s.ghd = l.at(0)
		return
	}
	if s.gtl != 0 {
		s.setLink(s.gtl, l.at(0))
	}
	s.chain(l)
	if s.gtl == 0 {
		s.ghd = l.at(0)
	}
	s.gtl = l.last()
}

// appendUnlocked makes one of three steps of the same without the lock.
func (m *Machine) appendUnlocked(s *State, c *thread) {
	switch c.i {
	case 0:
		s.chain(c.hand)
		c.i, c.old = 1, s.gtl
	case 1:
		if c.old == 0 {
			s.ghd = c.hand.at(0)
		} else {
			s.setLink(c.old, c.hand.at(0))
		}
		c.i, c.old = 2, 0
	case 2:
		s.gtl = c.hand.last()
		m.finish(s, c)
	}
}

// finish returns what the call has to return, if anything.
func (m *Machine) finish(s *State, c *thread) {
	s.out |= bit(c.ret)
	c.done()
}
