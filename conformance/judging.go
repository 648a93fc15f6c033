package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// judging is the part of a run that is about one target.
type judging struct {
	*runner
	target  Target
	desc    Description
	results map[string]CheckResult
	names   []string // of results, in order
	broken  []string // requirement ids with a finding
	hung    bool     // threads were lost inside the target
}

// scenarioTimeout bounds one scenario, which takes milliseconds: a call that
// takes longer hangs. Tests make it short.
var scenarioTimeout = 10 * time.Second

func (j *judging) check(ctx context.Context, c *Check) {
	begin := time.Now()
	res := CheckResult{
		Witness: string(c.Witness), Requirements: c.of(j.desc), Plan: c.Plan(),
		Complete: c.Complete, Seen: make(map[string]int),
	}
	if why := c.lacks(j.desc); why != "" {
		res.Verdict, res.Reason = Skipped, why
	} else if c.Judge != nil {
		e := c.Judge(ctx, func(text string) {
			j.Sink(Event{Event: ProgressEvent, Target: j.desc.Name, Check: c.Name, Text: text})
		})
		e.Result.Witness, e.Result.Requirements, e.Result.Plan = res.Witness, res.Requirements, res.Plan
		res = j.take(c, &e)
	} else if c.Witness == spec.Interleave {
		res = j.explored(c, res)
	} else if j.hung {
		res.Verdict, res.Reason = Inconclusive, "an earlier check left threads hanging in the target"
	} else {
		j.carryOut(ctx, c, &res)
		j.ran++
	}
	if res.Elapsed == 0 {
		res.Elapsed = time.Since(begin)
	}
	for name := range res.Seen {
		if _, asked := c.Observe[name]; !asked {
			delete(res.Seen, name)
		}
	}
	j.results[c.Name] = res
	j.names = append(j.names, c.Name)
	j.Sink(Event{Event: CheckEvent, Target: j.desc.Name, Check: c.Name, Result: &res})
}

// explored takes over what the explorer has found.
func (j *judging) explored(c *Check, res CheckResult) CheckResult {
	target := j.target.(*inProcess)
	e := target.explored[c.Name]
	if e == nil && target.why != "" {
		res.Verdict, res.Reason = Inconclusive, givenUp(target.why)
		return res
	}
	if e == nil {
		res.Verdict, res.Reason = Skipped, "it was not explored"
		return res
	}
	return j.take(c, e)
}

// take takes over what a check came to that was carried out elsewhere.
func (j *judging) take(c *Check, e *Exploration) CheckResult {
	if e.Result.Verdict != Skipped {
		j.ran++
	}
	if len(e.Findings) > 0 {
		j.emit(c, e.History, e.Findings)
	}
	return e.Result
}

// carryOut runs the check's plan. A plan whose observations did not come is
// made longer, up to ten times, before it counts as not carried out.
func (j *judging) carryOut(ctx context.Context, c *Check, res *CheckResult) {
	short := func() string {
		for _, name := range slices.Sorted(mapKeys(c.Observe)) {
			if res.Seen[name] < c.Observe[name] {
				return fmt.Sprintf("%d %s, want %d", res.Seen[name], name, c.Observe[name])
			}
		}
		return ""
	}
	last := time.Now()
	for i := 0; i < c.Scenarios || short() != "" && i < 10*c.Scenarios; i++ {
		if err := ctx.Err(); err != nil {
			res.Verdict = Inconclusive
			res.Reason = fmt.Sprintf("%d of %d scenarios when the budget of %v ended", i, c.Scenarios, j.Budget)
			if errors.Is(err, context.Canceled) {
				res.Reason = fmt.Sprintf("interrupted after %d of %d scenarios", i, c.Scenarios)
			}
			return
		}
		if time.Since(last) > 200*time.Millisecond {
			last = time.Now()
			j.Sink(Event{Event: ProgressEvent, Target: j.desc.Name, Check: c.Name, Text: fmt.Sprintf("%d of %d", i, c.Scenarios)})
		}
		s := c.scenario(newGen(j.Seed, c.Name, i, j.desc), i)
		h, findings, err := j.judge(ctx, c.Witness, s)
		res.Scenarios++
		if h != nil {
			res.Calls += len(h.Ops)
			observe(h, res.Seen)
		}
		if len(findings) > 0 {
			res.Verdict = Fail
			j.report(ctx, c, s, h, findings)
			return
		}
		if err != nil && ctx.Err() == nil {
			res.Verdict, res.Reason = Error, err.Error()
			var doubt *Doubt
			if errors.As(err, &doubt) {
				res.Verdict = Inconclusive
			}
			return
		}
	}
	if why := short(); why != "" {
		res.Verdict, res.Reason = Inconclusive, fmt.Sprintf("seen after %d scenarios: %s", res.Scenarios, why)
		return
	}
	res.Verdict = Pass
}

