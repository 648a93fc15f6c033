package checks

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Leave are what a search can leave out: the quiet tail of the scenarios, those of three
// threads, capacities other than the target's own, and batches.
var Leave = []string{"tail", "threads", "sizes", "batches"}

// without returns the facts for a search that leaves something out.
func (f facts) without(what []string) facts {
	for _, w := range what {
		switch w {
		case "tail":
			f.tailless = true
		case "threads":
			f.pairs = true
		case "sizes":
			f.caps.Resize, f.caps.Sizes = false, nil
		case "batches":
			f.caps.Batch, f.caps.PutBatch = false, false
		}
	}
	return f
}

// Search looks for the first fault of a target under its contract: in sequences of
// calls, and then in all interleavings of the scenarios of the enumeration, the small ones
// first. Its error is ctx's, or about a target that cannot be explored at all, or wraps
// suite.ErrHangs.
func Search(ctx context.Context, t Target, l suite.Limits) (suite.Searched, error) {
	f, ok := explorable(t)
	if !ok {
		return suite.Searched{}, errors.New("checks: Search: expected a target that is instrumented")
	}
	s := &search{Limits: l, f: f, facts: factsOf(t).without(l.Without), all: fnv.New64a()}
	if s.Watch == nil {
		s.Watch = func(string) {}
	}
	if s.facts.contract == (spec.Contract{}) {
		return suite.Searched{}, fmt.Errorf("checks: Search: expected a contract, saw %q", s.facts.profile)
	}
	err := s.run(ctx)
	if err == nil {
		err = s.hangs
	}
	if err == nil && s.out.Hit == nil && s.out.Open == "" && s.steps == 0 {
		err = errors.New("checks: Search: the queue made no operation that can be controlled")
	}
	return s.out, err
}

// search is one search.
type search struct {
	suite.Limits
	f     queue.Factory
	facts facts
	out   suite.Searched
	steps int
	hangs error // of an exploration that was given up in a call that does not return
	all   hash.Hash64
}

func (s *search) run(ctx context.Context) error {
	if s.facts.contract.Sizes != spec.Unsaid {
		for _, n := range smallSizes {
			if f := s.facts.size(s.f, n); f != nil {
				s.out.Hit = &suite.Hit{Requirement: f.Requirement, Witness: f.Witness, Scenario: f.Expected, Observed: f.Observed}
				return nil
			}
		}
	}
	sequences := plans.of(s.facts, "sequences", s.Sequences, func() []record.Scenario {
		list, _ := sequencesUpTo(s.facts, s.Sequences)
		waits, _ := waitsInOrder(s.facts)
		return append(list, waits...)
	})
	scenarios := plans.of(s.facts, "scenarios", s.Scenarios, func() []record.Scenario {
		e := newEnumeration(s.facts.beside())
		list, _ := e.plan(effort{usualEffort.sizes, s.Scenarios, 0})
		// Of three threads at least those in which every call changes a queue.
		three := sizes[slices.IndexFunc(sizes, func(of size) bool { return of.threads == 3 })]
		if changes := e.changing(); !e.pairs && !slices.ContainsFunc(list, func(sc record.Scenario) bool { return strings.HasPrefix(sc.Name, three.prefix()) }) && changes.count(three, s.Scenarios) <= s.Scenarios {
			list = append(list, changes.all(three)...)
		}
		if s.facts.contract.StealMiss == spec.Answered {
			more, _ := answered(s.facts.beside())
			list = append(list, more...)
		}
		waits, _ := waitsBeside(s.facts)
		return append(list, waits...)
	})
	for _, pass := range []struct {
		list  []record.Scenario
		one   func(record.Scenario) bool
		count *int
	}{
		{sequences, s.inOrder, &s.out.Sequences},
		{scenarios, s.interleaved, &s.out.Scenarios},
	} {
		for i := range pass.list {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if s.out.Executions >= s.Executions {
				s.out.Open = fmt.Sprintf("%d of %d sequences and %d of %d scenarios were tried", s.out.Sequences, len(sequences), s.out.Scenarios, len(scenarios))
				return nil
			}
			s.Watch(InALine(&pass.list[i]))
			*pass.count++
			if !pass.one(pass.list[i]) {
				return nil
			}
		}
	}
	if !s.Outcomes || s.out.Open != "" {
		return nil
	}
	s.out.Digest = hex.EncodeToString(s.all.Sum(nil))
	return nil
}

// hit notes what an exploration has found.
func (s *search) hit(x *exploring, r interleave.Report, w spec.Witness) {
	if _, why := x.waits(&r); why != "" {
		s.out.Open = fmt.Sprintf("scenario %s: %s", x.s.Name, why)
		return
	}
	f := x.findings(r)[0]
	s.out.Hit = &suite.Hit{Requirement: f.Requirement, Witness: string(w), Scenario: InALine(&x.s), Observed: f.Observed}
}

// after says what an exploration without a fault leaves open. It reports whether there
// is more to be tried.
func (s *search) after(x *exploring, r interleave.Report, err error) bool {
	c := &r.Certificate
	s.out.Executions += c.Executions
	s.steps += c.Steps
	why := ""
	switch {
	case harness.Stuck(err):
		s.hangs = fmt.Errorf("%w: %w", suite.ErrHangs, err)
		return false
	case err != nil:
		s.out.Open = fmt.Sprintf("scenario %s: %v", x.s.Name, err)
		return false // nothing more can be explored, maybe
	case x.unjudged != "":
		why = x.unjudged
	case x.undecided(c) != "":
		why = x.undecided(c)
	case !c.Complete() && c.Steps > 0:
		why = c.String()
	}
	if why != "" && s.out.Open == "" {
		s.out.Open = fmt.Sprintf("scenario %s: %s", x.s.Name, why)
	}
	return true
}

