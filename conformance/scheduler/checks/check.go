package checks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// check is a check of task graphs.
type check struct {
	name, doc    string
	witness      spec.Witness
	requirements []string
	when         []spec.Condition
	// lacks says why the check cannot be carried out on a target, or "".
	lacks func(facts) string
	// graphs makes the plan: which are run, and in words which they are.
	graphs func(f facts, k *suite.Task) ([]record.TaskGraph, string)
	text   string
	// times is how often each is run: the threads are free.
	times int
}

// suite returns the check as the engine carries it out.
func (c check) suite() suite.Check {
	return suite.Check{
		Name: c.name, Doc: c.doc, Witness: c.witness, Requirements: c.requirements, When: c.when, Sample: true,
		Plan: func(t suite.Target) suite.Plan {
			p := suite.Plan{Text: c.text}
			if c.lacks != nil {
				p.Lacks = c.lacks(factsOf(t))
			}
			return p
		},
		Run: func(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome {
			return carryOut(ctx, c, t.(Target), k)
		},
	}
}

// mostStops is how many runs of a check may come to a stop. Each takes a fraction of a second, and the first say what is wrong.
var mostStops = 6

// mostAgain is how often a graph is run again in which nothing happened for long.
const mostAgain = 3

// work is a check that is being carried out on one target.
type work struct {
	*suite.Task
	check   check
	target  Target
	out     suite.Outcome
	stopped []string // graphs
	idles   bool     // the graphs have idle phases: see behindIdle
}

// carryOut runs the check's plan. It goes on after a finding.
func carryOut(ctx context.Context, c check, t Target, k *suite.Task) suite.Outcome {
	w := &work{Task: k, check: c, target: t, out: suite.Outcome{Ended: suite.Completed, Judged: make(map[string]int64), Cut: make(map[string]string)}}
	graphs, which := c.graphs(factsOf(t), k)
	graphs, without := fitting(t, graphs)
	w.out.Note = both(which, without)
	if len(graphs) == 0 && without != "" { // nothing of the plan is about the target: other checks judge the same requirements
		return suite.Outcome{Ended: suite.Skipped, Reason: "no graph of the check fits the target: " + without}
	}
	times := max(1, c.times)
	for i := range times * len(graphs) {
		k.Progress("%d of %d", i, times*len(graphs))
		err := ctx.Err()
		if err == nil {
			err = w.graph(ctx, graphs[i%len(graphs)])
		}
		var doubt *undecided
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return w.ended(k.Stopped(ctx, fmt.Sprintf("%d of %d runs", i, times*len(graphs))))
		case errors.As(err, &doubt):
			return w.ended(suite.Outcome{Ended: suite.Inconclusive, Reason: doubt.Error()})
		default:
			return w.ended(suite.Outcome{Ended: suite.Error, Reason: err.Error()})
		}
		if len(w.stopped) >= mostStops {
			return w.ended(suite.Outcome{Ended: suite.Inconclusive, Reason: fmt.Sprintf("%d runs came to a stop, and %d of %d were carried out", len(w.stopped), i+1, times*len(graphs))})
		}
	}
	for _, id := range w.Requirements {
		if len(w.stopped) > 0 && !w.Broken(id) {
			w.out.Cut[id] = fmt.Sprintf("%d runs came to a stop, the first of them graph %s", len(w.stopped), w.stopped[0])
		}
	}
	needNotRefuse(&w.out, factsOf(t).contract)
	return w.ended(w.out)
}

// needNotRefuse notes that a scheduler has refused no submission, where its contract lets it accept all: then SC-REFUSED is about nothing that it does.
func needNotRefuse(out *suite.Outcome, c spec.SchedulerContract) {
	if out.Judged["SC-REFUSED"] == 0 && out.Judged["SC-ACCEPT"] > 0 && c.Is("refuse", spec.Never) && !c.Is("closed", spec.Refused) {
		out.Absent = map[string]string{"SC-REFUSED": "no submission was refused, and by its contract none need be (refuse, closed)"}
	}
}

// both joins two notes, of which each may be empty.
func both(a, b string) string {
	return strings.TrimPrefix(strings.TrimSuffix(a+"; "+b, "; "), "; ")
}

// ended returns how the check ended, with what it counted.
func (w *work) ended(how suite.Outcome) suite.Outcome {
	w.out.Ended, w.out.Reason = how.Ended, how.Reason
	return w.out
}

