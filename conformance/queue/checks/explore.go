package checks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The witness interleave: every interleaving of the steps of small scenarios, on
// the queue's own code. Each execution gives a history, which is judged like one
// of real threads: ids are counted, and a moment is looked for in each call. A
// call begins with its first step and ends with its last, the narrowest that any
// clock could have measured.

// executions is the plan for one scenario: to exhaust it, or so many executions.
// SPINDLE_LONG=1 exhausts what takes minutes.
func (c *check) executions() int {
	if c.bound > 0 {
		return c.bound
	}
	if os.Getenv("SPINDLE_LONG") == "1" {
		return 5_000_000
	}
	return 50_000
}

// exploreAll explores the check's scenarios. After a finding it explores the
// scenario again and looks past that requirement, so that one fault does not hide
// another.
func exploreAll(ctx context.Context, c *check, t Target, f queue.Factory, k *suite.Task) suite.Outcome {
	out := suite.Outcome{Ended: suite.Completed, Complete: true, Judged: make(map[string]int64), Cut: make(map[string]string)}
	ended := func(how suite.Outcome) suite.Outcome {
		out.Ended, out.Reason, out.Complete = how.Ended, how.Reason, false
		return out
	}
	var sum interleave.Certificate
	facts := factsOf(t)
	for i := range c.scenarios {
		k.Progress("%d of %d", i, c.scenarios)
		s := c.scenario(&gen{k.Rand(i), facts}, i)
		x := exploring{profile: facts.profile, f: f, s: s, ids: k.Requirements, past: make(map[string]bool)}
		for {
			if ctx.Err() != nil {
				return ended(k.Stopped(ctx, fmt.Sprintf("%d of %d scenarios", i, c.scenarios)))
			}
			report, err := x.run(interleave.Executions(c.executions()))
			out.Executions += report.Certificate.Executions
			out.Calls += x.calls
			switch {
			case harness.Refused(err):
				return ended(suite.Outcome{Ended: suite.Skipped, Reason: "its interleavings cannot be explored: " + strings.TrimPrefix(err.Error(), "interleave: ")})
			case errors.Is(err, interleave.ErrUncontrolled):
				return ended(suite.Outcome{Ended: suite.Inconclusive, Reason: givenUp(strings.TrimPrefix(err.Error(), "interleave: "))})
			case err != nil:
				return ended(suite.Outcome{Ended: suite.Error, Reason: err.Error()})
			}
			if report.Failure == nil {
				if why := x.undecided(&report.Certificate); why != "" {
					return ended(suite.Outcome{Ended: suite.Inconclusive, Reason: why})
				}
				sum.Add(report.Certificate)
				break
			}
			c.fails(s)
			found := x.findings(report)
			if !slices.ContainsFunc(found, func(f record.Finding) bool { return k.Found(f.Fingerprint) }) {
				found = x.smaller(report)
			}
			for _, f := range found {
				k.Find(f)
			}
			if !x.look(past(found)) { // a crash or a race: there is no looking past it
				x.unjudged = found[0].Requirement + " ended its exploration"
				break
			}
		}
		out.Scenarios++
		for id, n := range x.judged {
			out.Judged[id] += n
		}
		if x.unjudged != "" {
			for _, id := range k.Requirements {
				if !k.Broken(id) {
					out.Cut[id] = fmt.Sprintf("scenario %s: %s", s.Name, x.unjudged)
				}
			}
		}
	}
	out.Complete = sum.Complete() && sum.Cuts.Iterations == 0 && len(out.Cut) == 0
	out.Note = sum.String()
	return out
}

// past returns the requirements of findings that the judge can look past: not a
// crash, not a race.
func past(found []record.Finding) []string {
	var ids []string
	for _, f := range found {
		if f.Requirement != "RQ-CRASH" && f.Requirement != "RQ-RACE" {
			ids = append(ids, f.Requirement)
		}
	}
	return ids
}

// givenUp words why nothing is known of the interleavings of a queue. A test that
// is not meant to look at them says so by Only.
func givenUp(why string) string {
	return "the exploration of interleavings was given up: " + why + " (conformance.Only names checks that do without)"
}

// undecided says why an exploration that saw nothing wrong shows nothing, or "".
func (x *exploring) undecided(c *interleave.Certificate) string {
	switch {
	case c.Steps == 0:
		return givenUp("the queue made no operation that can be controlled: its code must be in the module under test")
	case x.doubt != "":
		return x.doubt
	case len(c.Doubts) > 0:
		return c.String()
	}
	return ""
}

