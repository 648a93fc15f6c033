package checks

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/frames"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The witness interleave: the smallest graphs in every interleaving of the scheduler's own code. A graph that cannot be
// exhausted is searched by chance and with few preemptions, for as many executions as the plan has for it, and is counted
// as not complete.

// exploreCheck explores graphs.
var exploreCheck = suite.Check{
	Name: "interleave/graphs", Witness: spec.Interleave, Sample: true,
	Doc: "the smallest task graphs, the smallest of each kind that a scheduler may have or not (panics, changes of the number of workers, deadlocks), and larger ones by hand, in every interleaving of the scheduler's code, or a number of executions of each",
	Requirements: append([]string{
		"SC-RACE", "SC-REFUSED", "SC-WORK", "SC-TOGETHER", "SC-STEAL", "SC-WAKE", "SC-ORDER", "SC-CLOSE-WAITS", "SC-CLOSED", "SY-BLOCK", "SY-RETURN",
		"SC-PANIC", "SC-EXIT", "SC-WAIT-RETURNS", "SC-WAIT-WAITS", "SC-JOIN", "SC-GROW", "SC-SHRINK",
		"SC-DEADLOCK", "SC-DEADLOCK-TRUE",
	}, always...),
	Plan: explores("the smallest graphs, and those by hand"),
	Run: func(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome {
		return exploreAll(ctx, t.(*inProcess), k)
	},
}

// explores is the plan of a check that the explorer carries out, in a process of its own.
func explores(text string) func(suite.Target) suite.Plan {
	return func(t suite.Target) suite.Plan {
		in, ok := t.(*inProcess)
		if !ok {
			return suite.Plan{Text: text, Lacks: "the explorer runs Go code, and the target is a child process"}
		}
		return suite.Plan{Text: text, Elsewhere: in.part == nil}
	}
}

// How much is explored. SPINDLE_LONG=1 explores more. A control shows that each kind of graph is reached: it has few of them, so that a
// slow machine reaches the last one within the control's budget.
type effort struct{ steps, tasks, most, executions int }

func (t *inProcess) effort() effort {
	switch {
	case t.control:
		return effort{2, 2, 500, 100}
	case suite.Long():
		return effort{4, 3, 2000, 200_000}
	case t.short:
		return effort{3, 3, 500, 300}
	}
	return effort{3, 3, 500, 2000}
}

// smallest are the graphs that are explored.
func (t *inProcess) smallest(e effort) *scope {
	return &scope{steps: e.steps, threads: 2, tasks: e.tasks, workers: []int{1, 2}, caps: t.caps, contract: t.contract, most: e.most}
}

// mostOfKind bounds the graphs of each kind that not every scheduler has, such as those in which tasks panic.
const mostOfKind = 40

// explored returns the graphs that are explored, and words for them: the smallest, the smallest of each kind, and last those by hand, which are
// counted.
func (t *inProcess) explored(e effort) (list []record.TaskGraph, hand int, which string) {
	f := factsOf(t)
	list, which = t.smallest(e).worded()
	var byHand []record.TaskGraph
	kind := func(with record.TaskOp, what string, more []record.TaskGraph) {
		s := t.smallest(e)
		if s.with, s.dead, s.most = with, with == 0, mostOfKind; s.dead {
			s.threads, s.steps = 1, max(s.steps, 4) // no call comes from outside once Close was called
		}
		some, _ := s.graphs()
		list, byHand = append(list, some...), append(byHand, more...)
		which += fmt.Sprintf(", %d in which %s", len(some), what)
	}
	if f.contract.Is("panics", spec.Isolated) {
		kind(record.Panic, "tasks panic", append(joinsAlone(f, record.Panic), endAlone(record.Panic, 1, 2), endAlone(record.Panic, 2, 2)))
	}
	if f.contract.Is("exits", spec.Isolated) {
		kind(record.Exit, "tasks end by runtime.Goexit", exits(f))
	}
	if withoutJoin(f) == "" {
		kind(record.Fork, "tasks join others", forks(f, 2, true))
	}
	if withoutWait(f) == "" {
		kind(record.Settle, "threads wait for all tasks", waits(f, 2, true))
	}
	if f.contract.Is("closers", spec.Anyone) {
		kind(record.Close, "Close is called twice", closings(f))
	}
	if withoutDeadlock(f) == "" && f.contract.Is("deadlock", spec.Reported) && f.contract.Is("close", spec.Waits) {
		kind(0, "tasks park for nobody", fewDeadlocks(f))
	}
	if withoutResize(f) == "" {
		kind(record.Resize, "the number of workers changes", append(resizesFrom(f, 1, 2), resizesFrom(f, 2, 3)...))
	}
	if withoutBlock(f) == "" {
		some, _ := blocksBeside(f, mostOfKind/2).graphs()
		list = append(list, some...)
		which += fmt.Sprintf(", %d in which a task blocks, and another yields or parks", len(some))
		byHand = append(byHand, blocked(f, 1, 1), comeBack(f, 1), blocked(f, 2, 2), comeBack(f, 2))
	}
	byHand, without := fitting(t, append(byHand, together(f)...))
	return append(list, byHand...), len(byHand), both(fmt.Sprintf("%s, and %d by hand", which, len(byHand)), without)
}

// exploreAll explores the graphs of this process's part. A requirement that is broken is looked past no further: the smallest graph
// shows it.
func exploreAll(ctx context.Context, t *inProcess, k *suite.Task) suite.Outcome {
	e := t.effort()
	list, hand, which := t.explored(e)
	out := suite.Outcome{Ended: suite.Completed, Judged: make(map[string]int64), Cut: make(map[string]string)}
	var sum interleave.Certificate
	complete, explored, failed, same := 0, 0, 0, 0
	for i, g := range list {
		if t.part.Of > 1 && i%t.part.Of != t.part.I {
			continue
		}
		k.Progress("%d of %d", i, len(list))
		stopped := func() suite.Outcome {
			return stoppedAt(i+1, out, k.Stopped(ctx, fmt.Sprintf("%d of %d graphs", i, len(list))))
		}
		if ctx.Err() != nil {
			return stopped()
		}
		x := exploring{t: t, g: g}
		explore := x.run
		if i >= len(list)-hand {
			explore = x.widely
		}
		report, err := explore(e.executions, harness.Until(ctx))
		out.Executions += report.Certificate.Executions
		if err != nil {
			return stoppedAt(i+1, out, x.ended(err, k))
		}
		if report.Failure == nil && ctx.Err() != nil {
			return stopped() // the graph was not explored to its end, and is none of those that were
		}
		out.Scenarios++
		explored++
		sum.Add(report.Certificate)
		if report.Certificate.Complete() {
			complete++
		}
		for id, n := range x.judged {
			out.Judged[id] += n
		}
		if !report.Certificate.NoRaces {
			out.Judged["SC-RACE"] += int64(report.Certificate.Executions)
		}
		if report.Failure == nil {
			if len(report.Certificate.Doubts) > 0 {
				return stoppedAt(i+1, out, suite.Outcome{Ended: suite.Inconclusive, Reason: "graph " + g.Name + ": " + report.Certificate.String()})
			}
			continue
		}
		if why := unsure(&report); why != "" {
			return stoppedAt(i+1, out, suite.Outcome{Ended: suite.Inconclusive, Reason: "graph " + g.Name + ": " + why})
		}
		found := x.findings(report)
		if x.early && newWait(k, found) && x.endsWithoutClose(ctx) {
			found = closeEnds(found)
		}
		if len(found) == 0 && report.Failure.Kind == interleave.Deadlock && x.program.Over() && x.program.Dead() {
			for id, n := range judge(x.program.Run(), t.contract).judged {
				out.Judged[id] += n
			}
			continue // what becomes of tasks that can never go on is not checked: these wait on
		}
		failed++
		fresh := false
		for _, f := range found {
			fresh = k.Find(f) || fresh
		}
		if fresh {
			same = 0
		} else {
			same++
		}
		if len(found) == 0 {
			return stoppedAt(i+1, out, suite.Outcome{Ended: suite.Inconclusive, Reason: untold(g.Name, report.Failure.Message)})
		}
		if same == mostSame {
			break // the rest of the graphs would say the same
		}
	}
	if failed > 0 {
		for _, id := range k.Requirements {
			if !k.Broken(id) {
				out.Cut[id] = fmt.Sprintf("%d graphs failed, and were not explored to their end", failed)
			}
		}
	}
	needNotRefuse(&out, t.contract)
	words := fmt.Sprintf("%d of them complete", complete)
	switch complete {
	case 0:
		words = "none of them complete: what passes holds in the executions that were run, and in no others for sure"
	case explored:
		words = "all of them complete"
	}
	out.Note = fmt.Sprintf("%s: %d explored, %s; %v", which, explored, words, sum)
	if explored > 0 && failed == 0 && sum.Steps == 0 {
		return stoppedAt(0, out, suite.Outcome{Ended: suite.Inconclusive, Reason: "the scheduler made no operation that can be controlled: its code must be in the module under test"})
	}
	return out
}

// endsWithoutClose reports whether the graph comes to its end without Close, in some executions.
func (x *exploring) endsWithoutClose(ctx context.Context) bool {
	without := exploring{t: x.t, g: withoutClose(x.g)}
	r, err := without.run(withoutCloseExecutions, harness.Until(ctx))
	return err == nil && r.Failure == nil && ctx.Err() == nil
}

// withoutCloseExecutions is how many executions of a graph without Close show that it comes to its end.
const withoutCloseExecutions = 300

// unsure says why a failure blames nobody, or "": goroutines that are not seen may do what is missed. What was done too much,
// a race and a panic, they do not explain.
func unsure(r *interleave.Report) string {
	for _, d := range r.Certificate.Doubts {
		if d.Kind == "not seen" && r.Failure.Kind != interleave.DataRace && r.Failure.Kind != interleave.Panic {
			return fmt.Sprintf("%s: %s, but not all was seen: %v", r.Failure.Kind, worded(r.Failure.Message), r.Certificate)
		}
	}
	return ""
}

// ended says how a check ends whose exploration of the graph came to an error.
func (x *exploring) ended(err error, k *suite.Task) suite.Outcome {
	switch {
	case harness.Stuck(err):
		k.Find(x.hung())
		return suite.Outcome{Ended: suite.Inconclusive, Reason: "a call hangs, and nothing more can be explored, in graph " + x.g.Name}
	case harness.Refused(err):
		return suite.Outcome{Ended: suite.Skipped, Reason: "its interleavings cannot be explored: " + strings.TrimPrefix(err.Error(), "interleave: ")}
	case errors.Is(err, interleave.ErrUncontrolled):
		return suite.Outcome{Ended: suite.Inconclusive, Reason: "the exploration of interleavings was given up: " + strings.TrimPrefix(err.Error(), "interleave: ")}
	}
	return suite.Outcome{Ended: suite.Error, Reason: err.Error()}
}

// mostSame is how many graphs may fail in a row, and show nothing new.
const mostSame = 20

// stoppedAt is how a check ends before its plan: at graph number at, from 1, or 0 at none.
func stoppedAt(at int, out, how suite.Outcome) suite.Outcome {
	out.Ended, out.Reason, out.At = how.Ended, how.Reason, at
	return out
}

// exploring is the exploration of one graph.
type exploring struct {
	t       *inProcess
	g       record.TaskGraph
	judged  map[string]int64
	program *drive.Program // of the last execution
	wrong   []record.Finding
	seen    *record.TaskRun // of the last execution that was wrong
	early   bool            // see verdict
	long    time.Duration   // after which the execution is over, by the clock that threads see; 0: it goes on
}

// run explores the graph: all of it, if so many executions are enough. Where there are few, the explorer's usual plan would spend them on
// executions that differ little from the first one, and a wake-up is lost in one that is far from it: so four fifths are by chance.
func (x *exploring) run(executions int, opts ...interleave.Option) (r interleave.Report, err error) {
	p, err := x.g.Program()
	if err != nil {
		return r, err
	}
	if executions >= usualPlan {
		return x.explore(p, append(opts, interleave.Executions(executions))...)
	}
	return x.ways(p, executions, opts, interleave.Exhaustive(), interleave.Random(), interleave.PCT(), interleave.Walk(), harness.Turns())
}

// widely is run, and then byChance as long: of a graph in which much comes together few executions are seen otherwise that are far from the first one.
func (x *exploring) widely(executions int, opts ...interleave.Option) (interleave.Report, error) {
	first, err := x.run(executions, opts...)
	if c := &first.Certificate; err != nil || first.Failure != nil || len(c.Doubts) > 0 || c.Complete() {
		return first, err
	}
	judged := x.judged
	r, err := x.byChance(executions, opts...)
	for id, n := range judged {
		x.judged[id] += n
	}
	r.Certificate.Executions += first.Certificate.Executions
	r.Certificate.Steps += first.Certificate.Steps
	return r, err
}

// byChance explores executions by chance: in half of them threads go on for a while, and stand still for a while.
func (x *exploring) byChance(executions int, opts ...interleave.Option) (r interleave.Report, err error) {
	p, err := x.g.Program()
	if err != nil {
		return r, err
	}
	return x.ways(p, executions, opts, harness.Turns(), interleave.Random())
}

// ways explores in several ways, which share the executions.
func (x *exploring) ways(p *record.TaskProgram, executions int, opts []interleave.Option, ways ...interleave.Option) (r interleave.Report, err error) {
	judged, before, steps := make(map[string]int64), 0, 0
	for i, way := range ways {
		r, err = x.explore(p, append(opts, way, interleave.Executions(max(1, (executions-before)/(len(ways)-i))))...)
		for id, n := range x.judged {
			judged[id] += n
		}
		x.judged = judged
		c := &r.Certificate
		before, steps = before+c.Executions, steps+c.Steps
		c.Executions, c.Steps = before, steps
		if err != nil || r.Failure != nil || len(c.Doubts) > 0 || c.Complete() || before >= executions {
			break
		}
	}
	return r, err
}

// usualPlan is how many executions the explorer's usual plan takes before it begins to search in depth: 300 in order, and 1,000 by chance.
const usualPlan = 1500

// mostSteps bounds the steps of a thread in one execution. The longest that a right scheduler takes for a small graph is below 200.
const mostSteps = 2000

func (x *exploring) explore(p *record.TaskProgram, opts ...interleave.Option) (interleave.Report, error) {
	x.judged = make(map[string]int64)
	r, err := interleave.Explore(func(exec *interleave.Exec) {
		x.wrong = nil
		x.program = drive.NewProgram(x.factory(), p, x.t.options)
		x.program.Here = func() (thread, steps int) { return harness.Here(exec) }
		for i := range p.Threads {
			exec.Go(fmt.Sprintf("T%d", i), func() { x.program.Thread(i) })
		}
		if x.long > 0 {
			exec.Go("clock", func() {
				harness.Sleep(x.long)
				exec.Fatalf("%s", longOver)
			})
		}
		exec.Finally(func() {
			run := x.program.Run()
			if !x.program.Over() {
				run = x.program.Rest(nil) // a thread has ended in the midst of its script
			}
			v := judge(run, x.t.contract)
			for id, n := range v.judged {
				x.judged[id] += n
			}
			if len(v.findings) > 0 {
				x.wrong, x.seen = v.findings, run
				exec.Fatalf("%s: %s", v.findings[0].Requirement, v.findings[0].Observed)
			}
		})
	}, append(opts, interleave.Steps(mostSteps))...)
	if err == nil && (r.Failure == nil || r.Failure.Kind != interleave.Panic) {
		err = harness.Strangers(&r.Certificate)
	}
	return r, err
}

func (x *exploring) factory() scheduler.Factory { return x.t.factoryOf(&x.g) }

// hung is the finding of a call that does not return although nobody controls it.
func (x *exploring) hung() record.Finding {
	return record.Finding{
		Requirement: "SC-CALLS", Fingerprint: "SC-CALLS/hang", Expected: "every call returns", Observed: "a call does not return, and does nothing that could be seen",
		Evidence: []record.Evidence{{Kind: record.Asked, Lines: x.g.Lines()}},
	}
}

// atUnplaced is what the explorer says of a thread that waits at a lock without a place. Code that is rewritten has places; the locks of scripts and of tasks,
// which are the suite's, have none.
var atUnplaced = regexp.MustCompile(`(T[0-9]+)((?:\.[0-9]+)*)((?: \(daemon\))?) waits at Lock of object [0-9]+(?:, held by [^,]*)?`)

// worded returns what the explorer says of a failure, without locks that nobody but the suite knows.
func worded(message string) string {
	return atUnplaced.ReplaceAllStringFunc(message, func(text string) string {
		m := atUnplaced.FindStringSubmatch(text)
		if m[2] == "" {
			return m[1] + m[3] + " waits as its script says"
		}
		return m[1] + m[2] + m[3] + " waits in its task"
	})
}

// cannotGoOn is the begin of what the explorer says of a thread that cannot go on.
var cannotGoOn = regexp.MustCompile(`T[0-9]+((?:\.[0-9]+)*)(?: \(daemon\))? (?:waits|repeats) `)

// ofScheduler returns what the explorer says of the threads that the scheduler has started, a line each: "T0.1 waits at p.more.Wait (pool.go:59)". It is
// nil if the message is about something else.
func ofScheduler(message string) (list []string) {
	message, _, _ = strings.Cut(worded(message), ", and nobody is left")
	at := cannotGoOn.FindAllStringSubmatchIndex(message, -1)
	if len(at) == 0 {
		return nil
	}
	list = []string{}
	for i, m := range at {
		end := len(message)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		if m[2] < m[3] { // T0.1, which T0 has started
			list = append(list, strings.TrimSuffix(message[m[0]:end], ", "))
		}
	}
	return list
}

// findings are those of the report, whose execution was the last that was run.
func (x *exploring) findings(r interleave.Report) []record.Finding {
	f, list, run := r.Failure, slices.Clone(x.wrong), x.seen
	switch f.Kind {
	case interleave.Assertion:
	case interleave.Deadlock, interleave.Livelock, interleave.StepBound:
		over := x.program.Over()
		run = x.program.Rest(ofScheduler(f.Message))
		v := judge(run, x.t.contract)
		list, x.early = v.findings, v.early
		if over && len(list) == 0 && !x.program.Dead() && x.t.contract.Is("close", spec.Waits) {
			list = []record.Finding{{Requirement: "SC-CLOSE-WORKERS", Fingerprint: "SC-CLOSE-WORKERS", Expected: "no goroutine that the scheduler has started, after Close", Observed: worded(f.Message)}}
		}
	case interleave.DataRace:
		run = x.program.Run()
		list = []record.Finding{{Requirement: "SC-RACE", Fingerprint: "SC-RACE", Expected: "no two accesses that nothing orders, one of them a write", Observed: f.Message}}
	case interleave.Panic:
		run = x.program.Run()
		if strings.Contains(f.Message, drive.PanicValue) {
			list = []record.Finding{{Requirement: "SC-PANIC", Fingerprint: "SC-PANIC/through", Expected: "a task that panics ends alone", Observed: "its panic ends a goroutine of the scheduler"}}
			break
		}
		list = []record.Finding{{Requirement: "SC-CALLS", Fingerprint: "SC-CALLS/panic", Expected: "no call panics", Observed: fmt.Sprintf("panic in %s: %s%s", f.Thread, f.Message, frames.AtPanic(f.Stack))}}
	}
	for i := range list {
		if i > 0 || run == nil {
			continue
		}
		list[i].Evidence = append(slices.Clone(list[i].Evidence),
			record.Evidence{Kind: record.Asked, Lines: x.g.Lines()}, record.Evidence{Kind: record.Sights, Lines: run.Lines()},
			record.Evidence{Kind: record.Steps, Execution: x.program.Explain(r.Execution).Short()})
	}
	return list
}
