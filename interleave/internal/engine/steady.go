package engine

import "fmt"

// steady runs the schedule that the reduction will begin with, before anything
// else is done: the two runs must be alike. Chance and time show at once so, where
// they would otherwise pass for what another order does.
type steady struct{}

func (steady) begin(s *scheduler) { s.fresh, s.pairs = 0, false }

func (steady) choose(s *scheduler, enabled threadSet, now int) int { return prefer(enabled, now) }

func (steady) end(*scheduler) bool { return false }

// beforehand makes that run, which counts as no execution.
func (e *exploration) beforehand() (*Failure, error) {
	f, err := e.with(new(steady), 0)
	if f != nil || err != nil {
		return f, err
	}
	e.s.first = len(e.s.events)
	e.c.Executions, e.s.steps, e.s.longest, e.s.cut, e.s.blockedRuns = 0, 0, 0, 0, 0
	return nil, nil
}

// holdFirst holds the first execution against the one beforehand.
func (s *scheduler) holdFirst() {
	if s.first == 0 || s.again {
		return
	}
	if n := len(s.events); n != s.first && s.sorry == nil && s.failure == nil {
		s.sorry = fmt.Errorf("%w: behaviour differs between two runs of one schedule: one has %d steps, the other %d", ErrUncontrolled, s.first, n)
	}
	s.first = 0
}