// limit is what is left for one scenario.
func (s *search) limit() interleave.Option {
	return interleave.Executions(min(s.Each, max(1, s.Executions-s.out.Executions)))
}

// interleaved explores a scenario of several threads.
func (s *search) interleaved(sc record.Scenario) bool {
	x := &exploring{profile: s.facts.profile, f: s.f, s: sc, past: make(map[string]bool)}
	// Which call came first is no part of the outcome: two programs that differ in their
	// steps differ in that, though nobody could tell them apart.
	seen := make(map[string]bool)
	if s.Outcomes {
		x.tell = func(h *record.History) { seen[string(outcome(h))] = true }
	}
	r, err := x.run(s.limit(), interleave.Exhaustive())
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		s.all.Write([]byte(key))
	}
	s.all.Write([]byte(sc.Name))
	if err == nil && r.Failure != nil {
		s.out.Executions += r.Certificate.Executions
		s.hit(x, r, spec.Interleave)
		return false
	}
	if err == nil {
		if f := x.unanswered(&r.Certificate); f != nil {
			s.out.Executions += r.Certificate.Executions
			s.out.Hit = &suite.Hit{Requirement: f.Requirement, Witness: string(spec.Interleave), Scenario: InALine(&x.s), Observed: f.Observed}
			return false
		}
	}
	return s.after(x, r, err)
}

// inOrder runs a sequence of calls. One thread makes them all under the explorer, which
// ends a loop that has no end at its bound of steps.
func (s *search) inOrder(sc record.Scenario) bool {
	x := &exploring{profile: s.facts.profile, f: s.f, s: sc}
	const w = spec.Sequence
	plan, err := drive.Prepare(heldTo(sc, s.facts.profile))
	if err != nil {
		s.out.Open = err.Error()
		return false
	}
	r, err := interleave.Explore(func(exec *interleave.Exec) {
		x.wrong = nil
		p, err := drive.NewProgram(s.f, plan, func() int64 { return int64(harness.Count(exec)) })
		if err != nil {
			exec.Fatalf("%v", err)
		}
		x.program = p
		exec.Go("calls", p.InOrder)
		exec.Finally(func() {
			h, err := p.History()
			if err != nil {
				exec.Fatalf("RQ-CRASH: %v", err)
			}
			v := Judge(w, h, x.profile)
			if x.wrong = v.Findings; len(x.wrong) > 0 {
				x.last = x.wrong
				exec.Fatalf("%s: %s", x.wrong[0].Requirement, x.wrong[0].Observed)
			}
			x.unjudged, x.doubt = v.Unjudged, v.Doubt
			s.all.Write(outcome(h))
		})
	}, interleave.Exhaustive())
	if err == nil && r.Failure != nil {
		s.out.Executions += r.Certificate.Executions
		s.hit(x, r, w)
		return false
	}
	return s.after(x, r, err)
}

// outcome is what each call answered, thread by thread, and what was left.
func outcome(h *record.History) []byte {
	var b []byte
	ops := slices.Clone(h.Ops)
	slices.SortStableFunc(ops, func(a, b record.Op) int { return a.Thread - b.Thread })
	for i := range ops {
		op := &ops[i]
		b = fmt.Append(b, op.Thread, string(op.Kind), op.OK, op.Count, op.FromRunnext, op.Out, op.Moved, ";")
	}
	return fmt.Append(b, h.Capacity, h.Final, "\n")
}

// InALine words a scenario on a line, for people.
func InALine(s *record.Scenario) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", s.Name)
	if s.Capacity > 0 {
		fmt.Fprintf(&b, "capacity %d, ", s.Capacity)
	}
	if s.Start > 0 {
		fmt.Fprintf(&b, "start %d, ", s.Start)
	}
	if s.Order != nil {
		at := make([][]record.Instr, len(s.Threads))
		for t := range at {
			at[t], _ = record.ParseScript(s.Threads[t].Script)
		}
		var calls []record.QuietCall
		for _, t := range s.Order {
			calls = append(calls, record.QuietCall{Thread: t, Instr: at[t][0]})
			at[t] = at[t][1:]
		}
		b.WriteString(quietText(calls))
		return b.String()
	}
	if s.Before != "" {
		fmt.Fprintf(&b, "%s, then ", s.Before)
	}
	for i, t := range s.Threads {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteString(t.Script)
	}
	if s.After != "" {
		fmt.Fprintf(&b, ", then %s", s.After)
	}
	return b.String()
}

// plans keeps the last lists of scenarios: a plan depends on what a target offers, and
// many mutants of one offer the same.
var plans planned

type planned map[string][]record.Scenario

func (p *planned) of(f facts, what string, most int, list func() []record.Scenario) []record.Scenario {
	key := fmt.Sprintf("%s %d %+v", what, most, f)
	if l, ok := (*p)[key]; ok {
		return l
	}
	if *p == nil || len(*p) > 8 {
		*p = make(planned)
	}
	l := list()
	(*p)[key] = l
	return l
}
