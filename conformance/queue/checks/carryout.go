package checks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec/record"
)

// work is a check that is being carried out on one target.
type work struct {
	*suite.Task
	check  *check
	target Target
	facts  facts
	out    suite.Outcome
	whole  map[string]int    // by requirement: scenarios that were judged by it to their end
	cut    map[string]string // why a scenario was not
}

// carryOut runs the check's plan. It goes on after a finding. A plan of scenarios that are
// drawn is made longer as long as what it must observe did not come, up to ten times, and as
// long as findings cut scenarios short for the other requirements, up to twice.
func carryOut(ctx context.Context, c *check, t Target, k *suite.Task) suite.Outcome {
	w := &work{Task: k, check: c, target: t, facts: factsOf(t), whole: make(map[string]int), cut: make(map[string]string)}
	w.out = suite.Outcome{Ended: suite.Completed, Complete: c.complete, Seen: make(map[string]int), Judged: make(map[string]int64)}
	for i := 0; i < c.scenarios || i < 10*c.scenarios && c.drawn() && w.short() != "" || i < 2*c.scenarios && c.drawn() && w.lags(); i++ {
		k.Progress("%d of %d", i, c.scenarios)
		if ctx.Err() != nil {
			return w.ended(k.Stopped(ctx, fmt.Sprintf("%d of %d scenarios", i, c.scenarios)))
		}
		s := c.scenario(&gen{k.Rand(i), c.depends(w.facts)}, i)
		if err := w.scenario(ctx, s); err != nil {
			if ctx.Err() != nil {
				return w.ended(k.Stopped(ctx, fmt.Sprintf("%d of %d scenarios", i, c.scenarios)))
			}
			var doubt *undecided
			if errors.As(err, &doubt) {
				return w.ended(suite.Outcome{Ended: suite.Inconclusive, Reason: doubt.Error()})
			}
			return w.ended(suite.Outcome{Ended: suite.Error, Reason: err.Error()})
		}
	}
	if why := w.short(); why != "" {
		return w.ended(suite.Outcome{Ended: suite.Inconclusive, Reason: fmt.Sprintf("seen after %d scenarios: %s", w.out.Scenarios, why)})
	}
	if w.lags() {
		w.out.Cut = make(map[string]string)
		for _, id := range w.Requirements {
			if n := w.whole[id]; n < c.scenarios && !w.Broken(id) {
				w.out.Cut[id] = fmt.Sprintf("%d of %d scenarios were checked to their end; in another: %s", n, w.out.Scenarios, w.cut[id])
			}
		}
	}
	return w.ended(w.out)
}

// ended returns how the check ended, with what it counted.
func (w *work) ended(how suite.Outcome) suite.Outcome {
	w.out.Ended, w.out.Reason = how.Ended, how.Reason
	w.out.Complete = w.out.Complete && how.Ended == suite.Completed
	for name := range w.out.Seen {
		if _, asked := w.check.observe[name]; !asked {
			delete(w.out.Seen, name)
		}
	}
	return w.out
}

// short says which observation has not come often enough, or "".
func (w *work) short() string {
	for _, name := range slices.Sorted(maps.Keys(w.check.observe)) {
		if w.out.Seen[name] < w.check.observe[name] {
			why := fmt.Sprintf("expected %d %s, saw %d", w.check.observe[name], name, w.out.Seen[name])
			if w.facts.kind == suite.Child && slices.Contains(meetings, name) {
				why += ": its threads hardly meet; let each spin until all are there, since one that a barrier parks comes late"
			}
			return why
		}
	}
	return ""
}

// lags reports whether, for some requirement that is not broken, fewer scenarios
// than planned were judged to their end.
func (w *work) lags() bool {
	return slices.ContainsFunc(w.Requirements, func(id string) bool { return w.whole[id] < w.check.scenarios && !w.Broken(id) })
}

// scenario runs one scenario and judges it. An error is ctx's, an *undecided, or the
// harness's.
func (w *work) scenario(ctx context.Context, s record.Scenario) error {
	h, v, err := w.judge(ctx, s)
	if err != nil {
		return err
	}
	w.out.Scenarios++
	if h != nil {
		w.out.Calls += len(h.Ops)
		observe(h, w.out.Seen)
		for id, n := range about(h, w.Requirements) {
			if v.Unjudged == "" || v.has(id) {
				w.out.Judged[id] += n
			}
		}
	}
	for _, id := range w.Requirements {
		if v.Unjudged == "" || v.has(id) {
			w.whole[id]++
		} else {
			w.cut[id] = fmt.Sprintf("scenario %s: %s", s.Name, v.Unjudged)
		}
	}
	if len(v.Findings) > 0 {
		w.check.fails(s)
		if v.smaller != nil {
			s = *v.smaller
		}
		w.report(ctx, s, h, v)
	}
	if v.Doubt != "" {
		return &undecided{v.Doubt}
	}
	return nil
}

