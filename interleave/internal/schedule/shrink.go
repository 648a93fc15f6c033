package schedule

import (
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// A Shrinking looks for an execution that is wrong in the same way with fewer
// switches. A schedule is a list of segments, so many steps of one thread;
// segments are dropped, or moved to the segment of their thread before or after,
// as long as that helps. It is a strategy.Chooser.
type Shrinking struct {
	Turns  []Turn      // what to begin with
	Steps  int         // of that
	Worth  int         // switches of the best
	Fails  func() bool // whether the execution that has ended is wrong in the same way
	Better func()      // called if it is, with fewer switches

	best   []Segment
	found  bool
	trial  []Segment
	at     int // of trial
	used   int // steps of trial[at]
	i, how int // the next trial
	better bool
	picks  map[[2]int]int // what operations did in the best, by thread and how many it had before
	tries  int
	taken  int // steps of all tries
}

// A Segment is so many steps of one thread.
type Segment struct {
	Thread int
	Steps  int
}

// What bounds a shrinking: its executions, and their steps, which are a second or a few.
const (
	mostTries = 2000
	mostTaken = 1_000_000
)

// Begin is of strategy.Chooser.
func (h *Shrinking) Begin(x *order.Execution) {
	h.at, h.used = 0, 0
	x.Fresh, x.Pairs = 0, false
}

// Choose is of strategy.Chooser.
func (h *Shrinking) Choose(x *order.Execution, c strategy.Choice) (int, error) {
	if c.Of > 0 {
		return min(h.pick(x, c.Now), c.Of-1), nil
	}
	if h.best == nil {
		for i, t := range h.Turns {
			end := h.Steps
			if i+1 < len(h.Turns) {
				end = h.Turns[i+1].Step
			}
			h.best = append(h.best, Segment{x.Named(t.Thread), end - t.Step})
		}
		h.best = merge(h.best)
		h.trial = h.best
	}
	for h.at < len(h.trial) {
		g := h.trial[h.at]
		if h.used < g.Steps && c.Threads.Has(g.Thread) {
			h.used++
			return g.Thread, nil
		}
		h.at++
		h.used = 0
	}
	return c.Threads.Prefer(c.Now), nil
}

// End takes what was tried if it is better, and makes the next trial.
func (h *Shrinking) End(x *order.Execution) bool {
	if h.Fails() {
		if now := Segments(x); len(now)-1 < h.Worth {
			h.best, h.Worth, h.better, h.found = now, len(now)-1, true, true
			h.Better()
			h.picks = make(map[[2]int]int)
			for i := range x.Events {
				if e := &x.Events[i]; e.Pick > 1 {
					h.picks[[2]int{int(e.Thread), int(e.Ord) - 1}] = int(e.Pick) - 1
				}
			}
		}
	}
	h.tries++
	h.taken += len(x.Events)
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
func (h *Shrinking) pick(x *order.Execution, thread int) int {
	if h.found {
		return h.picks[[2]int{thread, int(x.Threads[thread].Count)}]
	}
	for _, t := range h.Turns {
		if t.Step == len(x.Events) {
			return t.Pick
		}
	}
	return 0
}

// propose makes the next trial, if there is one at this place.
func (h *Shrinking) propose() bool {
	i, how := h.i, h.how
	if h.how++; h.how == 3 {
		h.i, h.how = h.i+1, 0
	}
	g := h.best[i]
	t := append(h.trial[:0:0], h.best[:i]...)
	switch how {
	case 0: // later
		rest := append([]Segment(nil), h.best[i+1:]...)
		for j := range rest {
			if rest[j].Thread == g.Thread {
				rest[j].Steps += g.Steps
				break
			}
		}
		t = append(t, rest...)
	case 1: // earlier
		done := false
		for j := i - 1; j >= 0 && !done; j-- {
			if t[j].Thread == g.Thread {
				t[j].Steps += g.Steps
				done = true
			}
		}
		if !done {
			return false
		}
		t = append(t, h.best[i+1:]...)
	case 2: // its thread first of all
		t = append(append([]Segment{g}, t...), h.best[i+1:]...)
	}
	h.trial = merge(t)
	return len(h.trial)-1 <= h.Worth
}

func merge(t []Segment) []Segment {
	out := t[:0]
	for _, g := range t {
		if n := len(out); n > 0 && out[n-1].Thread == g.Thread {
			out[n-1].Steps += g.Steps
		} else {
			out = append(out, g)
		}
	}
	return out
}

// Segments returns those of an execution.
func Segments(x *order.Execution) []Segment {
	var out []Segment
	for i := range x.Events {
		t := int(x.Events[i].Thread)
		if n := len(out); n > 0 && out[n-1].Thread == t {
			out[n-1].Steps++
		} else {
			out = append(out, Segment{t, 1})
		}
	}
	return out
}
