package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/show"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The witness interleave: every interleaving of the steps of small scenarios, on
// the queue's own code. Each execution gives a history, which is judged like one
// of real threads: ids are counted, and a moment is looked for in each call. A
// call begins with its first step and ends with its last, the narrowest that any
// clock could have measured.

// An Exploration is what one check came to that explores: the executions of a
// queue's code, or the states of a machine.
type Exploration struct {
	Check    string
	Result   CheckResult
	Findings []record.Finding
	History  *record.History // of the findings
}

// executionsPlanned is the plan for one scenario: to exhaust it, or so many
// executions. SPINDLE_LONG=1 exhausts what takes minutes.
func executionsPlanned() int {
	if os.Getenv("SPINDLE_LONG") == "1" {
		return 5_000_000
	}
	return 50_000
}

// explore carries out the checks of the witness interleave on f, in a process
// whose code is instrumented.
func explore(ctx context.Context, d Description, f queue.Factory, checks []Check) []Exploration {
	var all []Exploration
	for i := range checks {
		c := checks[i].forTarget(d)
		if !c.explores(d) {
			continue
		}
		e := Exploration{Check: c.Name, Result: CheckResult{Witness: string(c.Witness), Requirements: c.of(d), Plan: c.Plan(), Complete: true}}
		begin := time.Now()
		e.carryOut(ctx, c, d, f)
		e.Result.Elapsed = time.Since(begin)
		all = append(all, e)
	}
	return all
}

// carryOut explores the check's scenarios, up to the first that is at fault.
func (e *Exploration) carryOut(ctx context.Context, c *Check, d Description, f queue.Factory) {
	res := &e.Result
	var sum interleave.Certificate
	for i := range c.Scenarios {
		s := c.scenario(newGen(0, c.Name, i, d), i)
		if ctx.Err() != nil {
			res.Verdict, res.Reason = Inconclusive, fmt.Sprintf("%d of %d scenarios when the budget ended", i, c.Scenarios)
			return
		}
		x := exploring{d: d, f: f, s: s}
		report, err := x.run(interleave.Executions(executionsPlanned()))
		res.Scenarios++
		res.Executions += report.Certificate.Executions
		res.Calls += x.calls
		switch {
		case errors.Is(err, interleave.ErrUncontrolled):
			res.Verdict, res.Reason = Inconclusive, givenUp(strings.TrimPrefix(err.Error(), "interleave: "))
			return
		case err != nil:
			res.Verdict, res.Reason = Error, err.Error()
			return
		case report.Failure != nil:
			res.Verdict, res.Complete = Fail, false
			x, report = x.smaller(report)
			e.Findings, e.History = x.findings(report), x.last
			return
		case report.Certificate.Steps == 0:
			res.Verdict, res.Reason = Inconclusive, givenUp("the queue made no operation that can be controlled: its code must be in the module under test")
			return
		case x.doubt != "":
			res.Verdict, res.Reason = Inconclusive, x.doubt
			return
		case len(report.Certificate.Doubts) > 0:
			res.Verdict, res.Reason = Inconclusive, report.Certificate.String()
			return
		}
		sum.Add(report.Certificate)
	}
	res.Verdict = Pass
	res.Complete = sum.Complete() && sum.Cuts.Iterations == 0
	res.Note = sum.String()
}

// givenUp words why nothing is known of the interleavings of a queue. A test that
// is not meant to look at them says so by Only.
func givenUp(why string) string {
	return "the exploration of interleavings was given up: " + why + " (conformance.Only names checks that do without)"
}

// exploring is the exploration of one scenario.
type exploring struct {
	d     Description
	f     queue.Factory
	s     record.Scenario
	seen  map[uint64]bool // histories that were judged and are right
	last  *record.History // the last that was wrong
	wrong []record.Finding
	doubt string
	calls int
}

func (x *exploring) run(opts ...interleave.Option) (interleave.Report, error) {
	x.seen = make(map[uint64]bool)
	return interleave.Explore(x.body, opts...)
}

