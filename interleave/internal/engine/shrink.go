package engine

import (
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// shrink looks for an execution that is wrong in the same way with fewer
// switches. A schedule is a list of segments, so many steps of one thread;
// segments are dropped, or moved to the segment of their thread before or after,
// as long as that helps.
type shrink struct {
	s      *scheduler
	kind   FailureKind
	turns  []turn // what to begin with
	steps  int    // of that
	best   []segment
	worth  int // switches of best
	found  *Failure
	trial  []segment
	at     int // of trial
	used   int // steps of trial[at]
	i, how int // the next trial
	better bool
	picks  map[[2]int]int // what operations did in the best, by thread and how many it had before
	tries  int
	taken  int // steps of all tries
}

type segment struct {
	thread int
	steps  int
}

// What bounds a shrinking: its executions, and their steps, which are a second or a few.
const (
	mostTries = 2000
	mostTaken = 1_000_000
)

func (h *shrink) Begin(x *order.Execution) {
	h.at, h.used = 0, 0
	x.Fresh, x.Pairs = 0, false
}

func (h *shrink) Choose(x *order.Execution, c strategy.Choice) (int, error) {
	if c.Of > 0 {
		return min(h.pick(x, c.Now), c.Of-1), nil
	}
	if h.best == nil {
		for i, t := range h.turns {
			end := h.steps
			if i+1 < len(h.turns) {
				end = h.turns[i+1].step
			}
			h.best = append(h.best, segment{x.Named(t.thread), end - t.step})
		}
		h.best = merge(h.best)
		h.trial = h.best
	}
	for h.at < len(h.trial) {
		g := h.trial[h.at]
		if h.used < g.steps && c.Threads.Has(g.thread) {
			h.used++
			return g.thread, nil
		}
		h.at++
		h.used = 0
	}
	return c.Threads.Prefer(c.Now), nil
}

// end takes what was tried if it is better, and makes the next trial.
func (h *shrink) End(*order.Execution) bool {
	s := h.s
	if f := s.failure; f != nil && f.Kind == h.kind {
		if now := s.segments(); len(now)-1 < h.worth {
			s.measure()
			h.best, h.worth, h.better = now, len(now)-1, true
			h.found = f
			h.picks = make(map[[2]int]int)
			for i := range s.Events {
				if e := &s.Events[i]; e.Pick > 1 {
					h.picks[[2]int{int(e.Thread), int(e.Ord) - 1}] = int(e.Pick) - 1
				}
			}
		}
	}
	h.tries++
	h.taken += len(s.Events)
	for h.tries < mostTries && h.taken < mostTaken {
		if h.i >= len(h.best) {
			if !h.better {
				return false
			}
			h.i, h.how, h.better = 0, 0, false
		}
		if h.propose() {
			return true
		}
	}
	return false
}

// pick returns which of the things that it may do the operation of a thread does: what
// it did in the best execution.
func (h *shrink) pick(x *order.Execution, thread int) int {
	if h.found != nil {
		return h.picks[[2]int{thread, int(x.Threads[thread].Count)}]
	}
	for _, t := range h.turns {
		if t.step == len(x.Events) {
			return t.pick
		}
	}
	return 0
}

// propose makes the next trial, if there is one at this place.
func (h *shrink) propose() bool {
	i, how := h.i, h.how
	if h.how++; h.how == 3 {
		h.i, h.how = h.i+1, 0
	}
	g := h.best[i]
	t := append(h.trial[:0:0], h.best[:i]...)
	switch how {
	case 0: // later
		rest := append([]segment(nil), h.best[i+1:]...)
		for j := range rest {
			if rest[j].thread == g.thread {
				rest[j].steps += g.steps
				break
			}
		}
		t = append(t, rest...)
	case 1: // earlier
		done := false
		for j := i - 1; j >= 0 && !done; j-- {
			if t[j].thread == g.thread {
				t[j].steps += g.steps
				done = true
			}
		}
		if !done {
			return false
		}
		t = append(t, h.best[i+1:]...)
	case 2: // its thread first of all
		t = append(append([]segment{g}, t...), h.best[i+1:]...)
	}
	h.trial = merge(t)
	return len(h.trial)-1 <= h.worth
}

func merge(t []segment) []segment {
	out := t[:0]
	for _, g := range t {
		if n := len(out); n > 0 && out[n-1].thread == g.thread {
			out[n-1].steps += g.steps
		} else {
			out = append(out, g)
		}
	}
	return out
}

// segments returns the present execution as segments.
func (s *scheduler) segments() []segment {
	var out []segment
	for i := range s.Events {
		t := int(s.Events[i].Thread)
		if n := len(out); n > 0 && out[n-1].thread == t {
			out[n-1].steps++
		} else {
			out = append(out, segment{t, 1})
		}
	}
	return out
}
