package engine

import (
	"fmt"
	"math"
)

// steady runs one schedule twice, before anything else is done: chance and time
// show at once where they would otherwise pass for what another order does.
type steady struct {
	runs   int
	length int
}

func (d *steady) begin(s *scheduler) {
	s.fresh = 0
	if d.runs == 1 {
		s.fresh = math.MaxInt
	}
	s.pairs = false
}

func (d *steady) choose(s *scheduler, enabled threadSet, now int) int { return prefer(enabled, now) }

func (d *steady) end(s *scheduler) bool {
	d.runs++
	if d.runs == 1 {
		d.length = len(s.events)
		return true
	}
	if len(s.events) != d.length && s.sorry == nil {
		s.sorry = fmt.Errorf("%w: behaviour differs between two runs of one schedule: one has %d steps, the other %d", ErrUncontrolled, d.length, len(s.events))
	}
	return false
}

// twice runs the first schedule twice, which counts as no execution.
func (e *exploration) twice() (*Failure, error) {
	f, err := e.with(new(steady), 0)
	if f != nil || err != nil {
		return f, err
	}
	if e.s.sorry != nil {
		return nil, e.s.sorry
	}
	e.c.Executions, e.s.steps, e.s.longest, e.s.cut = 0, 0, 0, 0
	return nil, nil
}
