package object

// A sync.Cond. Who waits longest is woken first, where Pick does not say another.
var cond = map[Kind]rules{
	Enqueue:   {name: "Wait, entering", write: writes, do: enqueue},
	Wake:      {name: "Wait", ready: func(s *State, thread uint8) bool { return s.signalled>>thread&1 != 0 }, do: func(s *State, o *Op) { s.signalled &^= 1 << o.Thread }},
	Signal:    {name: "Signal", write: writes, do: func(s *State, o *Op) { s.wakes(int(o.Pick)) }},
	Broadcast: {name: "Broadcast", write: writes, do: func(s *State, _ *Op) { s.wake(s.waiting) }},
}

func (s *State) wake(n int) {
	for ; n > 0 && s.waiting > 0; n-- {
		s.signalled |= 1 << s.queue[0]
		copy(s.queue[:], s.queue[1:s.waiting])
		s.waiting--
	}
}

// wakes wakes one, the pick-th from 1.
func (s *State) wakes(pick int) {
	if i := min(pick, s.waiting) - 1; i > 0 {
		first := s.queue[i]
		copy(s.queue[1:], s.queue[:i])
		s.queue[0] = first
	}
	s.wake(1)
}

func enqueue(s *State, o *Op) {
	s.queue[s.waiting] = o.Thread
	s.waiting++
}