// undecided is the error of a witness that came to no verdict.
type undecided struct{ reason string }

func (e *undecided) Error() string { return e.reason }

// judge runs s and has the check's witness look at what happened. A crash is a
// finding. So is a hang that comes again when the scenario, or less of it, is run once
// more; one that does not is undecided, since a pause of the machine looks the same.
func (w *work) judge(ctx context.Context, s record.Scenario) (*record.History, Verdict, error) {
	h, err := w.run(ctx, s)
	var hang, second *queue.HangError
	if errors.As(err, &hang) && hang.Waits != nil && hang.Waits.Others == 0 {
		v := Verdict{Unjudged: restsRightly}
		if f := waiting(hang.Waits, w.facts.contract); f != nil {
			f.Witness = string(w.check.witness)
			v = Verdict{Findings: []record.Finding{*f}, Unjudged: "it did not come to its end"}
		}
		return nil, v, nil
	}
	if hang != nil {
		if w.Found(hangsAs) {
			return h, crashed("/hang", hang.Error(), h, hang.Ops), nil
		}
		less, some := untilHung(s, h)
		if some {
			again, err := w.run(ctx, less)
			if errors.As(err, &second) {
				v := crashed("/hang", fmt.Sprintf("%v (run again; before: no answer within %v)", second, hang.After), again, second.Ops)
				v.smaller = &less
				return again, v, nil
			}
		}
		if h, err = w.run(ctx, s); err == nil {
			return h, Verdict{}, &undecided{fmt.Sprintf("scenario %s: %v; the same scenario ended when it was run again", s.Name, hang)}
		}
		if ctx.Err() != nil {
			return nil, Verdict{}, ctx.Err()
		}
		if !errors.As(err, &second) && !errors.As(err, new(*queue.CrashError)) {
			return h, Verdict{}, fmt.Errorf("%w (after %v)", err, hang)
		}
	}
	var crash *queue.CrashError
	switch {
	case second != nil:
		return h, crashed("/hang", fmt.Sprintf("%v (run again; before: no answer within %v)", second, hang.After), h, second.Ops), nil
	case errors.As(err, &crash):
		observed := crash.Error()
		if hang != nil {
			observed += "; run before: " + hang.Error()
		}
		var ops []record.Op
		if crash.Op.Kind != 0 {
			ops = []record.Op{crash.Op}
		}
		return h, crashed("", observed, nil, ops), nil
	case err != nil:
		return h, Verdict{}, err
	}
	return h, Judge(w.check.witness, h, w.facts.profile), nil
}

// untilHung returns as much of a scenario as was run before a call did not return: of a fixed
// order the calls up to that one, of threads the one that made it, alone. It reports false if that
// is not known, or all.
func untilHung(s record.Scenario, h *record.History) (record.Scenario, bool) {
	if h == nil {
		return s, false
	}
	open := slices.IndexFunc(h.Ops, func(op record.Op) bool { return op.Return == 0 })
	switch {
	case open < 0:
		return s, false
	case s.Order != nil:
		return roll(s, unroll(s)[:min(len(h.Ops), len(s.Order))]), true
	}
	t, made := h.Ops[open].Thread, 0
	for i := range h.Ops {
		if h.Ops[i].Thread == t {
			made++
		}
	}
	alone := s.Threads[t]
	script, err := record.ParseScript(alone.Script)
	if err != nil || s.Before != "" || s.After != "" || len(script) == 0 {
		return s, false
	}
	calls := len(script) * max(1, alone.Repeat) // some more may be made, for room
	script = period(script)
	alone.Script, alone.Repeat = "", (min(made, calls)+len(script)-1)/len(script)
	for _, in := range script {
		alone.Script += in.String()
	}
	s.Threads = []record.Thread{alone}
	return s, s.Check() == nil
}

// period returns the shortest script of which list is so many.
func period(list []record.Instr) []record.Instr {
	for n := 1; n < len(list); n++ {
		if len(list)%n == 0 && slices.Equal(list[n:], list[:len(list)-n]) {
			return list[:n]
		}
	}
	return list
}

// crashed is the verdict on a run that did not come to its end. Its evidence are the last calls of
// h, or ops.
func crashed(what, observed string, h *record.History, ops []record.Op) Verdict {
	if h != nil {
		ops = lastOps(h, -1)
	}
	return Verdict{Unjudged: "it did not come to its end", Findings: []record.Finding{{
		Requirement: "RQ-CRASH", Fingerprint: "RQ-CRASH" + what, Expected: "every call returns", Observed: observed, Evidence: callsOf(ops),
	}}}
}

