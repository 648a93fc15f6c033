package object

// A sync.Cond. Who waits longest is woken first.
var cond = map[Kind]rules{
	Enqueue:   {name: "Wait, entering", write: writes, do: enqueue},
	Wake:      {name: "Wait", ready: func(s *State, thread uint8) bool { return s.signalled>>thread&1 != 0 }, do: func(s *State, o *Op) { s.signalled &^= 1 << o.Thread }},
	Signal:    {name: "Signal", write: writes, do: func(s *State, _ *Op) { s.wake(1) }},
	Broadcast: {name: "Broadcast", write: writes, do: func(s *State, _ *Op) { s.wake(s.waiting) }},
}

func (s *State) wake(n int) {
	for ; n > 0 && s.waiting > 0; n-- {
		s.signalled |= 1 << s.queue[0]
		copy(s.queue[:], s.queue[1:s.waiting])
		s.waiting--
	}
}

func enqueue(s *State, o *Op) {
	s.queue[s.waiting] = o.Thread
	s.waiting++
}
