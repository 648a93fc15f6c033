package object

// A sync.Mutex.
var mutex = map[Kind]rules{
	Lock:    {name: "Lock", write: writes, ready: free, do: func(s *State, _ *Op) { s.Held = 1 }},
	TryLock: {name: "TryLock", write: mayWrite, do: locked, tries: Lock},
	Unlock:  {name: "Unlock", write: writes, do: unlocked},
}

func locked(s *State, o *Op) {
	if o.done() {
		s.Held = 1
	}
}

func unlocked(s *State, o *Op) {
	if o.done() {
		s.Held = 0
	}
}
