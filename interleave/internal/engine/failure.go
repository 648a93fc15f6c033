package engine

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// A FailureKind says in which way an execution is wrong.
type FailureKind string

// The kinds of failures.
const (
	Assertion FailureKind = "assertion"  // Fatalf, Errorf
	Panic     FailureKind = "panic"      // of a thread
	Deadlock  FailureKind = "deadlock"   // nobody can go on, somebody should
	Livelock  FailureKind = "livelock"   // all who can go on repeat themselves for ever
	StepBound FailureKind = "step bound" // no end in sight
	DataRace  FailureKind = "data race"  // plain accesses that nothing orders
	Leak      FailureKind = "leak"       // goroutines are left: see Exec.NoLeaks
)

// A Failure is a wrong execution.
type Failure struct {
	Kind     FailureKind
	Thread   string // whose operation showed it; may be empty
	Message  string
	Stack    string // of a panic
	Schedule string // replays it
	Switches int    // from one thread to another
	Looks    int    // how often a thread might look in vain: see Options
	Steps    int

	found   *Trace
	outside bool // it is of the body, or a function given to Finally
}

// ByTheClock reports whether it is of the body, or of a function given to Finally, that had no
// end. Each execution that shows it takes as long as Options.Outside.
func (f *Failure) ByTheClock() bool { return f.Kind == StepBound && f.outside }

// Found returns the execution in which it was found, nil if that is not known. A
// replay shows more of it, and may not succeed.
func (f *Failure) Found() *Trace { return f.found }

// deadlock notes who waits for what.
func (s *scheduler) deadlock() {
	var who []string
	for _, daemon := range []bool{false, true} {
		for _, t := range s.threads {
			if t.done || t.daemon != daemon || t.isClock() {
				continue
			}
			name := t.name
			if daemon {
				name += " (daemon)"
			}
			who = append(who, fmt.Sprintf("%s waits at %s%s", name, s.announced(t), s.alone(t)))
		}
	}
	s.noteBlocked()
	s.fail(&Failure{Kind: Deadlock, Message: "nobody can go on: " + strings.Join(who, ", ")})
}

// meanwhile names those who wait for others while some go on and on.
func (s *scheduler) meanwhile() (text string) {
	for _, t := range s.threads {
		if why := s.alone(t); why != "" && !t.done && !t.daemon {
			text += fmt.Sprintf("; %s waits at %s%s", t.name, s.announced(t), why)
		}
	}
	return text
}

// announced words the operation that t has announced.
func (s *scheduler) announced(t *thread) string {
	p := place.Of(t.Next.Site)
	text := t.Next.Kind.String()
	if at := s.waitsAt(t); at != "" && (p.Expr == "" || t.Next.Kind == object.Select) {
		text += " of " + at
	} else if p.Expr != "" {
		text = p.Expr + "." + text
	} else if t.Next.Loc >= 0 {
		text += fmt.Sprintf(" of object %d", t.Next.Loc)
	}
	if p.Line > 0 {
		text += fmt.Sprintf(" (%s:%d)", place.Base(p.File), p.Line)
	}
	if t.Next.Kind == object.Lock || t.Next.Kind == object.WLock || t.Next.Kind == object.RLock || t.Next.Kind == object.WDrain {
		if h := s.holders(t.Next.Loc); h != "" {
			text += ", held by " + h
		}
	}
	return text
}

// holders names the threads that have locked an object and not unlocked it.
func (s *scheduler) holders(loc int32) string {
	var held [order.MaxThreads]int
	for _, i := range s.Objects[loc].All {
		e := &s.Events[i]
		switch e.Kind {
		case object.Lock, object.RLock, object.WLock:
			held[e.Thread]++
		case object.TryLock, object.TryRLock, object.TryWLock:
			if e.Wrote != e.Read {
				held[e.Thread]++
			}
		case object.Unlock, object.RUnlock, object.WUnlock:
			held[e.Thread]--
		}
	}
	var who []string
	for _, t := range s.threads {
		if held[t.ID] > 0 {
			who = append(who, t.name)
		}
	}
	return strings.Join(who, " and ")
}