// graph runs one graph and judges it. An error is ctx's, an *undecided, or the harness's.
func (w *work) graph(ctx context.Context, g record.TaskGraph) error {
	run, v, err := w.uncovered(ctx, &g)
	if err != nil {
		return err
	}
	if run.Stalls() && len(v.findings) > 0 {
		// Somebody ran all the time and did nothing. A machine that gave nobody a processor looks nearly the same: it must come again. Which task
		// is kept waiting may be chance: so there are a few tries.
		for try := 0; try == 0 || try < mostAgain && len(v.findings) == 0; try++ {
			if run, v, err = w.uncovered(ctx, &g); err != nil {
				return err
			}
		}
		if len(v.findings) == 0 {
			return &undecided{fmt.Sprintf("graph %s: nothing happened for %v; the same graph ended when it was run again", g.Name, drive.Stall)}
		}
	}
	if v.early && newWait(w.Task, v.findings) && w.endsWithoutClose(ctx, g) {
		v.findings = closeEnds(v.findings)
	}
	w.out.Scenarios++
	w.out.Calls += len(run.Events)
	for id, n := range v.judged {
		if !v.cut {
			w.out.Judged[id] += n
		}
	}
	w.report(ctx, &g, run, v)
	if v.cut || slices.ContainsFunc(v.findings, func(f record.Finding) bool { return f.Requirement == "SC-CLOSE-WORKERS" }) {
		w.stopped = append(w.stopped, g.Name)
	}
	if v.doubt != "" {
		return &undecided{v.doubt}
	}
	return nil
}

// endsWithoutClose reports whether the graph comes to its end without Close, some times.
func (w *work) endsWithoutClose(ctx context.Context, g record.TaskGraph) bool {
	without := withoutClose(g)
	for range 3 {
		if _, v, err := w.run(ctx, &without); err != nil || v.cut || len(v.findings) > 0 {
			return false
		}
	}
	return true
}

// uncovered reruns the graph until no long sleep can hide a late task, and checks the last run. A pause of the machine hides it in one run. On a busy
// machine a longer sleep gives more time to see a late task: uncovered makes the sleeps of g longer.
func (w *work) uncovered(ctx context.Context, g *record.TaskGraph) (*record.TaskRun, verdict, error) {
	for try := 0; ; try++ {
		run, v, err := w.run(ctx, g)
		if err != nil || v.covered == "" {
			return run, v, err
		}
		w.report(ctx, g, run, v)
		switch try {
		case 1, 2:
			*g = sleepsLonger(*g, quietOf(factsOf(w.target).contract))
		case 3:
			return nil, verdict{}, &undecided{fmt.Sprintf("graph %s: %s; its end may have woken a task that was late", g.Name, v.covered)}
		}
	}
}

// report notes what a run has shown.
func (w *work) report(ctx context.Context, g *record.TaskGraph, run *record.TaskRun, v verdict) {
	for _, f := range v.findings {
		// What another check is about is a finding all the same, if the contract has it.
		if q, err := spec.Lookup(f.Requirement); err != nil || !q.In(w.target.Describe().Profile) {
			continue
		}
		if !w.Found(f.Fingerprint) {
			g, run, f := w.shrunk(ctx, g, run, f)
			f.Evidence = append(f.Evidence, record.Evidence{Kind: record.Asked, Lines: g.Lines()}, record.Evidence{Kind: record.Sights, Lines: run.Lines()})
			w.Find(f)
		}
	}
}

// run runs the graph once and judges it.
func (w *work) run(ctx context.Context, g *record.TaskGraph) (*record.TaskRun, verdict, error) {
	p, err := g.Program()
	if err != nil {
		return nil, verdict{}, err
	}
	run, err := w.target.Run(ctx, p)
	var death *drive.DeathError
	switch {
	case ctx.Err() != nil:
		return nil, verdict{}, ctx.Err()
	case errors.Is(err, drive.ErrFull):
		run, err = &record.TaskRun{Graph: p.TaskGraph}, nil
		return run, verdict{cut: true, findings: []record.Finding{{Requirement: "SC-TWICE", Fingerprint: "SC-TWICE/many", Expected: "each task begins once", Observed: "tasks begin again and again"}}}, nil
	case errors.Is(err, drive.ErrUnseen):
		return nil, verdict{}, &undecided{fmt.Sprintf("graph %s: %v", g.Name, err)}
	case errors.As(err, &death):
		return &record.TaskRun{Graph: p.TaskGraph, Events: death.Events}, died(p, death, w.target), nil
	case err != nil:
		return nil, verdict{}, err
	}
	run.Graph = p.TaskGraph // whatever the target says that it was asked
	contract, _ := w.target.Describe().Profile.Scheduler()
	v := judge(run, contract)
	for _, id := range run.Unseen {
		delete(v.judged, id)
	}
	if w.idles {
		behindIdle(run, &v)
	}
	return run, v, nil
}