// A Doubt is the error of a witness that came to no verdict.
type Doubt struct{ Reason string }

func (e *Doubt) Error() string { return e.Reason }

// judge runs s and has witness w look at what happened. A crash and a hang are
// findings; other errors are the harness's, or a *Doubt.
func (j *judging) judge(ctx context.Context, w spec.Witness, s record.Scenario) (*record.History, []record.Finding, error) {
	ctx, cancel := context.WithTimeout(ctx, scenarioTimeout)
	defer cancel()
	h, err := j.target.Run(ctx, s)
	if h != nil {
		h.Scenario = s // whatever the target says that it was asked
		bad := h.Check()
		if bad == nil {
			bad = h.Answers()
		}
		if bad != nil {
			return nil, nil, fmt.Errorf("conformance: the target's history of scenario %q: %w", s.Name, bad)
		}
	}
	var crash *queue.CrashError
	var hang *queue.HangError
	switch {
	case errors.As(err, &crash):
		f := record.Finding{Requirement: "RQ-CRASH", Witness: string(w), Expected: "every call returns", Observed: crash.Error()}
		if crash.Op.Kind != 0 {
			f.Ops = []record.Op{crash.Op}
		}
		return h, []record.Finding{f}, nil
	case errors.As(err, &hang):
		j.hung = true
		return h, []record.Finding{{Requirement: "RQ-CRASH", Witness: string(w), Expected: "every call returns", Observed: hang.Error(), Ops: hang.Ops}}, nil
	case err != nil:
		return h, nil, err
	case h == nil || len(h.Final.Ps) != s.Ps:
		return nil, nil, fmt.Errorf("conformance: the target's history of scenario %q: %w: expected the final contents of %d Ps", s.Name, record.ErrFormat, s.Ps)
	}
	findings, err := Judge(w, h, j.desc.Profile)
	return h, findings, err
}

// report emits the findings of one scenario, after making it as short as it
// will go.
func (j *judging) report(ctx context.Context, c *Check, s record.Scenario, h *record.History, findings []record.Finding) {
	if s.Order != nil && !j.hung {
		id := findings[0].Requirement
		shrunk := shrink(ctx, s, func(s record.Scenario) bool {
			_, fs, _ := j.judge(ctx, c.Witness, s)
			return slices.ContainsFunc(fs, func(f record.Finding) bool { return f.Requirement == id })
		})
		if h2, fs, _ := j.judge(ctx, c.Witness, shrunk); len(fs) > 0 {
			s, h, findings = shrunk, h2, fs
		}
	}
	if s.Start != 0 && !j.hung && j.wrapOnly(ctx, c, s) {
		f := findings[0]
		f.Requirement, f.Expected = "RQ-WRAP", "what the same scenario shows with indices that start at 0"
		findings = append([]record.Finding{f}, findings...)
	}
	j.emit(c, h, findings)
}

// emit sends findings out, with what shows them again.
func (j *judging) emit(c *Check, h *record.History, findings []record.Finding) {
	kept := ""
	if j.Keep != nil && h != nil {
		kept = j.Keep(j.desc.Name, c.Name, h)
	}
	for i := range findings {
		f := &findings[i]
		f.History = h
		again := f.Replay // of who found it
		if f.Replay = j.Again(j.desc, c.Name, j.Seed); again != "" {
			f.Replay += "\n" + again
		}
		if kept != "" {
			f.Replay += fmt.Sprintf("\nspindle replay -profile %s %s", j.desc.Profile, kept)
		}
		j.found++
		if !slices.Contains(j.broken, f.Requirement) {
			j.broken = append(j.broken, f.Requirement)
		}
		j.Sink(Event{Event: FindingEvent, Target: j.desc.Name, Check: c.Name, Finding: f})
	}
}

// wrapOnly reports whether s is found at fault only because its indices start
// near their end: from 0, nothing is found in a few runs.
func (j *judging) wrapOnly(ctx context.Context, c *Check, s record.Scenario) bool {
	s.Start = 0
	runs := 1
	if s.Order == nil {
		runs = 5
	}
	for range runs {
		if _, fs, err := j.judge(ctx, c.Witness, s); len(fs) > 0 || err != nil {
			return false
		}
	}
	return true
}
