package engine

import (
	"fmt"

	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// beforehand runs the schedule that the reduction will begin with, before anything
// else is done: the two runs must be alike. Chance and time show at once so, where
// they would otherwise pass for what another order does. It counts as no execution.
func (e *exploration) beforehand() (*Failure, error) {
	f, err := e.with(strategy.First{}, 0)
	if f != nil || err != nil {
		return f, err
	}
	e.s.first = len(e.s.Events)
	e.c.Executions, e.s.steps, e.s.longest, e.s.cut = 0, 0, 0, 0
	return nil, nil
}

// holdFirst holds the first execution against the one beforehand.
func (s *scheduler) holdFirst() {
	if s.first == 0 || s.again || s.unseen && s.reduces() {
		return
	}
	if n := len(s.Events); n != s.first && s.sorry == nil && s.failure == nil {
		s.differed = true
		s.sorry = fmt.Errorf("%w: behaviour differs between two runs of one schedule: one has %d steps, the other %d", ErrUncontrolled, s.first, n)
	}
	s.first = 0
}
