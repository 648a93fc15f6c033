package source

import "math/rand/v2"

// maker makes a program.
type maker struct {
	*rand.Rand
	p    *Program
	vias []via // of this program
	// Of the thread that is made:
	t        *Thread
	gotos    bool // its loops are written with goto
	spins    int  // loops around that may go round without end
	guarded  int  // the place whose lock is held, or own
	reading  bool // it is held for reading
	counters int
	lates    bool // it has one already
	noted    []int
}

// Make makes a program. It may do what it must not: see Meaning.
func Make(r *rand.Rand) *Program {
	m := &maker{Rand: r, p: new(Program)}
	for i := range m.p.Raw {
		m.p.Raw[i] = m.one(3)
	}
	m.vias = []via{direct}
	if m.one(2) { // the operations are reached by one other way, or by several
		for range 1 + m.IntN(2) {
			m.vias = append(m.vias, via(m.IntN(int(vias))))
		}
		m.vias = m.vias[m.IntN(2):]
	}
	n := 2
	if m.one(3) {
		n = 3
	}
	waits := m.IntN(4) > 0
	for t := range n {
		th := &Thread{Bound: m.one(3)}
		m.p.Threads = append(m.p.Threads, th)
		m.begin(th)
		switch {
		case waits && t == 0:
			th.Body = m.setter()
		case waits && t == 1:
			th.Body = m.waiter()
		default:
			th.Body = m.free(2 + m.IntN(3))
		}
		m.shows()
	}
	if m.one(6) {
		m.child()
	}
	if m.p.Exposed = m.one(8); m.p.Exposed {
		m.expose()
	}
	return m.p
}

// Valid makes programs until there is one that does what it may, and says what it can do.
// Most of them can come to their end.
func Valid(r *rand.Rand) (*Program, *Meaning) {
	for {
		p := Make(r)
		keep := r.IntN(10) == 0
		dull := r.IntN(3) > 0
		m, ok := p.Meaning(mostStates)
		switch {
		case !ok:
		case (m.Deadlock || m.Livelock) && !keep:
		case p.Exposed && !m.Race:
		case len(m.Outcomes) < 2 && !m.Race && dull:
		default:
			return p, m
		}
	}
}

const mostStates = 6_000

func (m *maker) one(n int) bool { return m.IntN(n) == 0 }

func (m *maker) begin(th *Thread) {
	m.t, m.gotos, m.spins, m.guarded, m.reading, m.counters, m.lates, m.noted = th, m.one(8), 0, own, false, 0, false, nil
	th.Form = []form{plain, plain, named, caught, caught, asked}[m.IntN(6)]
	if th.Form == asked && !m.one(4) {
		th.Form = caught
	}
}

// shows chooses what the thread shows at its end: little, for what is shown is looked at.
func (m *maker) shows() {
	written := append([]int{}, m.noted...)
	all(m.t.Body, func(s *stmt) {
		if s.dst >= 0 {
			written = append(written, s.dst)
		}
	})
	for range 1 + m.IntN(2) {
		if len(written) > 0 {
			m.t.Shown[written[m.IntN(len(written))]] = true
		}
	}
	for _, f := range "lsbxm" {
		changed := false
		all(m.t.Body, func(s *stmt) {
			if s.kind == library && s.place == own && s.call.accesses.writes != 0 {
				for _, g := range s.call.fields {
					changed = changed || f == g
				}
			}
		})
		if changed && m.IntN(4) > 0 {
			m.t.Fields += string(f)
		}
	}
}

func (m *maker) local() int { return m.IntN(locals) }

func (m *maker) expr() expr {
	switch m.IntN(6) {
	case 0, 1, 2:
		return expr{n: int32(m.IntN(3))}
	case 3:
		return expr{of: next, n: int32(1 + m.IntN(2)), at: m.local()}
	}
	return expr{of: variable, at: m.local()}
}

