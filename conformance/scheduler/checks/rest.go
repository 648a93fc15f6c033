package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Whether a scheduler is at rest when it has nothing to do, the explorer tells without a clock: a graph is run whose first thread, when all tasks
// have ended, waits for an event that nobody says, instead of closing. Of a scheduler at rest nobody can go on then; of another
// one a worker goes round. The same again with a task that waits for that event, and keeps its worker beside others.

// restCheck looks behind graphs whether the scheduler is at rest.
var restCheck = suite.Check{
	Name: "interleave/idle", Witness: spec.Interleave, Requirements: []string{"SC-IDLE", "SC-SPIN"}, Sample: true,
	Doc:  "whether a scheduler waits when all tasks of a graph have ended and no thread closes it, and when one more task keeps a worker, in some random executions",
	Plan: explores(fmt.Sprintf("%d executions behind each of the %d smallest graphs that do not close; as many with a task that keeps one of several workers", restExecutions, restGraphs)),
	Run: func(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome {
		in := t.(*inProcess)
		e := in.effort()
		e.most = restGraphs
		list, which := in.smallest(e).worded()
		out := suite.Outcome{Ended: suite.Completed, Judged: make(map[string]int64), Note: which}
		long := time.Duration(0) // see exploring
		for i, g := range list {
			if in.part.Of > 1 && i%in.part.Of != in.part.I {
				continue
			}
			k.Progress("%d of %d", i, len(list))
			x := exploring{t: in, g: g, long: long}
			for _, rest := range rests {
				if rest.kept && in.contract.Is("tasks", spec.Leaving) {
					continue // no task keeps a worker
				}
				n, judged, f, err := x.rests(ctx, rest)
				long = x.long
				out.Executions += n
				switch {
				case ctx.Err() != nil:
					return stoppedAt(i+1, out, k.Stopped(ctx, fmt.Sprintf("%d of %d graphs", i, len(list))))
				case err != nil:
					return stoppedAt(i+1, out, x.ended(err, k))
				case f != nil:
					k.Find(*f)
					return out // the rest of the graphs would say the same
				}
				out.Judged[rest.id] += int64(judged)
			}
			out.Scenarios++
		}
		return out
	},
}

// How many graphs are looked at so, the smallest, and in how many executions each.
const (
	restGraphs     = 40
	restExecutions = 4
)

// A rest is when a scheduler is to be at rest.
type rest struct {
	id, expected string
	kept         bool // a task keeps a worker, and others have nothing to do
}

var rests = []rest{
	{"SC-IDLE", "all goroutines of the scheduler wait when all tasks have ended", false},
	{"SC-SPIN", "all goroutines of the scheduler wait when all tasks have ended but one, which waits on its worker", true},
}

// restTime is how long time may go by for a scheduler of which workers wait for it. One that goes round lets none go by.
const restTime = 10 * time.Second

// longOver is what is said when it has gone by.
const longOver = "the time has gone by"

// timeGoesBy reports whether time has gone by in an execution.
func timeGoesBy(c *interleave.Certificate) bool {
	return slices.ContainsFunc(c.Rules, func(rule string) bool { return strings.HasPrefix(rule, "time ") })
}

// rests looks whether the scheduler is at rest behind the graph, in some executions by chance. It returns how many, in how many of them
// the scheduler came to the point where it is to be at rest, and what is wrong. It says nothing of a graph that closes the scheduler, nor of one
// whose only worker is kept.
func (x *exploring) rests(ctx context.Context, rest rest) (executions, judged int, f *record.Finding, err error) {
	p, err := x.g.Program()
	if err != nil || p.Closes || rest.kept && x.g.Workers == 1 {
		return 0, 0, nil, err
	}
	never := record.TaskStep{Op: record.Await, Arg: p.Events}.String()
	g := x.g
	g.Outside = slices.Clone(g.Outside)
	var last strings.Builder
	for k := range g.Tasks {
		fmt.Fprintf(&last, " j%d", k)
	}
	waits := []int{^0} // who waits in the end
	if rest.kept {
		kept := len(g.Tasks)
		g.Tasks = append(slices.Clone(g.Tasks), never)
		fmt.Fprintf(&last, " s%d", kept)
		waits = append(waits, kept)
	}
	g.Outside[0] += last.String() + " " + never
	if p, err = g.Program(); err != nil {
		return 0, 0, nil, err
	}
	for i := range restExecutions {
		if ctx.Err() != nil {
			return executions, judged, nil, ctx.Err()
		}
		way := interleave.Random()
		if i%2 == 1 {
			way = interleave.PCT()
		}
		r, err := x.explore(p, way, interleave.Seed(uint64(i)), interleave.Executions(1))
		executions += r.Certificate.Executions
		if err == nil && x.long == 0 && r.Failure != nil && r.Failure.Kind == interleave.StepBound && timeGoesBy(&r.Certificate) {
			// A worker that waits for time is at rest, and time goes by. So it does behind the other graphs.
			x.long = restTime
			r, err = x.explore(p, way, interleave.Seed(uint64(i)), interleave.Executions(1))
			executions += r.Certificate.Executions
		}
		if err != nil {
			return executions, judged, nil, err
		}
		seen := x.program.Run().Events
		absent := func(who int) bool {
			return !slices.ContainsFunc(seen, func(e record.TaskEvent) bool { return e.What == record.Does && e.Who == who && e.Step == never })
		}
		// What is wrong before that has a finding of its own, in the graph as it is.
		if r.Failure == nil || slices.ContainsFunc(waits, absent) {
			break // and others would take as long
		}
		if r.Failure.Kind == interleave.StepBound && timeGoesBy(&r.Certificate) {
			break // it wakes very often, and it is not said how often is too often
		}
		judged++
		if kind := r.Failure.Kind; kind == interleave.Livelock || kind == interleave.StepBound {
			return executions, judged, &record.Finding{
				Requirement: rest.id, Fingerprint: rest.id + "/explored", Expected: rest.expected, Observed: worded(r.Failure.Message),
				Evidence: []record.Evidence{{Kind: record.Asked, Lines: g.Lines()}, {Kind: record.Steps, Execution: x.program.Explain(r.Execution).Short()}},
			}, nil
		}
	}
	return executions, judged, nil, nil
}
