package object

// A sync.Cond. Who waits longest is woken first.
var cond = map[Kind]rules{
	Enqueue:   {name: "Wait, entering", write: writes, do: func(s *State, o *Op) { s.queue = append(s.queue, o.Thread) }},
	Wake:      {name: "Wait", ready: func(s *State, thread uint8) bool { return s.signalled>>thread&1 != 0 }, do: func(s *State, o *Op) { s.signalled &^= 1 << o.Thread }},
	Signal:    {name: "Signal", write: writes, do: func(s *State, _ *Op) { s.wake(1) }},
	Broadcast: {name: "Broadcast", write: writes, do: func(s *State, _ *Op) { s.wake(len(s.queue)) }},
}

func (s *State) wake(n int) {
	for ; n > 0 && len(s.queue) > 0; n-- {
		s.signalled |= 1 << s.queue[0]
		s.queue = s.queue[1:]
	}
}
