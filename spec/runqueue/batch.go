package runqueue

// batch makes a step of runqputbatch, of what becomes of its rest, or of the
// global queue by itself.
func (m *Machine) batch(s *State, c *thread, p int) {
	switch c.pc {
	case putBatchLoadHead:
		c.h, c.pc = s.head[p], putBatchStoreTail
		if m.roomForMore(c.h, s.tail[p], 0) {
			c.pc = putBatchWriteSlots
		}
	case putBatchWriteSlots:
		m.setSlot(s, p, s.tail[p]+c.i, c.hand.at(int(c.i)))
		c.i++
		if int(c.i) == c.hand.len() || !m.roomForMore(c.h, s.tail[p], c.i) {
			c.pc = putBatchStoreTail
		}
	case putBatchStoreTail:
		if m.bug(batchBackwards) {
			for k := range c.i {
				m.setSlot(s, p, s.tail[p]+k, c.hand.at(int(c.i-1-k)))
			}
		}
		s.tail[p] = m.plus(s.tail[p], c.i)
		rest := c.hand.from(int(c.i))
		if rest.len() == 0 || m.bug(batchDrops) {
			m.finish(s, c)
			return
		}
		c.pc, c.hand, c.h, c.i = putRestGlobal, rest, 0, 0
	case putRestGlobal:
		if m.bug(noLockRest) {
			m.appendUnlocked(s, c)
			return
		}
		m.appendGlobal(s, c.hand)
		m.finish(s, c)
	case globalPut:
		m.appendGlobal(s, c.hand)
		c.done()
	case globalGetBatch:
		m.globalGetBatch(s, c)
	}
}

func (m *Machine) roomForMore(h, t, n uint8) bool {
	if m.bug(batchFull) {
		return m.dist(h, t)+n <= m.cap
	}
	return m.dist(h, t)+n < m.cap
}

// share is how many globrunqgetbatch takes of a queue of this size.
func (m *Machine) share(asked, size int) int {
	n := min(asked, int(m.cap/2), size)
	if m.bug(shareZero) || m.bug(shareNoMore) {
		return min(n, size/m.shares)
	}
	return min(n, size/m.shares+1)
}

func (m *Machine) globalGetBatch(s *State, c *thread) {
	size := 0
	m.walk(s, func(uint8) { size++ })
	n := m.share(int(c.n), size)
	if size == 0 || m.bug(shareZero) && n == 0 {
		c.done()
		return
	}
	n = max(n, 1)
	first := s.ghd
	var rest list
	for k := range n {
		g := s.ghd
		s.ghd = s.linkOf(g)
		if !m.bug(linkKept) {
			s.setLink(g, 0)
		}
		if k > 0 {
			rest = rest.add(g)
		}
	}
	if n == size {
		s.ghd = 0
		if !m.bug(staleGtail) {
			s.gtl = 0
		}
	}
	if n == 1 {
		s.out |= bit(first)
		c.done()
		return
	}
	if m.bug(batchGetBackwards) {
		rest = rest.reverse()
	}
	c.pc, c.n, c.ret, c.hand = putBatchLoadHead, 0, first, rest
}

// walk calls yield for the Gs of the global queue, but for no more than there are and
// one: a list that runs in a circle shows.
func (m *Machine) walk(s *State, yield func(g uint8)) {
	for g, n := s.ghd, 0; g != 0 && n <= m.config.Gs; g, n = s.linkOf(g), n+1 {
		yield(g)
	}
}