func (x *exploring) body(exec *interleave.Exec) {
	x.last, x.wrong = nil, nil
	p, err := queue.NewProgram(x.f, x.s, func() int64 { return int64(harness.Count(exec)) })
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
		retime(exec, h)
		x.calls += len(h.Ops)
		key := fingerprint(h)
		if x.seen[key] {
			return
		}
		x.wrong, err = Judge(spec.Interleave, h, x.d.Profile)
		if len(x.wrong) > 0 {
			x.last = h
			exec.Fatalf("%s: %s", x.wrong[0].Requirement, x.wrong[0].Observed)
		}
		if err != nil {
			x.doubt = err.Error()
		}
		x.seen[key] = true
	})
}

// findings are those of the report, whose execution was the last that was run.
func (x *exploring) findings(r interleave.Report) []record.Finding {
	fs := x.wrong
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
		if i == 0 {
			fs[i].Execution = r.Execution
		}
	}
	return fs
}

// retime gives the calls of h, whose stamps are how many steps their thread had
// made, the positions of their first and their last step, numbered from 1.
func retime(x *interleave.Exec, h *record.History) {
	var stamps []int64
	at := make([][]int, len(h.Scenario.Threads))
	made := make([]int64, len(at)) // calls without a step, since the last step
	for t := range at {
		at[t] = harness.Positions(x, t)
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

// smaller looks for a smaller scenario that breaks the same requirement: without
// one of its threads, or one of its calls.
func (x exploring) smaller(r interleave.Report) (exploring, interleave.Report) {
	id := x.findings(r)[0].Requirement
	deadline := time.Now().Add(3 * time.Second)
	for again := true; again; {
		again = false
		for _, s := range lessOf(x.s) {
			if time.Now().After(deadline) {
				return x, r
			}
			y := exploring{d: x.d, f: x.f, s: s}
			small, err := y.run(interleave.Executions(2000))
			if err == nil && small.Failure != nil && y.findings(small)[0].Requirement == id {
				x, r, again = y, small, true
				break
			}
		}
	}
	return x, r
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

// Interleave judges the queues of f in the interleavings of one small scenario:
// all of them, or those that opts choose. It fails t with the requirement that is
// broken. The code under test is explored as TestQueue explores it.
func Interleave(t testing.TB, p spec.Profile, f queue.Factory, s record.Scenario, opts ...interleave.Option) {
	t.Helper()
	if schedule := os.Getenv(harness.ScheduleVar); schedule != "" {
		opts = append(opts, interleave.Schedule(schedule))
	}
	target, err := InProcess(t.Name(), p, f)
	if err != nil {
		t.Fatalf("conformance: %v", err)
	}
	payload, err := harness.Remote(t, func() ([]byte, error) {
		x := exploring{d: target.Describe(), f: f, s: s}
		report, err := x.run(opts...)
		if err != nil {
			return json.Marshal(Exploration{Result: CheckResult{Verdict: Error, Reason: err.Error()}})
		}
		e := Exploration{Result: CheckResult{Note: report.Certificate.String(), Verdict: Pass}}
		if x.doubt != "" {
			e.Result.Verdict, e.Result.Reason = Inconclusive, x.doubt
		} else if len(report.Certificate.Doubts) > 0 {
			e.Result.Verdict, e.Result.Reason = Inconclusive, report.Certificate.String()
		}
		if report.Failure != nil {
			e.Result.Verdict = Fail
			e.Findings = x.findings(report)
			e.Findings[0].Replay = harness.Reproduce(t, report.Failure.Schedule)
		}
		return json.Marshal(e)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return
	}
	var e Exploration
	if err := json.Unmarshal(payload, &e); err != nil {
		t.Fatalf("conformance: what the explorer sent cannot be read: %v", err)
	}
	for i := range e.Findings {
		text, _ := show.Finding(&e.Findings[i], false, "")
		t.Errorf("%s\n%s", e.Findings[i].Requirement, text)
	}
	switch e.Result.Verdict {
	case Error:
		t.Error(e.Result.Reason)
	case Inconclusive:
		t.Errorf("inconclusive: %s", e.Result.Reason)
	default:
		t.Log(e.Result.Note)
	}
}