// run runs s once. The history is held against the scenario: a target that does
// something else has done nothing.
func (w *work) run(ctx context.Context, s record.Scenario) (*record.History, error) {
	s = heldTo(s, w.facts.profile)
	h, err := w.target.Run(ctx, s)
	if ctx.Err() != nil {
		return nil, ctx.Err() // the run's own end is no finding about the target
	}
	if h == nil {
		if err == nil {
			err = fmt.Errorf("checks: scenario %q: %w: expected a history, saw none", s.Name, record.ErrFormat)
		}
		return nil, err
	}
	h.Scenario = s // whatever the target says that it was asked
	bad := h.Check()
	if bad == nil {
		bad = h.Answers() // what it was not asked for is no answer
	}
	if bad != nil && (errors.As(err, new(*queue.HangError)) || w.facts.kind == suite.InProcess && errors.As(err, new(*queue.CrashError))) {
		return nil, err // it was read while its threads were at work, or ends in the middle of what a call tells
	}
	if bad != nil {
		return nil, fmt.Errorf("checks: the target's history of scenario %q: %w", s.Name, bad)
	}
	if err == nil && len(h.Final.Ps) != s.Ps {
		err = fmt.Errorf("checks: the target's history of scenario %q: %w: expected the final contents of %d Ps, saw %d", s.Name, record.ErrFormat, s.Ps, len(h.Final.Ps))
	}
	return h, err
}

// report sends out the findings of one scenario that are new, after making it as
// short as it will go.
func (w *work) report(ctx context.Context, s record.Scenario, h *record.History, v Verdict) {
	fresh := slices.DeleteFunc(slices.Clone(v.Findings), func(f record.Finding) bool { return w.Found(f.Fingerprint) })
	if len(fresh) == 0 {
		return
	}
	if s.Start != 0 && !slices.ContainsFunc(fresh, hangs) && w.wrapOnly(ctx, s) {
		f := fresh[0]
		f.Requirement, f.Expected = "RQ-WRAP", "what the same scenario shows with indices that start at 0"
		f.Fingerprint = "RQ-WRAP/" + f.Fingerprint
		fresh = append([]record.Finding{f}, fresh...)
	}
	for _, f := range fresh {
		w.shrunk(ctx, s, h, f)
	}
}

// shrunk sends a finding out, with a scenario that is as short as it will go. The shorter
// scenario must show the same fingerprint. If it showed another, which may be known
// already, this way to break the requirement would be lost.
func (w *work) shrunk(ctx context.Context, s record.Scenario, h *record.History, f record.Finding) {
	if s.Order != nil && !hangs(f) && f.Requirement != "RQ-WRAP" {
		same := func(g record.Finding) bool { return g.Fingerprint == f.Fingerprint }
		shorter := shrink(ctx, s, func(ctx context.Context, s record.Scenario) bool {
			if !w.facts.ends(&s) {
				return false
			}
			_, v, err := w.judge(ctx, s)
			return err == nil && slices.ContainsFunc(v.Findings, same)
		})
		if h2, v, err := w.judge(ctx, shorter); err == nil {
			if at := slices.IndexFunc(v.Findings, same); at >= 0 {
				s, h, f = shorter, h2, v.Findings[at]
			}
		}
	}
	kept := ""
	if h != nil {
		if data, err := json.Marshal(h); err == nil {
			kept = w.Keep(fmt.Sprintf("%s-%s-%s-%v.json", w.target.Describe().Name, w.check.name, f.Requirement, w.Seed), append(data, '\n'))
		}
	}
	f.Evidence = append(f.Evidence, asked(s))
	if kept != "" {
		f.Again = append(f.Again, record.Again{Kind: record.JudgeAgain, File: kept, Command: fmt.Sprintf("spindle replay -profile %s %s", w.facts.profile, record.Quote(kept))})
	}
	w.Find(f)
}

// hangsAs is the fingerprint of a call that does not return.
const hangsAs = "RQ-CRASH/hang"

func hangs(f record.Finding) bool {
	return f.Fingerprint == hangsAs || waitsForever(f.Requirement)
}

// wrapOnly reports whether s is found at fault only because its indices start near
// their end: from 0 nothing is found, in several runs where threads are free.
func (w *work) wrapOnly(ctx context.Context, s record.Scenario) bool {
	s.Start = 0
	runs := 1
	if s.Order == nil {
		runs = 5
	}
	for range runs {
		if _, v, err := w.judge(ctx, s); len(v.Findings) > 0 || err != nil {
			return false
		}
	}
	return true
}
