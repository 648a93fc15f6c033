package engine

// Stalled threads.
//
// Freeze stops one thread for ever before its nth operation, as if the machine
// had been taken away from under it. What decides it is the thread's own count,
// so that the reduction knows nothing of it: it is another program, in which the
// thread ends there without having ended. The others must be able to finish, or
// what they do blocks.

// A Freeze names a thread, by the order in which the body made it, and how many
// operations it carries out.
type Freeze struct {
	Thread int
	After  int
}

// freeze stops t if its time has come.
func (s *scheduler) freeze(t *thread) {
	if f := s.frozen; t.Parent < 0 && t.Nth == f.Thread && int(t.Count) == f.After {
		t.frozen, t.daemon, t.loop.Held = true, true, true
		s.daemons |= t.Bit()
		s.waits |= t.Bit()
	}
}

// A Blocked thread is one that can never go on.
type Blocked struct {
	Thread string
	Label  string // the operation that it is in: see Exec.Do
	At     string // what it waits for
}

// noteBlocked notes who cannot go on, at the end of an execution.
func (s *scheduler) noteBlocked() {
	s.blocked = s.blocked[:0]
	for _, t := range s.threads {
		if !t.done && !t.daemon {
			s.blocked = append(s.blocked, Blocked{t.name, t.label, s.announced(t)})
		}
	}
}

// Blocked returns who could not go on when the execution failed.
func (v *View) Blocked() []Blocked { return v.s.blocked }

// Lengths returns how many operations each thread that the body made carried out.
func (v *View) Lengths() []int {
	var n []int
	for _, t := range v.s.threads {
		if t.Parent < 0 {
			n = append(n, int(t.Count))
		}
	}
	return n
}

// Do runs f as an operation of the calling thread that is called name: Progress
// says of each whether it finishes.
func (x *Exec) Do(name string, f func()) {
	t := x.s.running
	if t == nil {
		f()
		return
	}
	before, from := t.label, t.Count
	t.label = name
	f()
	t.label = before
	if n := int(t.Count - from); n >= x.s.longestOf[name] && !x.s.unwinding {
		if x.s.longestOf == nil {
			x.s.longestOf = make(map[string]int)
		}
		x.s.longestOf[name] = n
	}
}

// LongestOf returns for each operation of Exec.Do the most steps of its own that
// it took in any execution so far.
func (v *View) LongestOf() map[string]int { return v.s.longestOf }
