package checks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/frames"
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
	switch {
	case suite.Long() && c.enumerates != nil:
		return 200_000 // there are many of them
	case suite.Long():
		return 5_000_000
	}
	return 50_000
}

// exploreAll explores the check's scenarios. After a finding it explores the
// scenario again and looks past that requirement, so that one fault does not hide
// another.
func exploreAll(ctx context.Context, c *check, t Target, f queue.Factory, k *suite.Task) suite.Outcome {
	e := &exploration{Task: k, check: c, f: f, facts: factsOf(t), first: -1, hung: new(atomic.Int32)}
	in, ok := t.(*inProcess)
	if ok {
		e.hung = &in.hung
	}
	e.out = suite.Outcome{Ended: suite.Completed, Complete: true, Judged: make(map[string]int64), Cut: make(map[string]string)}
	part, _ := c.partOf(t)
	for i := range c.scenarios {
		if !inPart(i, part) {
			continue
		}
		k.Progress("%d of %d", i, c.scenarios)
		if c.enumerates != nil {
			e.agree(part)
		}
		if e.first >= 0 && c.enumerates != nil && i > 2*e.first+200*part.Of && e.facts.effort() != longEffort {
			e.cut(fmt.Sprintf("%d of %d scenarios were explored: the others come too long after the first finding; SPINDLE_LONG=1 goes on", i, c.scenarios))
			break
		}
		if how := e.scenario(ctx, i); how != nil {
			e.out.Ended, e.out.Reason, e.out.At, e.out.Complete = how.Ended, how.Reason, i+1, false
			break
		}
	}
	e.out.Complete = e.out.Complete && !e.some && e.sum.Complete() && e.sum.Cuts.Iterations == 0 && len(e.out.Cut) == 0
	certificate := Certificate{c.name, c.which, e.sum, e.some}
	e.out.Note = certificate.note(e.out.Complete)
	if ok {
		in.certificates = append(in.certificates, certificate)
	}
	if e.out.Ended == suite.Completed && e.first < 0 && e.sum.Steps == 0 && part.Of == 1 {
		e.out.Ended, e.out.Complete, e.out.Reason = suite.Inconclusive, false, noSteps()
	}
	return e.out
}

// inPart reports whether scenario number i belongs to a part. Not every second one does:
// these have one kind of states in common.
func inPart(i int, part harness.Part) bool { return i*0x9e3779b1>>16%part.Of == part.I }

// agree tells the other processes which scenario was the first that something was found
// in, or learns it from them.
func (e *exploration) agree(part harness.Part) {
	if part.Dir == "" || e.agreed {
		return
	}
	name := filepath.Join(part.Dir, "first-"+strings.ReplaceAll(e.check.name, "/", "-"))
	if e.first >= 0 {
		e.agreed = true
		os.WriteFile(name, fmt.Append(nil, e.first), 0o600)
		return
	}
	if e.looks++; e.looks%16 == 0 {
		if text, err := os.ReadFile(name); err == nil {
			if n, err := strconv.Atoi(string(text)); err == nil {
				e.first, e.agreed = n, true
			}
		}
	}
}

// smallerBy says what would make the scenarios of a target smaller.
func smallerBy(f facts) string {
	switch {
	case f.caps.Capacity > 4 && !f.caps.Resize:
		return fmt.Sprintf("; a ring of %d takes long to fill: conformance.TestBounded checks small ones", f.caps.Capacity)
	case suite.Long():
		return "; without SPINDLE_LONG=1 there are fewer"
	}
	return "; go test -short explores fewer, conformance.Budget gives more time, and Only leaves checks out"
}

// An exploration is a check of the witness interleave that is being carried out.
type exploration struct {
	*suite.Task
	check *check
	f     queue.Factory
	facts facts
	out   suite.Outcome
	sum   interleave.Certificate
	first int // the number of the first scenario that something was found in, or -1
	// agreed says that all processes know it; looks counts how often that was asked.
	agreed bool
	some   bool // not all orders of the calls of some execution were judged
	looks  int
	hung   *atomic.Int32 // by all checks of this process: scenarios in which a call at a quiet moment did not return
}