func (m *maker) via() via { return m.vias[m.IntN(len(m.vias))] }

// loads is a load of a word.
func (m *maker) loads(word int) *op { return &op{kind: load, word: word, via: m.via()} }

func (m *maker) operation() *stmt {
	o := &op{word: m.IntN(flag), a: m.expr(), b: m.expr(), via: m.via()}
	o.kind = []opKind{load, load, load, load, store, store, store, cas, cas, swap, add, and, or}[m.IntN(13)]
	if o.kind == add && (m.spins > 0 || o.b.of != constant) {
		o.kind = swap
	}
	s := &stmt{kind: operate, op: o, dst: m.local()}
	switch {
	case o.kind == store || o.kind > store && m.one(4):
		s.dst = -1
	case o.kind == load && m.one(4):
		o.word = flag
	}
	return s
}

// calls is a call on things of a place.
func (m *maker) call(place int) *stmt {
	s := &stmt{kind: library, place: place, dst: m.local(), x: m.expr()}
	for {
		s.call = calls()[m.IntN(len(calls()))]
		fields := s.call.fields
		pure := fields == ""
		private := place == own
		switch {
		case pure && m.IntN(3) > 0:
		case private && fields == "n":
		case private && m.t.Form != plain && (fields == "s" || fields == "b"):
		case m.reading && (s.call.accesses.writes|s.call.accesses.mayWrite) != 0:
		default:
			if pure {
				s.place = own
			}
			if !s.call.gives {
				s.dst = -1
			}
			if s.call.takes && s.x.of != constant && s.x.at == s.dst {
				s.x = expr{n: int32(m.IntN(3))}
			}
			if s.call.takes && private && m.one(3) {
				s.op = m.loads(m.IntN(flag))
			}
			s.form = 0
			if m.one(8) {
				s.form = 1
			}
			return s
		}
	}
}

// simple is a statement without others in it.
func (m *maker) simple() *stmt {
	switch n := m.IntN(10); {
	case n < 5:
		return m.operation()
	case n < 7:
		return &stmt{kind: assign, dst: m.local(), x: m.expr()}
	case n < 9 || m.spins == 0:
		return m.call(m.guarded)
	}
	return &stmt{kind: yields, dst: -1}
}

func (m *maker) simples(n int) (list []*stmt) {
	for range n {
		list = append(list, m.simple())
	}
	return list
}

// locks is a lock with something done under it.
func (m *maker) locks() *stmt {
	s := &stmt{kind: locked, dst: -1, lock: lock(m.IntN(int(lockKinds))), form: m.IntN(3)}
	m.guarded, m.reading = s.lock.guards(), s.lock == reader || s.lock == tryReader
	s.body = []*stmt{m.call(m.guarded)}
	if m.one(2) {
		s.body = append(s.body, m.simple())
	}
	m.guarded, m.reading = own, false
	if s.lock.tries() && m.one(2) {
		s.els = m.simples(1)
	}
	return s
}

func (m *maker) cond() *cond {
	k := &cond{local: m.local(), equal: m.one(2), n: int32(m.IntN(3))}
	if m.IntN(3) > 0 {
		k.op = m.operation().op
		switch k.op.kind {
		case store:
			k.op.kind = load
		case cas:
			k.n = 1
		}
	}
	return k
}

// free is a few statements.
func (m *maker) free(n int) (list []*stmt) {
	for range n {
		switch k := m.IntN(20); {
		case k < 8:
			list = append(list, m.simple())
		case k < 11:
			list = append(list, m.locks())
		case k < 13:
			s := &stmt{kind: branch, dst: -1, cond: m.cond(), body: m.simples(1)}
			if m.one(2) {
				s.els = m.simples(1)
			}
			list = append(list, s)
		case k < 17:
			list = append(list, m.counted())
		case k < 18:
			list = append(list, m.waits())
		default:
			list = append(list, m.later()...)
		}
	}
	return list
}
