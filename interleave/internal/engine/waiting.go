package engine

import (
	"github.com/spindle-go/spindle/interleave/internal/rounds"
)

// What the engine tells package rounds, and what it does with the answers.

// Head says that the running thread is at the head of a loop, and what a sum of its variables is. The number is 0 when the loop is entered; Head sets it.
// Only the engine's own tests call it, for programs that they interpret. Of code, the stack is compared.
func Head(number *int, state uint64) {
	s := current
	if s.drain(); s.unwinding {
		s.endOutside()
		return
	}
	t := s.running
	s.judged(t, s.rounds.Head(&t.loop, &t.Thread, number, state, s.mostDoubtful()))
}

// mostDoubtful is after how many doubtful rounds in a row a thread is held back.
func (s *scheduler) mostDoubtful() int {
	if s.coda.on {
		return fewLooks // others have their turn
	}
	return s.looks
}

// judged is called where a round of t may have ended.
func (s *scheduler) judged(t *thread, v rounds.Verdict) {
	if v.Further && !s.coda.toEnd {
		s.coda.moved = true
	}
	if v.Judged && shadows != "" {
		s.shadowed(t, v.From)
	}
}

// helped reports whether it is worth it to let t go on, which is held back: it would see something else now, or it adds to a number that another thread reads, which is held back, too.
func (s *scheduler) helped(t *thread) bool {
	l := &t.loop
	if t.frozen || l.Why != rounds.Vain && l.Why != rounds.Doubtful {
		return false
	}
	if s.rounds.Helped(l, t.stores) {
		return true
	}
	if l.Why == rounds.Doubtful {
		for _, o := range s.threads {
			if o != t && !o.done && !o.frozen && o.loop.Held && s.rounds.Feeds(l, &o.loop) {
				return true
			}
		}
	}
	return false
}