// mostHangs is how many scenarios with a call at a quiet moment that does not return end a check. They are counted over all checks
// of a process: later ones end at their first.
const mostHangs = 2

// cut says why the plan is not carried out for the requirements that are not broken.
func (e *exploration) cut(why string) {
	for _, id := range e.Requirements {
		if !e.Broken(id) {
			e.out.Cut[id] = why
		}
	}
}

// scenario explores scenario number i. It returns how the check ends, if it ends there.
func (e *exploration) scenario(ctx context.Context, i int) *suite.Outcome {
	s := e.check.scenario(&gen{e.Rand(i), e.check.depends(e.facts)}, i)
	x := exploring{profile: e.facts.profile, f: e.f, s: s, ids: e.Requirements, past: make(map[string]bool), few: !e.check.complete}
	for {
		if ctx.Err() != nil {
			how := e.Stopped(ctx, fmt.Sprintf("%d of %d scenarios", i, e.check.scenarios))
			how.Reason += smallerBy(e.facts)
			return &how
		}
		opts := []interleave.Option{interleave.Executions(e.check.executions()), harness.Until(ctx)}
		switch {
		case e.check.preemptions > 0:
			opts = append(opts, interleave.Preemptions(e.check.preemptions))
		case e.check.enumerates != nil:
			opts = append(opts, interleave.Exhaustive()) // there is little to search
		}
		report, err := x.run(opts...)
		e.out.Executions += report.Certificate.Executions
		e.out.Calls += x.calls
		switch {
		case harness.Stuck(err) && x.quiet.Load():
			f := x.hung(err.Error())
			f.Evidence = append(f.Evidence, asked(x.s))
			e.Find(f)
			return &suite.Outcome{Ended: suite.Inconclusive, Reason: fmt.Sprintf("a call hangs, and nothing more can be explored after %d of %d scenarios", i, e.check.scenarios)}
		case harness.Refused(err):
			return &suite.Outcome{Ended: suite.Skipped, Reason: "its interleavings cannot be explored: " + strings.TrimPrefix(err.Error(), "interleave: ")}
		case errors.Is(err, interleave.ErrUncontrolled):
			return &suite.Outcome{Ended: suite.Inconclusive, Reason: givenUp(strings.TrimPrefix(err.Error(), "interleave: "))}
		case err != nil:
			return &suite.Outcome{Ended: suite.Error, Reason: err.Error()}
		}
		if report.Failure == nil {
			if ctx.Err() != nil {
				continue // it was not explored to its end, and is none of those that were
			}
			if why := x.undecided(&report.Certificate); why != "" {
				return &suite.Outcome{Ended: suite.Inconclusive, Reason: why}
			}
			if f := x.unanswered(&report.Certificate); f != nil {
				e.found(i, s, *f)
			}
			e.sum.Add(report.Certificate)
			e.some = e.some || x.some
			break
		}
		waits, why := x.waits(&report)
		if why == takesSpin {
			return &suite.Outcome{Ended: suite.Skipped, Reason: "its interleavings cannot be explored: " + why}
		}
		if why != "" {
			x.unjudged = why
			break
		}
		if limit := x.unsure(&report, e.Found("RQ-CRASH")); limit != "" && waits == nil {
			return &suite.Outcome{Ended: suite.Inconclusive, Reason: limit}
		}
		if !x.actual && len(report.Certificate.Doubts) > 0 {
			// Where code is not seen, only what really came to pass is held against it. (What
			// a directive takes out of the schedule is another thing: who writes it says that
			// it makes no difference.)
			x.actual = true
			continue
		}
		found := x.findings(report)
		hangs := byTheClock(report.Failure)
		if !hangs && !slices.ContainsFunc(found, func(f record.Finding) bool { return e.Found(f.Fingerprint) }) {
			found = x.smaller(report)
		}
		e.found(i, s, found...)
		switch {
		case hangs:
			if e.hung.Add(1) >= mostHangs {
				return &suite.Outcome{Ended: suite.Inconclusive, Reason: fmt.Sprintf("scenario %s: a call does not return, which takes seconds to see: no more than %d of %d scenarios were explored", s.Name, i+1, e.check.scenarios)}
			}
		case waits != nil && report.Failure.Kind == interleave.StepBound: // each that follows takes as long
			return &suite.Outcome{Ended: suite.Inconclusive, Reason: "nothing more was explored: " + takesSpin}
		}
		if !x.look(past(found)) { // a crash or a race: there is no looking past it
			x.unjudged = found[0].Requirement + " ended its exploration"
			break
		}
	}
	e.out.Scenarios++
	for id, n := range x.judged {
		e.out.Judged[id] += n
	}
	if x.unjudged != "" {
		e.cut(fmt.Sprintf("scenario %s: %s", s.Name, x.unjudged))
	}
	return nil
}

