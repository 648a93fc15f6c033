package explore

import "fmt"

// ring is an owner and thieves on a ring of four places, as small as the real
// one allows: the machine that the speed is measured on. The owner puts and
// gets in any order; a thief takes half, returns what it took, and tries again.
type ring struct {
	thieves          int
	puts, gets, goes uint8 // of the owner, of the owner, of each thief
	bug              bool  // the owner gets by a store
}

type ringState struct {
	Head, Tail uint8
	Slot       [4]uint8
	Out        uint16 // a bit for each G that was returned
	Twice      bool
	PC         uint8 // of the owner
	H, G       uint8
	Puts, Gets uint8 // left
	Pad        [2]uint8
	Thief      [3]thief
}

type thief struct {
	PC, H, N, I uint8
	G           [2]uint8
	Left        uint8
	T           uint8
}

const (
	ringPutLoadHead = iota
	ringPutSlot
	ringPutTail
	ringGetLoadHead
	ringGetLoadTail
	ringGetSlot
	ringGetCAS
	ringStealLoadHead
	ringStealLoadTail
	ringStealSlot
	ringStealCAS
)

func (r ring) Actions() []string {
	return []string{"PutLoadHead", "PutSlot", "PutTail", "GetLoadHead", "GetLoadTail", "GetSlot", "GetCAS",
		"StealLoadHead", "StealLoadTail", "StealSlot", "StealCAS"}
}

func (r ring) Actors() []string {
	return []string{"owner", "thief 1", "thief 2", "thief 3"}[:1+r.thieves]
}

func (r ring) Init(out *Successors[ringState]) {
	s := ringState{Puts: r.puts, Gets: r.gets}
	for i := range r.thieves {
		s.Thief[i].Left = r.goes
	}
	out.Add(0, 0, &s)
}

func (s *ringState) take(g uint8) {
	s.Twice = s.Twice || s.Out&(1<<g) != 0
	s.Out |= 1 << g
}

func (r ring) Next(s *ringState, out *Successors[ringState]) {
	switch s.PC {
	case 0:
		if s.Puts > 0 {
			n := out.Add(ringPutLoadHead, 0, s)
			n.H, n.PC = s.Head, 1
			if s.Tail-s.Head == 4 { // full
				n.H, n.PC = 0, 0
			}
		}
		if s.Gets > 0 {
			n := out.Add(ringGetLoadHead, 0, s)
			n.H, n.PC = s.Head, 3
		}
	case 1:
		n := out.Add(ringPutSlot, 0, s)
		n.Slot[s.Tail%4], n.PC = r.puts-s.Puts+1, 2
	case 2:
		n := out.Add(ringPutTail, 0, s)
		n.Tail++
		n.Puts--
		n.H, n.PC = 0, 0
	case 3:
		n := out.Add(ringGetLoadTail, 0, s)
		n.PC = 4
		if s.H == s.Tail {
			n.PC, n.H = 0, 0
			n.Gets--
		}
	case 4:
		n := out.Add(ringGetSlot, 0, s)
		n.G, n.PC = s.Slot[s.H%4], 5
	case 5:
		n := out.Add(ringGetCAS, 0, s)
		n.PC, n.H, n.G = 0, 0, 0
		if s.Head == s.H || r.bug {
			n.Head = s.H + 1
			n.Gets--
			n.take(s.G)
		}
	}
	for i := range r.thieves {
		r.steal(s, i, out)
	}
}

func (r ring) steal(s *ringState, i int, out *Successors[ringState]) {
	t := &s.Thief[i]
	actor := uint8(i + 1)
	switch t.PC {
	case 0:
		if t.Left > 0 {
			n := &out.Add(ringStealLoadHead, actor, s).Thief[i]
			n.H, n.PC = s.Head, 1
			n.Left--
		}
	case 1:
		n := &out.Add(ringStealLoadTail, actor, s).Thief[i]
		size := s.Tail - t.H
		switch size -= size / 2; {
		case size == 0:
			*n = thief{Left: t.Left}
		case size > 2: // head and tail do not belong together
			*n = thief{Left: t.Left + 1}
		default:
			n.N, n.PC = size, 2
		}
	case 2:
		n := &out.Add(ringStealSlot, actor, s).Thief[i]
		n.G[t.I] = s.Slot[(t.H+t.I)%4]
		if n.I++; n.I == t.N {
			n.I, n.PC = 0, 3
		}
	case 3:
		n := out.Add(ringStealCAS, actor, s)
		n.Thief[i] = thief{Left: t.Left}
		if s.Head == t.H {
			n.Head += t.N
			for _, g := range t.G[:t.N] {
				n.take(g)
			}
		}
	}
}

func (r ring) Canonical(s *ringState) {
	t := s.Thief[:r.thieves]
	for i := 1; i < len(t); i++ {
		for j := i; j > 0 && t[j].less(&t[j-1]); j-- {
			t[j], t[j-1] = t[j-1], t[j]
		}
	}
}

func (t *thief) key() uint64 {
	return uint64(t.PC)<<56 | uint64(t.H)<<48 | uint64(t.N)<<40 | uint64(t.I)<<32 | uint64(t.G[0])<<24 | uint64(t.G[1])<<16 | uint64(t.Left)<<8
}

func (t *thief) less(u *thief) bool { return t.key() < u.key() }

func (r ring) Vars(s *ringState) []Var {
	vars := []Var{
		{"head", fmt.Sprint(s.Head)}, {"tail", fmt.Sprint(s.Tail)}, {"slot", fmt.Sprint(s.Slot)}, {"out", fmt.Sprintf("%b", s.Out)},
		{"owner", fmt.Sprint(s.PC, s.H, s.G, s.Puts, s.Gets)},
	}
	for i := range r.thieves {
		vars = append(vars, Var{fmt.Sprintf("thief%d", i+1), fmt.Sprintf("%v", s.Thief[i])})
	}
	return vars
}

func once() []Invariant[ringState] {
	return []Invariant[ringState]{{"Once", "RQ-TWICE", func(s *ringState) bool { return !s.Twice }}}
}
