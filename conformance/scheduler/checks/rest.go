package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/spec/record"
)

// Whether a scheduler is at rest when it has nothing to do, the explorer tells without a clock: a graph is run whose first thread, when all tasks
// have ended, waits for an event that nobody says, instead of closing. Of a scheduler at rest nobody can go on then; of another
// one a worker goes round.

// How many graphs are looked at so, the smallest, and in how many executions each.
const (
	restGraphs     = 40
	restExecutions = 4
)

// rests looks whether the scheduler is at rest behind the graph, in some executions by chance. It returns how many, and what is wrong. Of a
// graph that closes the scheduler it says nothing.
func (x *exploring) rests(ctx context.Context) (executions int, f *record.Finding, err error) {
	p, err := x.g.Program()
	if err != nil || p.Closes {
		return 0, nil, err
	}
	last := record.TaskStep{Op: record.Await, Arg: p.Events}
	g := x.g
	g.Outside = slices.Clone(g.Outside)
	var all strings.Builder
	for k := range g.Tasks {
		fmt.Fprintf(&all, " j%d", k)
	}
	g.Outside[0] += all.String() + " " + last.String()
	if p, err = g.Program(); err != nil {
		return 0, nil, err
	}
	for i := range restExecutions {
		if ctx.Err() != nil {
			return executions, nil, ctx.Err()
		}
		way := interleave.Random()
		if i%2 == 1 {
			way = interleave.PCT()
		}
		r, err := x.explore(p, way, interleave.Seed(uint64(i)), interleave.Executions(1))
		executions += r.Certificate.Executions
		if err != nil {
			return executions, nil, err
		}
		if r.Failure == nil || r.Failure.Kind != interleave.Livelock && r.Failure.Kind != interleave.StepBound {
			continue
		}
		// What is wrong before all tasks have ended has a finding of its own, in the graph as it is.
		if slices.ContainsFunc(x.program.Run().Events, func(e record.TaskEvent) bool {
			return e.What == record.Does && e.Who == ^0 && e.Step == last.String()
		}) {
			return executions, &record.Finding{
				Requirement: "SC-IDLE", Fingerprint: "SC-IDLE/explored", Expected: "all goroutines of the scheduler wait when all tasks have ended", Observed: r.Failure.Message,
				Evidence: []record.Evidence{{Kind: record.Asked, Lines: g.Lines()}, {Kind: record.Steps, Execution: lastSteps(r.Execution)}},
			}, nil
		}
	}
	return executions, nil, nil
}