// exploring is the exploration of one scenario.
type exploring struct {
	profile  spec.Profile
	f        queue.Factory
	s        record.Scenario
	ids      []string         // by which it is judged
	past     map[string]bool  // requirements that are known to be broken here
	seen     map[uint64]bool  // histories that were judged, and say nothing new
	judged   map[string]int64 // by requirement: calls of different histories
	wrong    []record.Finding // of the last history
	unjudged string
	doubt    string
	calls    int
}

func (x *exploring) run(opts ...interleave.Option) (interleave.Report, error) {
	x.seen, x.judged, x.calls = make(map[uint64]bool), make(map[string]int64), 0
	return interleave.Explore(x.body, opts...)
}

// look has the next run look past the requirements. It reports whether there was
// one that the last run did not look past.
func (x *exploring) look(past []string) bool {
	fresh := false
	for _, id := range past {
		fresh = fresh || !x.past[id]
		x.past[id] = true
	}
	return fresh
}

func (x *exploring) body(exec *interleave.Exec) {
	x.wrong = nil
	p, err := drive.NewProgram(x.f, x.s, func() int64 { return int64(harness.Count(exec)) })
	if err != nil {
		exec.Fatalf("%v", err)
	}
	for i := range x.s.Threads {
		exec.Go(fmt.Sprintf("T%d", i), func() { p.Thread(i) })
	}
	exec.Finally(func() {
		h, err := p.History()
		if err != nil {
			exec.Fatalf("RQ-CRASH: %v", err)
		}
		x.calls += len(h.Ops)
		if !retime(exec, h) {
			return // no step was seen: nothing says which call came first
		}
		key := fingerprint(h)
		if x.seen[key] {
			return
		}
		v := Judge(spec.Interleave, h, x.profile)
		x.wrong = slices.DeleteFunc(v.Findings, func(f record.Finding) bool { return x.past[f.Requirement] })
		if len(x.wrong) > 0 {
			exec.Fatalf("%s: %s", x.wrong[0].Requirement, x.wrong[0].Observed)
		}
		if v.Doubt != "" {
			x.doubt = v.Doubt
		}
		if v.Unjudged != "" {
			x.unjudged = v.Unjudged
		}
		for id, n := range about(h, x.ids) {
			x.judged[id] += n
		}
		x.seen[key] = true
	})
}

// findings are those of the report, whose execution was the last that was run.
func (x *exploring) findings(r interleave.Report) []record.Finding {
	fs := slices.Clone(x.wrong)
	f := r.Failure
	if f.Kind != "assertion" || len(fs) == 0 {
		fs = []record.Finding{{
			Requirement: "RQ-CRASH", Expected: "every call returns",
			Observed: fmt.Sprintf("%s in %s: %s", f.Kind, f.Thread, f.Message),
		}}
		if f.Kind == "data race" {
			fs[0].Requirement, fs[0].Expected = "RQ-RACE", "no two accesses that nothing orders, one of them a write"
			fs[0].Observed = f.Message
		}
	}
	for i := range fs {
		fs[i].Witness = string(spec.Interleave)
		if fs[i].Fingerprint == "" {
			fs[i].Fingerprint = fs[i].Requirement
		}
		if i == 0 {
			fs[i].Evidence = append(slices.Clone(fs[i].Evidence), asked(x.s), record.Evidence{Kind: record.Steps, Execution: lastSteps(r.Execution)})
		}
	}
	return fs
}

// maxSteps bounds the steps that a finding carries: an execution that has no end, up
// to a bound, has tens of thousands.
const maxSteps = 1000

// lastSteps returns the execution with its last steps alone, if it is long.
func lastSteps(x *record.Execution) *record.Execution {
	if x == nil || len(x.Steps) <= maxSteps {
		return x
	}
	left := len(x.Steps) - maxSteps
	short := *x
	short.Steps = slices.Clone(x.Steps[left:])
	short.Steps[0].Switch = fmt.Sprintf("the %d steps before are left out", left)
	return &short
}

