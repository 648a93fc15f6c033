//go:build spindle_runtime

package engine

import (
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
)

// When the clock may move.

// timely returns who can go on, and the clock, if it can move.
func (s *scheduler) timely(enabled order.ThreadSet, alive bool) order.ThreadSet {
	if t := s.house.clock.thread; alive && (enabled == 0 && s.idles() || s.late && s.fair(enabled)) && t != nil && !t.done && t.Next.Kind == object.Tick && s.nextMoment() >= 0 {
		enabled |= t.Bit()
	}
	return enabled
}

// idles reports whether all threads that are held back in loops would go round in vain once more.
func (s *scheduler) idles() bool {
	for _, t := range s.threads {
		if l := &t.loop; l.Held && !t.done && !t.frozen && (s.helped(t) || l.Why == rounds.Repeated && (s.changed || s.idle == 0)) {
			return false
		}
	}
	return true
}

// early is what is known of threads that could go on and did not, while the clock moved.
type early struct {
	moves   int
	waiting order.ThreadSet
	count   [order.MaxThreads]int32 // of their steps
}

// fair reports whether the clock may move though threads could go on.
func (s *scheduler) fair(enabled order.ThreadSet) bool {
	e := &s.house.clock.early
	for w := e.waiting; w != 0; w &= w - 1 {
		if t := s.byID[w.First()]; !enabled.Has(t.ID) || t.Count != e.count[t.ID] {
			e.waiting &^= t.Bit()
		}
	}
	if e.waiting == 0 {
		e.moves = 0
	}
	return e.moves < mostEarly
}

// note notes that the clock moves, and who could have gone on.
func (e *early) note(s *scheduler, enabled order.ThreadSet) {
	if e.moves++; e.waiting == 0 {
		e.waiting = enabled
		for w := enabled; w != 0; w &= w - 1 {
			e.count[w.First()] = s.byID[w.First()].Count
		}
	}
}
