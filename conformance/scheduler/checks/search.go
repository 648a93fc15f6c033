package checks

import (
	"context"
	"errors"
	"fmt"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Search looks for the first fault of an instrumented target under its contract, in the smallest task graphs: each in all
// interleavings, or in as many executions as the limits give it, by the explorer's usual plan. What is right comes out alike, whichever task ran
// first: so there is no digest. Its error is ctx's, or about a target that cannot be explored at all, or wraps
// suite.ErrHangs.
func Search(ctx context.Context, t Target, l suite.Limits) (suite.Searched, error) {
	in, ok := t.(*inProcess)
	if !ok || in.part == nil {
		return suite.Searched{}, errors.New("checks: Search: expected a target that is instrumented")
	}
	if len(l.Without) > 0 {
		return suite.Searched{}, fmt.Errorf("checks: Search: expected nothing to be left out of schedulers, saw %q", l.Without)
	}
	if l.Watch == nil {
		l.Watch = func(string) {}
	}
	s := search{Limits: l, t: in}
	err := s.run(ctx)
	if err == nil && s.out.Hit == nil && s.steps == 0 {
		err = errors.New("checks: Search: the scheduler made no operation that can be controlled")
	}
	return s.out, err
}

// search is one search.
type search struct {
	suite.Limits
	t     *inProcess
	out   suite.Searched
	steps int
}

func (s *search) run(ctx context.Context) error {
	list := searched(s.t, s.Scenarios)
	for _, g := range list[:min(len(list), restGraphs)] {
		s.Watch("at rest behind " + g.Name)
		x := exploring{t: s.t, g: g}
		n, _, f, err := x.rests(ctx)
		s.out.Executions += n
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case harness.Stuck(err):
			return fmt.Errorf("%w: %w", suite.ErrHangs, err)
		case err != nil:
			s.open("at rest behind graph %s: %v", g.Name, err)
			return nil
		case f != nil:
			s.found(&x, *f)
			return nil
		}
	}
	for i, g := range list {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case s.out.Executions >= s.Executions:
			s.out.Open = fmt.Sprintf("%d of %d graphs were tried", i, len(list))
			return nil
		}
		s.Watch(g.Name)
		s.out.Scenarios++
		x := exploring{t: s.t, g: g}
		r, err := x.run(min(s.Each, s.Executions-s.out.Executions))
		c := &r.Certificate
		s.out.Executions += c.Executions
		s.steps += c.Steps
		switch {
		case harness.Stuck(err):
			return fmt.Errorf("%w: %w", suite.ErrHangs, err)
		case err != nil:
			s.open("graph %s: %v", g.Name, err)
			return nil // nothing more can be explored, maybe
		case r.Failure != nil:
			if s.hit(&x, r) {
				return nil
			}
			s.open("graph %s: %s: %s, and no rule says why", g.Name, r.Failure.Kind, r.Failure.Message)
		case !c.Complete():
			s.open("graph %s: %v", g.Name, c)
		}
	}
	return nil
}

// open notes why nothing found is not all that there is, once.
func (s *search) open(format string, args ...any) {
	if s.out.Open == "" {
		s.out.Open = fmt.Sprintf(format, args...)
	}
}

// hit notes what a failure breaks of the contract. It reports whether there is anything.
func (s *search) hit(x *exploring, r interleave.Report) bool {
	for _, f := range x.findings(r) {
		if q, err := spec.Lookup(f.Requirement); err == nil && q.In(s.t.desc.Profile) {
			s.found(x, f)
			return true
		}
	}
	return false
}

func (s *search) found(x *exploring, f record.Finding) {
	s.out.Hit = &suite.Hit{Requirement: f.Requirement, Witness: string(spec.Interleave), Scenario: x.g.Name, Observed: f.Observed}
}

// searched are the graphs of a search, so many at most: the smallest, and behind them those in which tasks panic, where the contract
// allows that. What goes wrong behind a panic is its doing, and so the others come first.
func searched(t *inProcess, most int) []record.TaskGraph {
	s := scope{steps: 4, threads: 2, tasks: 3, workers: []int{1, 2, 3}, caps: t.caps, contract: t.contract, most: most}
	if !t.contract.Is("panics", spec.Isolated) {
		list, _ := s.graphs()
		return list
	}
	panics := s
	panics.with, panics.most = record.Panic, max(1, most/5)
	last, _ := panics.graphs()
	s.most = max(1, most-len(last))
	list, _ := s.graphs()
	return append(list, last...)
}