// retime gives the calls of h, whose stamps are how many steps their thread had
// made, the positions of their first and their last step, numbered from 1. It
// reports whether there was a step.
func retime(x *interleave.Exec, h *record.History) (stepped bool) {
	var stamps []int64
	at := make([][]int, len(h.Scenario.Threads))
	made := make([]int64, len(at)) // calls without a step, since the last step
	for t := range at {
		at[t] = harness.Positions(x, t)
		stepped = stepped || len(at[t]) > 0
	}
	const wide = 1 << 20
	for i := range h.Ops {
		op := &h.Ops[i]
		before, after, steps := int(op.Call), int(op.Return), at[op.Thread]
		switch {
		case after > before:
			op.Call, op.Return = wide*int64(steps[before]+1), wide*int64(steps[after-1]+1)+1
			made[op.Thread] = 1
		default:
			last := int64(0)
			if before > 0 {
				last = wide * int64(steps[before-1]+1)
			}
			made[op.Thread]++
			op.Call, op.Return = last+2*made[op.Thread], last+2*made[op.Thread]+1
		}
		stamps = append(stamps, op.Call, op.Return)
	}
	slices.Sort(stamps)
	stamps = slices.Compact(stamps)
	rank := func(v int64) int64 {
		n, _ := slices.BinarySearch(stamps, v)
		return int64(n + 1)
	}
	for i := range h.Ops {
		h.Ops[i].Call, h.Ops[i].Return = rank(h.Ops[i].Call), rank(h.Ops[i].Return)
	}
	slices.SortStableFunc(h.Ops, func(a, b record.Op) int { return int(a.Call - b.Call) })
	return stepped
}

// fingerprint is the same for histories that are the same, stamps and all.
func fingerprint(h *record.History) uint64 {
	w := fnv.New64a()
	enc := json.NewEncoder(w)
	for i := range h.Ops {
		enc.Encode(&h.Ops[i])
	}
	enc.Encode(&h.Final)
	return w.Sum64()
}

// smaller returns the findings of a smaller scenario that breaks the same
// requirement, without some of the threads and calls, or those of the report.
func (x *exploring) smaller(r interleave.Report) []record.Finding {
	found := x.findings(r)
	best := x.s
	deadline := time.Now().Add(3 * time.Second)
	for again := true; again; {
		again = false
		for _, s := range lessOf(best) {
			if time.Now().After(deadline) {
				return found
			}
			y := exploring{profile: x.profile, f: x.f, s: s, past: x.past}
			small, err := y.run(interleave.Executions(2000))
			if err != nil || small.Failure == nil {
				continue
			}
			if fs := y.findings(small); fs[0].Requirement == found[0].Requirement {
				best, found, again = s, fs, true
				break
			}
		}
	}
	return found
}

// lessOf returns the scenarios that lack one thread or one call of s.
func lessOf(s record.Scenario) []record.Scenario {
	var list []record.Scenario
	for t := range s.Threads {
		ins, _ := record.ParseScript(s.Threads[t].Script)
		if len(s.Threads) > 1 {
			less := s
			less.Threads = slices.Delete(slices.Clone(s.Threads), t, t+1)
			list = append(list, less)
		}
		for i := range ins {
			if len(ins) == 1 {
				break
			}
			var b strings.Builder
			for j, in := range ins {
				if j != i {
					b.WriteString(in.String())
				}
			}
			less := s
			less.Threads = slices.Clone(s.Threads)
			less.Threads[t].Script = b.String()
			list = append(list, less)
		}
	}
	return list
}

// Explore judges t in the interleavings of one scenario that opts choose, by
// default all of them.
func Explore(ctx context.Context, t Target, s record.Scenario, opts ...interleave.Option) (suite.Outcome, []record.Finding) {
	f, ok := explorable(t)
	if !ok {
		panic("checks: Explore of a target that is not instrumented")
	}
	x := exploring{profile: factsOf(t).profile, f: f, s: s, past: make(map[string]bool)}
	report, err := x.run(opts...)
	out := suite.Outcome{Ended: suite.Completed, Scenarios: 1, Executions: report.Certificate.Executions, Calls: x.calls, Note: report.Certificate.String()}
	switch {
	case err != nil:
		out.Ended, out.Reason = suite.Error, err.Error()
	case report.Failure != nil:
		return out, x.findings(report)
	default:
		if why := x.undecided(&report.Certificate); why != "" {
			out.Ended, out.Reason = suite.Inconclusive, why
		}
	}
	return out, nil
}
