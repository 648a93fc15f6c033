package engine

import (
	"fmt"
	"os"

	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
)

// Shadow rounds, a test of the rule by which loops wait: a thread that would be held back since a round was in vain makes the round once more, alone, and must come back
// to where it was, with nothing changed of the memory that its stack and package-level variables reach, whatever was reported. They are made in searches by chance, which the others become: in these an operation more does no harm.

// shadows names the file to which each exploration adds how many shadow rounds there were; "": none are made.
var shadows = os.Getenv("SPINDLE_INTERNAL_SHADOW")

// shadowExecutions is how many executions such a search has.
const shadowExecutions = 300

// A shadow is the thread that makes such a round.
type shadow struct {
	thread *thread
	left   int // rounds until it is where it was: a loop may take several
	made   int
}

// shadowed is called where a round of t has ended that began behind an event. What others have written meanwhile, the thread may see only now: then it makes none.
func (s *scheduler) shadowed(t *thread, from int32) {
	l, h := &t.loop, &s.shadow
	switch {
	case s.forGood:
	case l.Pending == rounds.Vain && h.thread == nil:
		for i := int(from) + 1; i < len(s.Events); i++ {
			if ev := &s.Events[i]; ev.Of > 1 || int(ev.Thread) != t.ID && ev.Write {
				return
			}
		}
		*h = shadow{t, 1 + rounds.MostPast, h.made}
		l.Pending, l.Visited = rounds.None, false
		s.remembers()
	case h.thread != t:
	case l.Pending == rounds.Vain:
		if s.remembersOtherwise() {
			s.strayed(t, "has changed memory that it reaches")
		}
		h.thread = nil
		h.made++
	default:
		if h.left--; h.left == 0 {
			s.strayed(t, "has changed something")
		}
	}
}

// strayed says that a shadow round is not as the one before.
func (s *scheduler) strayed(t *thread, what string) {
	if s.shadow.thread == t && s.sorry == nil {
		s.shadow.thread = nil
		s.sorry = fmt.Errorf("shadow round: thread %s %s, at %s", t.name, what, s.announced(t))
	}
}

// inShadow returns who can go on: the thread that makes such a round, if it can.
func (s *scheduler) inShadow(enabled order.ThreadSet) order.ThreadSet {
	if t := s.shadow.thread; t != nil {
		if enabled.Has(t.ID) {
			return t.Bit()
		}
		s.shadow.thread = nil // it waits for others
	}
	return enabled
}

// reportShadows adds how many there were.
func (s *scheduler) reportShadows() {
	if f, err := os.OpenFile(shadows, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
		fmt.Fprintln(f, s.shadow.made)
		f.Close()
	}
}
