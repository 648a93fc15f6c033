package source

// The interpreter: threads and objects, each step one operation, as the documentation of
// sync and sync/atomic tells them apart.

type status uint8

const (
	notStarted status = iota
	runs
	ended
)

// A state is comparable, so that a map can tell which were visited.
type state struct {
	threads [mostStarts]threadState
	words   [words]int32
	things  [2]Packed
	held    bool // the mutex
	writes  bool // the other lock is held for writing, or somebody waits for that
	readers int8
	group   int8
	broken  bool // something is not as programs must be: a number is too large, a thread has no end
}

type threadState struct {
	pc     int16
	status status
	caught bool
	reg    [registers]int16
	own    Packed
}

// set sets a register.
func (s *state) set(th *threadState, reg int, v int32) {
	if v < -1000 || v > 1000 {
		s.broken = true
	}
	th.reg[reg] = int16(v)
}

// A machine is a program as code.
type machine struct {
	p    *Program
	code [][]instr
}

// start starts a thread.
func (p *Program) start(s *state, t int) {
	s.threads[t].status = runs
	s.threads[t].own = nothingYet
}

var nothingYet = func() Packed { h := newThings(); return h.pack() }()

// settle has thread t do what is no step.
func (m *machine) settle(s *state, t int) {
	th, code := &s.threads[t], m.code[t]
	for n := 0; ; n++ {
		in := &code[th.pc]
		switch {
		case in.run == nil:
			m.end(th, t)
			return
		case in.step:
			return
		case n == 10_000:
			s.broken = true
			return
		}
		to, _ := in.run(s, th)
		th.pc = int16(to)
	}
}

// end ends a thread, of which what it shows is left.
func (m *machine) end(th *threadState, t int) {
	th.status = ended
	for i := range th.reg {
		if i >= locals || !m.p.Threads[t].Shown[i] {
			th.reg[i] = 0
		}
	}
	shown := Packed{}
	for _, f := range m.p.Threads[t].Fields {
		switch f {
		case 'l':
			shown.Line = th.own.Line
		case 's':
			shown.SB = th.own.SB
		case 'b':
			shown.BB = th.own.BB
		case 'x':
			shown.XS = th.own.XS
		case 'm':
			shown.MP = th.own.MP
		}
	}
	th.own = shown
}

// step has thread t take a step, and reports whether it can.
func (m *machine) step(s *state, t int) bool {
	th := &s.threads[t]
	if th.status != runs {
		return false
	}
	to, ok := m.code[t][th.pc].run(s, th)
	if !ok {
		return false
	}
	th.pc = int16(to)
	m.settle(s, t)
	for i := range s.threads { // those that it has started
		if o := &s.threads[i]; o.status == runs && o.pc == 0 {
			m.settle(s, i)
		}
	}
	return true
}

func (m *machine) first() state {
	var s state
	s.things = [2]Packed{nothingYet, nothingYet}
	for t, th := range m.p.Threads {
		if !th.Child {
			m.p.start(&s, t)
		}
	}
	for t := range m.p.Threads {
		if s.threads[t].status == runs {
			m.settle(&s, t)
		}
	}
	return s
}

// A Meaning is what a program can do.
type Meaning struct {
	Outcomes map[Final]bool // of executions in which all threads end
	Serial   map[Final]bool // of them, where each thread ends before the next begins
	Deadlock bool           // nobody can go on, and somebody has not ended
	Livelock bool           // from some state on there is no end, and no deadlock
	Race     bool           // two accesses that surely conflict can be next
	MayRace  bool           // likewise, two that may
	States   int
}

// Meaning returns what p can do, false if it has more than limit states or does what
// programs must not.
func (p *Program) Meaning(limit int) (*Meaning, bool) {
	m := &machine{p: p}
	for _, t := range p.Threads {
		m.code = append(m.code, p.compile(t))
	}
	out := &Meaning{Outcomes: map[Final]bool{}, Serial: map[Final]bool{}}
	first := m.first()
	index := map[state]int32{first: 0}
	states := []state{first}
	var before [][2]int32 // edges, to a state from one before it
	var last []int32      // states from which nobody goes on
	for i := 0; i < len(states); i++ {
		now, moved := states[i], false
		if now.broken || len(states) > limit {
			return nil, false
		}
		m.races(&now, out)
		for t := range p.Threads {
			s := now
			if !m.step(&s, t) {
				continue
			}
			moved = true
			at, known := index[s]
			if !known {
				at = int32(len(states))
				index[s] = at
				states = append(states, s)
			}
			before = append(before, [2]int32{at, int32(i)})
		}
		if moved {
			continue
		}
		last = append(last, int32(i))
		if now.over() {
			out.Outcomes[m.final(&now)] = true
		} else {
			out.Deadlock = true
		}
	}
	out.States = len(states)
	out.Livelock = endless(len(states), before, last)
	m.serial(out)
	return out, true
}

// endless reports whether there is a state from which none of the last is reached.
func endless(n int, before [][2]int32, last []int32) bool {
	from := make([][]int32, n)
	for _, e := range before {
		from[e[0]] = append(from[e[0]], e[1])
	}
	reached := make([]bool, n)
	for _, i := range last {
		reached[i] = true
	}
	count := len(last)
	for todo := last; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, j := range from[i] {
			if !reached[j] {
				reached[j] = true
				count++
				todo = append(todo, j)
			}
		}
	}
	return count < n
}

func (s *state) over() bool {
	for t := range s.threads {
		if s.threads[t].status == runs {
			return false
		}
	}
	return true
}

// races notes accesses that are next to one another: a program has a data race if and only
// if it has an execution in which two are.
func (m *machine) races(s *state, out *Meaning) {
	var ins [mostStarts]*instr
	for t := range s.threads {
		if th := &s.threads[t]; th.status == runs {
			if in := &m.code[t][th.pc]; in.plain {
				ins[t] = in
			}
		}
	}
	for t, a := range ins {
		for _, b := range ins[:t] {
			if a != nil && b != nil && a.place == b.place {
				surely, perhaps := a.accesses.race(b.accesses)
				out.Race, out.MayRace = out.Race || surely, out.MayRace || perhaps
			}
		}
	}
}

func (m *machine) final(s *state) (f Final) {
	for t := range m.p.Threads {
		th, o := &s.threads[t], &f.Out[t]
		for i := range o.L {
			o.L[i] = int32(th.reg[i])
		}
		o.Line, o.SB, o.BB, o.XS, o.MP, o.Caught = th.own.Line, th.own.SB, th.own.BB, th.own.XS, th.own.MP, th.caught
	}
	f.W, f.A, f.B = s.words, s.things[0], s.things[1]
	return f
}

// serial runs the threads one after another, in every order in which they come to their ends.
func (m *machine) serial(out *Meaning) {
	var from func(s state)
	from = func(s state) {
		if s.over() {
			out.Serial[m.final(&s)] = true
		}
		for t := range m.p.Threads {
			if s.threads[t].status != runs {
				continue
			}
			next := s
			for n := 0; n < 1000 && m.step(&next, t); n++ {
			}
			if next.threads[t].status == ended {
				from(next)
			}
		}
	}
	from(m.first())
}