// found notes what was found in scenario number i.
func (e *exploration) found(i int, s record.Scenario, list ...record.Finding) {
	e.check.fails(s)
	if e.first < 0 {
		e.first = i
	}
	for _, f := range list {
		e.Find(f)
	}
}

// past returns the requirements of findings that the judge can look past: not a
// crash, not a race.
func past(found []record.Finding) []string {
	var ids []string
	for _, f := range found {
		if !waitsForever(f.Requirement) && f.Requirement != "RQ-CRASH" && f.Requirement != "RQ-RACE" {
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

// unsure says why a failure blames no queue, or "": it is of what the explorer can follow, and not of what the queue has done. Where a crash is
// known, another thread that has no end says nothing new.
func (x *exploring) unsure(r *interleave.Report, crashes bool) string {
	switch {
	case byTheClock(r.Failure):
		if r.Unsteady != "" {
			return givenUp(fmt.Sprintf("scenario %s: %s; the same schedule was run again: %s", x.s.Name, r.Failure.Message, r.Unsteady))
		}
	case r.Failure.Kind == interleave.StepBound && !crashes:
		y := exploring{profile: x.profile, f: x.f, s: x.s, past: x.past}
		again, err := y.run(interleave.Schedule(r.Failure.Schedule), interleave.Steps(farSteps))
		if err != nil || again.Failure == nil || again.Failure.Kind != interleave.StepBound {
			return givenUp(fmt.Sprintf("scenario %s: a thread takes more than %d steps, and then ends", x.s.Name, usualSteps))
		}
	}
	return ""
}

// A thread that has not ended after the explorer's usual bound of steps may have a long way to go. One that has not ended after farSteps has no end.
const usualSteps, farSteps = 10_000, 50_000

// noSteps is why nothing is known of a queue of which no step was seen.
func noSteps() string {
	return givenUp("the queue made no operation that can be controlled: its code must be in the module under test")
}

// undecided says why an exploration that saw nothing wrong shows nothing, or "".
func (x *exploring) undecided(c *interleave.Certificate) string {
	switch {
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
	ids      []string // by which it is judged
	plan     *drive.Plan
	past     map[string]bool  // requirements that are known to be broken here
	seen     map[uint64]bool  // histories that were judged, and say nothing new
	judged   map[string]int64 // by requirement: calls of different histories
	wrong    []record.Finding // of the last history
	last     []record.Finding // of the last history that was wrong
	unjudged string
	doubt    string
	unmade   error             // of a factory that did not give a queue
	broke    *record.History   // the calls before a crash at a quiet moment
	crash    *queue.CrashError // which it was, nil if there was none
	calls    int
	quiet    atomic.Bool           // a call at a quiet moment is under way
	few      bool                  // a few orders of the calls of each class are enough
	actual   bool                  // only the order of the execution that was run is judged
	some     bool                  // of an execution not all orders of its calls were judged
	program  *drive.Program        // of the last execution
	answers  *answers              // where the contract promises that a thief is answered
	tell     func(*record.History) // of each execution, if not nil
}

// hung is the finding of a call at a quiet moment that did not return, by the stack where it
// was found.
func (x *exploring) hung(stack string) record.Finding {
	f := record.Finding{
		Requirement: "RQ-CRASH", Fingerprint: hangsAs, Witness: string(spec.Interleave), Expected: "every call returns",
		Observed: "a call at a quiescent moment, before the threads or after them, does not return",
	}
	if x.crash != nil {
		stack = x.crash.Stack
		h := restamped(x.broke)
		f.Evidence = callsOf(lastOps(h, -1))
		if n := len(h.Ops); n > 0 && h.Ops[n-1].Return == 0 {
			call, _, _ := strings.Cut(h.Ops[n-1].Text(), " [")
			f.Observed = call + " does not return, when no other call is at work"
		} else {
			f.Observed = "a get that takes out what is left at the end does not return"
		}
	}
	if at := drive.Where(stack); at != "" {
		f.Observed += "; it is at " + at
	}
	return f
}

// restamped returns h with small stamps in the same order.
func restamped(h *record.History) *record.History {
	var stamps []int64
	for i := range h.Ops {
		stamps = append(stamps, h.Ops[i].Call, h.Ops[i].Return)
	}
	slices.Sort(stamps)
	stamps = slices.Compact(stamps)
	rank := func(stamp int64) int64 {
		n, _ := slices.BinarySearch(stamps, stamp)
		return int64(n + 1)
	}
	small := *h
	small.Ops = slices.Clone(h.Ops)
	for i := range small.Ops {
		op := &small.Ops[i]
		if op.Call = rank(op.Call); op.Return != 0 || i+1 < len(h.Ops) { // 0 is a stamp, too, of the threads' clock
			op.Return = rank(op.Return)
		}
	}
	return &small
}

// quietTime is how long the calls at a quiet moment may take together, which are a few.
// Tests make it short.
var quietTime = 2 * time.Second

// byTheClock reports whether the failure is of a call at a quiet moment that did not return.
func byTheClock(f *interleave.Failure) bool {
	return f.Kind == interleave.StepBound && (f.Thread == "the body" || f.Thread == "Finally")
}

func (x *exploring) run(opts ...interleave.Option) (r interleave.Report, err error) {
	opts = append(slices.Clip(opts), harness.Outside(quietTime))
	if x.plan, err = drive.Prepare(heldTo(x.s, x.profile)); err != nil {
		return r, err
	}
	x.seen, x.judged, x.calls = make(map[uint64]bool), make(map[string]int64), 0
	x.broke, x.crash = nil, nil
	c, _ := x.profile.Contract()
	if x.answers = nil; c.StealMiss == spec.Answered && (x.ids == nil || slices.Contains(x.ids, unansweredID)) {
		x.answers = new(answers)
	}
	if r, err = interleave.Explore(x.body, opts...); err == nil {
		err = x.unmade
	}
	return r, err
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
	x.quiet.Store(true)
	p, err := drive.NewProgram(x.f, x.plan, func() int64 { return int64(harness.Count(exec)) })
	if err != nil {
		x.unmade = err
		exec.Fatalf("%v", err)
	}
	x.quiet.Store(false)
	if h, e := p.Crashed(); e != nil {
		x.broke, x.crash = h, e
		exec.Fatalf("RQ-CRASH: %v", e)
	}
	x.program = p
	for i := range x.s.Threads {
		exec.Go(fmt.Sprintf("T%d", i), func() { p.Thread(i) })
	}
	exec.Finally(func() {
		x.quiet.Store(true)
		h, err := p.History()
		x.quiet.Store(false)
		if err != nil {
			x.broke, x.crash = p.Crashed()
			inOrder(exec, x.broke)
			exec.Fatalf("RQ-CRASH: %v", err)
		}
		x.calls += len(h.Ops)
		if x.tell != nil {
			x.tell(h)
		}
		if x.answers != nil {
			x.answers.note(h)
		}
		c, stepped := callsIn(exec, h, x.actual)
		counted := hidden(h) // which is the same in all orders
		switch {
		case counted:
			c.left = 1
		case x.few:
			c.left = fewOrders
		}
		if !stepped {
			return // nothing says which call came first
		}
		given := slices.Clone(h.Ops)
		if all := c.orders(func() bool { x.judge(exec, c, given); return true }); !counted && (!all || c.many) {
			x.some = true
		}
	})
}

// inOrder gives the calls of a history that ends with one that does not return, or has crashed, the stamps of this execution.
func inOrder(exec *interleave.Exec, h *record.History) {
	if h == nil || len(h.Ops) == 0 {
		return
	}
	c, stepped := callsIn(exec, h, false)
	if !stepped {
		return
	}
	open := h.Ops[len(h.Ops)-1].Return == 0
	*h = *c.asRun(h.Ops)
	if open {
		h.Ops[len(h.Ops)-1].Return = 0
	}
}

// otherOrder is added to what was seen where the calls are not in the order of the steps that are shown.
const otherOrder = " (in another order of the calls, in which the same steps can come)"

// judge judges a history of this execution, or of another one of its class. If this execution shows the same that another one of
// its class does, its own calls are what a finding tells of. Given are they as they were made.
func (x *exploring) judge(exec *interleave.Exec, c *precedence, given []record.Op) {
	h := c.h
	key := fingerprint(h)
	if x.seen[key] {
		return
	}
	wrong := func(v Verdict) []record.Finding {
		return slices.DeleteFunc(v.Findings, func(f record.Finding) bool { return x.past[f.Requirement] })
	}
	v := Judge(spec.Interleave, h, x.profile)
	if x.wrong = wrong(v); len(x.wrong) > 0 {
		if !c.wide {
			own := wrong(Judge(spec.Interleave, c.asRun(given), x.profile))
			if at := slices.IndexFunc(own, func(f record.Finding) bool { return f.Requirement == x.wrong[0].Requirement }); at >= 0 {
				x.wrong = slices.Concat(own[at:at+1], own[:at], own[at+1:])
			} else {
				x.wrong[0].Observed += otherOrder
			}
		}
		x.last = x.wrong
		exec.Fatalf("%s: %s", x.wrong[0].Requirement, x.wrong[0].Observed)
	}
	if v.Doubt != "" {
		x.doubt = v.Doubt
	}
	if v.Unjudged != "" {
		x.unjudged = v.Unjudged
	}
	ids := x.ids
	if hidden(h) {
		ids = byCounting(ids)
	}
	for id, n := range about(h, ids) {
		x.judged[id] += n
	}
	x.seen[key] = true
}

// failed words a failure. A deadlock or a livelock is of no thread alone.
func failed(f *interleave.Failure) string {
	if f.Thread == "" {
		return fmt.Sprintf("%s: %s", f.Kind, f.Message)
	}
	return fmt.Sprintf("%s in %s: %s", f.Kind, f.Thread, f.Message)
}

// findings are those of the report, whose execution was the last that was run.
func (x *exploring) findings(r interleave.Report) []record.Finding {
	fs, f := slices.Clone(x.wrong), r.Failure
	if len(fs) == 0 && f.Kind == "assertion" {
		fs = slices.Clone(x.last) // the last execution was another one
	}
	if f.Kind != "assertion" || len(fs) == 0 {
		fs = []record.Finding{{
			Requirement: "RQ-CRASH", Expected: "every call returns",
			Observed: failed(f) + frames.AtPanic(f.Stack),
		}}
		if byTheClock(f) {
			fs[0] = x.hung(f.Message)
		} else if w, _ := x.waits(&r); w != nil {
			fs[0] = *w
		}
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
			steps := r.Execution.Short()
			if steps != nil && f.Thread == "Finally" && !aboutLast(&fs[i], steps) {
				end := *steps
				steps, end.AtEnd = &end, true
			}
			fs[i].Evidence = append(slices.Clone(fs[i].Evidence), asked(x.s), record.Evidence{Kind: record.Steps, Execution: steps})
		}
	}
	return fs
}

// namesThread finds the threads that a text names.
var namesThread = regexp.MustCompile(`\bT[0-9]+\b`)

// aboutLast reports whether the last step may be what breaks the requirement: it is of a thread that the finding is about, or none is
// known.
func aboutLast(f *record.Finding, x *record.Execution) bool {
	threads := namesThread.FindAllString(f.Observed, -1)
	for _, e := range f.Evidence {
		for _, at := range e.Marks {
			if name, _, _ := strings.Cut(e.Lines[at], " "); name != "" {
				threads = append(threads, name)
			}
		}
	}
	n := len(x.Steps)
	return len(threads) == 0 || n == 0 || slices.Contains(threads, x.Threads[x.Steps[n-1].Thread])
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
			if _, why := y.waits(&small); why != "" {
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

// lessOf returns the scenarios that lack all quiet calls after, or before, one thread, or
// one call of s.
func lessOf(s record.Scenario) []record.Scenario {
	var list []record.Scenario
	for _, quiet := range []func(*record.Scenario) *string{
		func(s *record.Scenario) *string { return &s.After }, func(s *record.Scenario) *string { return &s.Before },
	} {
		calls, _ := record.ParseQuiet(*quiet(&s))
		if len(calls) == 0 {
			continue
		}
		less := s
		*quiet(&less) = ""
		list = append(list, less)
		for i := range calls {
			*quiet(&less) = quietText(slices.Delete(slices.Clone(calls), i, i+1))
			list = append(list, less)
		}
	}
	for t := range s.Threads {
		ins, _ := record.ParseScript(s.Threads[t].Script)
		if len(s.Threads) > 1 {
			if less, ok := withoutThread(s, t); ok {
				list = append(list, less)
			}
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

// withoutThread returns s without thread t, unless that makes quiet calls.
func withoutThread(s record.Scenario, t int) (record.Scenario, bool) {
	s.Threads = slices.Delete(slices.Clone(s.Threads), t, t+1)
	for _, text := range []*string{&s.Before, &s.After} {
		calls, _ := record.ParseQuiet(*text)
		for i := range calls {
			if calls[i].Thread == t {
				return s, false
			}
			if calls[i].Thread > t {
				calls[i].Thread--
			}
		}
		*text = quietText(calls)
	}
	return s, true
}

// quietText writes quiet calls as record.ParseQuiet reads them.
func quietText(calls []record.QuietCall) string {
	var b strings.Builder
	for i, q := range calls {
		if i == 0 || calls[i-1].Thread != q.Thread {
			fmt.Fprintf(&b, " T%d:", q.Thread)
		}
		b.WriteString(q.Instr.String())
	}
	return strings.TrimSpace(b.String())
}

// Explore judges t in the interleavings of one scenario that opts choose, by
// default all of them.
func Explore(ctx context.Context, t Target, s record.Scenario, opts ...interleave.Option) (suite.Outcome, []record.Finding) {
	f, ok := explorable(t)
	if !ok {
		panic("checks: Explore of a target that is not instrumented")
	}
	x := exploring{profile: factsOf(t).profile, f: f, s: s, past: make(map[string]bool)}
	report, err := x.run(append(opts, harness.Until(ctx))...)
	out := suite.Outcome{Ended: suite.Completed, Scenarios: 1, Executions: report.Certificate.Executions, Calls: x.calls, Note: report.Certificate.String()}
	switch {
	case err != nil:
		out.Ended, out.Reason = suite.Error, err.Error()
	case report.Failure != nil:
		if _, why := x.waits(&report); why != "" {
			out.Ended, out.Reason = suite.Inconclusive, why
			return out, nil
		}
		if limit := x.unsure(&report, false); limit != "" {
			out.Ended, out.Reason = suite.Inconclusive, limit
			return out, nil
		}
		return out, x.findings(report)
	default:
		if f := x.unanswered(&report.Certificate); f != nil {
			return out, []record.Finding{*f}
		}
		why := x.undecided(&report.Certificate)
		if report.Certificate.Steps == 0 {
			why = noSteps()
		}
		if ctx.Err() != nil {
			why = fmt.Sprintf("%v: %v", context.Cause(ctx), report.Certificate)
		}
		if why != "" {
			out.Ended, out.Reason = suite.Inconclusive, why
		}
	}
	return out, nil
}
