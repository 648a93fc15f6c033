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
	return searching(t, l, func(s *search) error { return s.run(ctx) })
}

// SearchGraph is Search in one task graph, in at most so many executions.
func SearchGraph(t Target, g record.TaskGraph, executions int) (suite.Searched, error) {
	return searching(t, suite.Limits{}, func(s *search) error {
		_, err := s.graph(g, executions, 0)
		return err
	})
}

// searching makes a search of an instrumented target, and runs it.
func searching(t Target, l suite.Limits, run func(*search) error) (suite.Searched, error) {
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
	err := run(&s)
	if err == nil && s.out.Hit == nil && s.out.Open == "" && s.steps == 0 {
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
	over  bool // nothing more is to be tried
}

func (s *search) run(ctx context.Context) error {
	list := enumerated(s.t, s.Scenarios)
	if over, err := s.rests(ctx, list); over || err != nil {
		return err
	}
	// All graphs have a little first: most faults show soon, if the graph is one that can show them. What is left goes to the largest, in
	// which more can come together, if threads stand still for long enough.
	complete := make([]bool, len(list))
	each, budget := s.Each, s.Executions
	if each > firstRound {
		each, budget = firstRound, budget/2
	}
	for round := range 2 {
		for i := range list {
			if round > 0 {
				i = len(list) - 1 - i
			}
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case complete[i] || s.over:
				continue
			case s.out.Executions >= budget:
				if round == 0 {
					s.out.Open = fmt.Sprintf("%d of %d graphs were tried", i, len(list))
				}
				continue
			}
			if round == 0 {
				s.out.Scenarios++
			}
			var err error
			if complete[i], err = s.graph(list[i], min(each, budget-s.out.Executions), uint64(round)); err != nil {
				return err
			}
		}
		if each == s.Each {
			break
		}
		each, budget = s.Each, s.Executions
	}
	return nil
}

// rests looks whether the scheduler comes to rest behind the smallest graphs, and reports whether nothing more is to be tried.
func (s *search) rests(ctx context.Context, list []record.TaskGraph) (over bool, err error) {
	tasksEnd := true
	for _, g := range list[:min(len(list), restGraphs)] {
		for _, rest := range rests {
			if !tasksEnd {
				return false, nil // that is a matter of the graphs as they are
			}
			s.Watch("at rest behind " + g.Name)
			x := exploring{t: s.t, g: g}
			n, judged, f, err := x.rests(ctx, rest)
			s.out.Executions += n
			tasksEnd = judged == n
			switch {
			case ctx.Err() != nil:
				return true, ctx.Err()
			case harness.Stuck(err):
				return true, fmt.Errorf("%w: %w", suite.ErrHangs, err)
			case err != nil:
				s.open("at rest behind graph %s: %v", g.Name, err)
				return true, nil
			case f != nil:
				s.found(&x, *f)
				return true, nil
			}
		}
	}
	return false, nil
}

// firstRound is how many executions a graph has in the first round.
const firstRound = 100

// graph explores a graph, and reports whether nothing of it is left.
func (s *search) graph(g record.TaskGraph, executions int, round uint64) (complete bool, err error) {
	s.Watch(g.Name)
	x := exploring{t: s.t, g: g}
	run := x.run
	if round > 0 {
		run = x.byChance
	}
	r, err := run(executions, interleave.Seed(round))
	c := &r.Certificate
	s.out.Executions += c.Executions
	s.steps += c.Steps
	switch {
	case harness.Stuck(err):
		return false, fmt.Errorf("%w: %w", suite.ErrHangs, err)
	case err != nil:
		s.over = true // nothing more can be explored, maybe
		s.open("graph %s: %v", g.Name, err)
	case r.Failure != nil:
		if s.over = s.hit(&x, r); !s.over {
			s.open("%s", untold(g.Name, r.Failure.Message))
		}
	case !c.Complete():
		s.open("graph %s: %v", g.Name, c)
	}
	return c.Complete(), nil
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

// Enumerate has the graphs of a search made before it, which takes seconds: it is for who bounds the time of an execution from outside.
func Enumerate(t Target, l suite.Limits) {
	if in, ok := t.(*inProcess); ok {
		enumerated(in, l.Scenarios)
	}
}

// enumerated are those of searched. Many mutants of one design have the same.
func enumerated(t *inProcess, most int) []record.TaskGraph {
	if t.most != most {
		t.searched, t.most = searched(t, most), most
	}
	return t.searched
}

// searched are the graphs of a search, so many at most: the smallest, then of those that are larger as many, spread over all of them, and last
// those by hand, in which more comes together. Where the contract allows that tasks panic, each fifth is one in which they do: not
// the first, since what goes wrong behind a panic is its doing.
func searched(t *inProcess, most int) (list []record.TaskGraph) {
	s := scope{steps: 4, threads: 2, tasks: 3, workers: []int{1, 2, 3}, caps: t.caps, contract: t.contract, most: 10 * most}
	spread := func(most int) []record.TaskGraph {
		all, _ := s.graphs()
		if len(all) <= most {
			return all
		}
		list, rest := all[:most/2:most/2], all[most/2:]
		for n, i := most-len(list), 0; i < n; i++ {
			list = append(list, rest[i*len(rest)/n])
		}
		return list
	}
	hand, inPanics := together(factsOf(t)), 0
	if t.contract.Is("panics", spec.Isolated) {
		inPanics = most / 5
	}
	calm := spread(max(1, most-inPanics-len(hand)))
	if inPanics == 0 {
		return append(calm, hand...)
	}
	s.with = record.Panic
	panics := spread(inPanics)
	for len(calm)+len(panics) > 0 {
		n := min(4, len(calm))
		list, calm = append(list, calm[:n]...), calm[n:]
		n = min(1, len(panics))
		list, panics = append(list, panics[:n]...), panics[n:]
	}
	return append(list, hand...)
}
