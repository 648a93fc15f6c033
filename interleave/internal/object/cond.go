package object

// A sync.Cond. Who waits longest is woken first, where Pick does not say another.
var cond = map[Kind]rules{
	Enqueue:   {name: "Wait, entering", write: writes, do: enqueue},
	Wake:      {name: "Wait", ready: func(s *State, thread uint8) bool { return s.signalled>>thread&1 != 0 }, do: func(s *State, o *Op) { s.signalled &^= 1 << o.Thread }},
	Signal:    {name: "Signal", write: writes, do: signal},
	Broadcast: {name: "Broadcast", write: writes, do: broadcast},
}

func signal(s *State, o *Op) {
	if s.waiting > 0 {
		s.wake(min(max(int(o.Pick), 1), s.waiting) - 1)
	}
}

func broadcast(s *State, _ *Op) {
	for s.waiting > 0 {
		s.wake(0)
	}
}

// wake wakes the one that i others have come before.
func (s *State) wake(i int) {
	s.signalled |= 1 << s.queue[i]
	copy(s.queue[i:], s.queue[i+1:s.waiting])
	s.waiting--
}

func enqueue(s *State, o *Op) {
	s.queue[s.waiting] = o.Thread
	s.waiting++
}
