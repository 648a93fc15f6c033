package engine

import (
	"runtime"

	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
)

// DefaultPatience is how often threads are let go with nothing changed before
// that is called a livelock.
const DefaultPatience = 1000

// How often a thread may look in vain before it is held back. The searches that
// reduce, or try everything, need it to be few; those by chance need it only so
// that all executions end, and find what happens when a thread gives up after a
// number of looks.
const (
	fewLooks  = 2
	someLooks = 5   // of code of which it is known that its state is another one each time: most often it does the same a few times
	ownLooks  = 100 // of such code that is explored itself: most loops end before
	manyLooks = 32
	longLooks = 1000
)

// holdBack holds t back if the operation that it has announced begins a third
// iteration.
func (s *scheduler) holdBack(t *thread) {
	n := &t.Next
	p := t.repetition.Period
	t.repetition.Period = 0
	if t.repetition.Free || t.loop.Known && s.live&^t.Bit() == 0 && len(s.Events) == int(t.Count) { // or nobody else does anything, in any order
		return
	}
	first := s.nthLast(t, p)
	if first == nil || first.Kind != n.Kind || first.Loc != n.Loc || first.Site != n.Site {
		return
	}
	if n.Site == 0 {
		// Code that is not instrumented: three equal calls one after another are
		// no loop.
		if pc := callerPC(); pc != t.repetition.PC {
			t.repetition.PC = pc
			return
		}
	}
	s.hold(t, rounds.Repeated)
	t.repetition.Held = true
}

// looksOf is how often t may look in vain: many times only until it was held back, so
// that it stays below the bound of steps.
func (s *scheduler) looksOf(t *thread) int {
	if s.looks == longLooks && t.repetition.Held {
		return fewLooks
	}
	if s.looks == fewLooks && t.loop.Known {
		if place.OfExplored(t.Next.Site) {
			return ownLooks
		}
		return someLooks
	}
	return s.looks
}

// nthLast returns the nth event of t, counted from its last, 1 being the last.
func (s *scheduler) nthLast(t *thread, n int) *order.Event {
	i := t.Last
	for ; n > 1 && i >= 0; n-- {
		i = s.Events[i].Prev
	}
	if i < 0 {
		return nil
	}
	return &s.Events[i]
}

// all returns what comes after all that threads have done.
func (s *scheduler) all() (all order.Clock) {
	for _, t := range s.threads {
		all.Join(&t.Clock, s.Width)
	}
	return all
}

// release lets those go who were held back, and returns them. What they do from
// now on comes after everything that has happened. Those of which it is known that their state is another one each time go on until they come to an end, or to
// the bound of steps: what they do is no livelock.
func (s *scheduler) release() (set order.ThreadSet) {
	all := s.all()
	for _, t := range s.threads {
		if t.loop.Held && t.loop.Why == rounds.Repeated && t.loop.Known && !t.repetition.Free {
			t.repetition.Free, s.changed = true, true
		}
	}
	if s.changed {
		s.idle = 0
	}
	s.changed = false
	looks := s.looks
	if looks == longLooks {
		looks = fewLooks // from the first time on
	}
	if s.idle++; s.idle > max(1, s.patience*fewLooks/looks) {
		s.livelock()
		return 0
	}
	s.noteWaiters()
	for _, t := range s.threads {
		t.Clock, t.Past = all, int32(len(s.Events)-1)
		if t.loop.Held && !t.frozen && t.loop.Why != rounds.Exhausted {
			s.letGo(t)
			t.repetition.Reset()
		}
	}
	set, _ = s.enabled()
	return set
}

// callerPC returns where the drop-in was called.
func callerPC() uintptr {
	var pcs [16]uintptr
	n := runtime.Callers(3, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	for {
		f, more := frames.Next()
		if !place.Ours(f.Function) {
			return f.PC + 1 // as CallersFrames wants it
		}
		if !more {
			return 0
		}
	}
}

func callerOf(site Site) uintptr {
	if site != 0 {
		return 0
	}
	return callerPC()
}
