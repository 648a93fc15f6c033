package object

// A sync.RWMutex. A writer that waits keeps out new readers.
var rwmutex = map[Kind]rules{
	RLock:    {name: "RLock", ready: free, drains: true, do: func(s *State, _ *Op) { s.Readers++ }},
	TryRLock: {name: "TryRLock", drains: true, do: entered},
	RUnlock:  {name: "RUnlock", write: mayWrite, do: left, foretell: willLend},
	WLock:    {name: "Lock", write: writes, ready: free, do: announced},
	WDrain:   {name: "Lock, for the readers to leave", write: writes, ready: func(s *State, _ uint8) bool { return s.leaving == 0 }},
	TryWLock: {name: "TryLock", write: writes, do: locked},
	WUnlock:  {name: "Unlock", write: writes, do: unlocked},
}

func entered(s *State, o *Op) {
	if o.done() {
		s.Readers++
	}
}

func left(s *State, o *Op) {
	if !o.done() {
		return
	}
	s.Readers--
	if s.Held > 0 {
		s.leaving--
	}
}

func announced(s *State, _ *Op) {
	s.Held = 1
	s.leaving += s.Readers
}

// willLend: whose lock it gives back is known of the execution at hand only.
func willLend(_, second *Op) (write, unsure bool) {
	return second.Write, second.Write
}
