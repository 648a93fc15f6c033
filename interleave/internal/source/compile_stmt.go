package source

func (c *compiler) list(list []*stmt) {
	for _, s := range list {
		if s != nil {
			c.stmt(s)
		}
	}
}

// unlessCond jumps if a condition is false.
func (c *compiler) unlessCond(k *cond) *int {
	reg := k.local
	if k.op != nil {
		c.op(k.op, temp)
		reg = temp
	}
	return c.unless(reg, func(v int16) bool { return (int32(v) == k.n) == k.equal })
}

func (c *compiler) loop(begin func(), cond func() *int, body []*stmt, post, end func()) {
	begin()
	head := c.here()
	var out *int
	if cond != nil {
		out = cond()
	}
	c.exits = append(c.exits, exit{})
	c.list(body)
	e := c.exits[len(c.exits)-1]
	c.exits = c.exits[:len(c.exits)-1]
	for _, j := range e.continues {
		*j = c.here()
	}
	post()
	*c.jump() = head
	if out != nil {
		*out = c.here()
	}
	for _, j := range e.breaks {
		*j = c.here()
	}
	end()
}

func (c *compiler) stmt(s *stmt) {
	switch s.kind {
	case operate:
		c.op(s.op, s.dst)
	case assign:
		c.between(func(st *state, th *threadState) { st.set(th, s.dst, s.x.eval(th)) })
	case library:
		c.library(s)
	case locked:
		c.locked(s)
	case counts:
		set := func(n int16) func() {
			return func() { c.between(func(_ *state, th *threadState) { th.reg[s.reg] = n }) }
		}
		end := func() {}
		if s.reg >= locals {
			end = set(0)
		}
		c.loop(set(0), func() *int { return c.unless(s.reg, func(v int16) bool { return int(v) < s.n }) }, s.body,
			func() { c.between(func(st *state, th *threadState) { st.set(th, s.reg, int32(th.reg[s.reg])+1) }) }, end)
	case loops:
		var cond func() *int
		if s.cond != nil {
			cond = func() *int { return c.unlessCond(s.cond) }
		}
		c.loop(func() { c.list([]*stmt{s.init}) }, cond, s.body, func() { c.list([]*stmt{s.post}) }, func() {})
	case branch:
		no := c.unlessCond(s.cond)
		c.list(s.body)
		end := c.jump()
		*no = c.here()
		c.list(s.els)
		*end = c.here()
	case breaks:
		e := &c.exits[len(c.exits)-1]
		e.breaks = append(e.breaks, c.jump())
	case continues:
		e := &c.exits[len(c.exits)-1]
		e.continues = append(e.continues, c.jump())
	case returns:
		c.ends = append(c.ends, c.jump())
	case panics:
		c.between(func(_ *state, th *threadState) { th.caught = true })
		c.ends = append(c.ends, c.jump())
	case yields:
	case starts:
		if s.form == 1 {
			c.step(func(st *state, _ *threadState) bool { st.group++; return true })
		}
		c.step(func(st *state, _ *threadState) bool { c.p.start(st, s.child); return true })
	case joins:
		c.step(func(st *state, _ *threadState) bool { return st.group == 0 })
	case makes:
		if s.late == buffer {
			c.access(s.place, accesses{reads: setOf("h")}, func(*Packed, *threadState) {})
		}
	case uses:
		c.late(s)
	}
}

func (c *compiler) library(s *stmt) {
	x := func(th *threadState) int32 { return s.x.eval(th) }
	if s.op != nil {
		c.op(s.op, temp2)
		x = func(th *threadState) int32 { return int32(th.reg[temp2]) }
	}
	run := func(h *Packed, th *threadState) {
		if r := s.call.on(h, x(th)); s.call.gives {
			th.reg[s.dst] = int16(r)
		}
		th.reg[temp2] = 0
	}
	place := s.place
	if s.call.fields == "" {
		place = own
	}
	c.access(place, s.call.accesses, run)
}

// locked compiles a lock, what is done under it, and its unlock.
func (c *compiler) locked(s *stmt) {
	take := [lockKinds]func(*state) bool{
		mutex:  func(s *state) bool { return !s.held },
		reader: func(s *state) bool { return !s.writes },
		writer: func(s *state) bool { return !s.writes },
		// A writer that tries does not wait for readers.
		tryMutex:  func(s *state) bool { return !s.held },
		tryReader: func(s *state) bool { return !s.writes },
		tryWriter: func(s *state) bool { return !s.writes && s.readers == 0 },
	}[s.lock]
	change := func(st *state, by int8) {
		switch s.lock {
		case mutex, tryMutex:
			st.held = by > 0
		case reader, tryReader:
			st.readers += by
		default:
			st.writes = by > 0
		}
	}
	var no *int
	c.step(func(st *state, th *threadState) bool {
		got := take(st)
		if got {
			change(st, 1)
		}
		if s.lock.tries() {
			st.set(th, temp, map[bool]int32{true: 1}[got])
		}
		return got || s.lock.tries()
	})
	if s.lock.tries() {
		no = c.unless(temp, func(v int16) bool { return v == 1 })
	}
	if s.lock == writer {
		c.step(func(st *state, _ *threadState) bool { return st.readers == 0 })
	}
	c.list(s.body)
	c.step(func(st *state, _ *threadState) bool { change(st, -1); return true })
	if s.lock.tries() {
		end := c.jump()
		*no = c.here()
		c.list(s.els)
		*end = c.here()
	}
}

// on carries out the call on packed things.
func (c *call) on(p *Packed, a int32) int32 {
	h := p.unpack()
	r := c.do(h, a)
	*p = h.pack()
	return r
}

func (p *Packed) unpack() *things {
	h := newThings()
	copy(h.line[:4], p.Line.B[:])
	h.line = h.line[:p.Line.N]
	h.sb.Write(p.SB.B[:p.SB.N])
	h.bb.Write(p.BB.B[:p.BB.N])
	for i := range p.XS {
		h.xs[i] = int(p.XS[i])
		if p.MP[i] >= 0 {
			h.mp[int32(i)] = int32(p.MP[i])
		}
	}
	h.n = int32(p.N)
	return &h
}

// late compiles the use of an iterator, or of a buffer.
func (c *compiler) late(s *stmt) {
	switch s.late {
	case buffer:
		c.access(s.place, accesses{reads: setOf("0")}, func(h *Packed, th *threadState) { th.reg[s.dst] = int16(h.Line.B[0]) })
	case keyed:
		c.access(s.place, accesses{reads: setOf("m")}, func(h *Packed, th *threadState) {
			th.reg[s.dst] = 0
			for _, v := range h.MP {
				th.reg[s.dst] += max(v, 0)
			}
		})
	default:
		c.between(func(_ *state, th *threadState) { th.reg[s.dst] = 0 })
		for i := range 3 {
			if s.late == backward {
				i = 2 - i
			}
			c.access(s.place, accesses{reads: setOf(string("xyz"[i]))}, func(h *Packed, th *threadState) {
				th.reg[s.dst] = (th.reg[s.dst]*2 + h.XS[i]) % 50
			})
			c.list(s.body)
		}
	}
}
