package source

// An instr is a step of a thread, or something between two steps, which nobody sees.
type instr struct {
	step bool
	// run carries it out and returns what comes next. It reports false if it cannot be
	// carried out now.
	run func(s *state, th *threadState) (to int, ok bool)
	// A step that is no operation accesses things of a place, that is not own.
	place    int
	accesses accesses
	plain    bool
}

// compiler makes instructions of a thread.
type compiler struct {
	p     *Program
	code  []instr
	exits []exit // of the loops around
	ends  []*int // jumps to the end of the thread
}

type exit struct{ breaks, continues []*int }

// Temporary registers.
const (
	temp  = locals
	temp2 = locals + 1
)

func (p *Program) compile(t *Thread) []instr {
	c := &compiler{p: p}
	c.list(t.Body)
	for _, j := range c.ends {
		*j = len(c.code)
	}
	if t.Grouped {
		c.step(func(s *state, _ *threadState) bool { s.group--; return true })
	}
	c.code = append(c.code, instr{}) // the end
	return c.code
}

func (c *compiler) here() int { return len(c.code) }

func (c *compiler) between(run func(s *state, th *threadState)) {
	to := c.here() + 1
	c.code = append(c.code, instr{run: func(s *state, th *threadState) (int, bool) { run(s, th); return to, true }})
}

func (c *compiler) step(run func(s *state, th *threadState) bool) {
	to := c.here() + 1
	c.code = append(c.code, instr{step: true, run: func(s *state, th *threadState) (int, bool) { return to, run(s, th) }})
}

// access is a plain access, which is a step of its own unless the things are the thread's.
func (c *compiler) access(place int, a accesses, run func(h *Packed, th *threadState)) {
	to := c.here() + 1
	c.code = append(c.code, instr{step: place != own, plain: place != own, place: place, accesses: a, run: func(s *state, th *threadState) (int, bool) {
		h := &th.own
		if place != own {
			h = &s.things[place]
		}
		run(h, th)
		return to, true
	}})
}

// jump goes to where it points to, which is set later.
func (c *compiler) jump() *int {
	to := new(int)
	c.code = append(c.code, instr{run: func(*state, *threadState) (int, bool) { return *to, true }})
	return to
}

// unless jumps if the condition, in a temporary register, is false.
func (c *compiler) unless(reg int, is func(int16) bool) *int {
	to, on := new(int), c.here()+1
	c.code = append(c.code, instr{run: func(_ *state, th *threadState) (int, bool) {
		v := th.reg[reg]
		if reg == temp || reg == temp2 {
			th.reg[reg] = 0
		}
		if is(v) {
			return on, true
		}
		return *to, true
	}})
	return to
}

func (x expr) eval(th *threadState) int32 {
	switch x.of {
	case variable:
		return int32(th.reg[x.at])
	case next:
		return (int32(th.reg[x.at]) + x.n) % 3
	}
	return x.n
}

// op carries out an operation and leaves what it returns in a register, -1 for none.
func (c *compiler) op(o *op, reg int) {
	c.step(func(s *state, th *threadState) bool {
		w := &s.words[o.word]
		old, b := *w, o.b.eval(th)
		r := old
		switch o.kind {
		case store, swap:
			*w = b
		case add:
			*w += b
			r = *w
		case and:
			*w &= b
		case or:
			*w |= b
		case cas:
			r = 0
			if old == o.a.eval(th) {
				*w, r = b, 1
			}
		}
		if reg >= 0 {
			s.set(th, reg, r)
		}
		return true
	})
}
