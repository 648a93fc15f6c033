package trace

import (
	"fmt"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/record"
)

// A Result is what the exploration of one scenario came to.
type Result struct {
	Scenario record.Scenario
	Outside  string // why the machine cannot run it, "" if it can; then nothing was run
	// Report is the explorer's. Its failure is the divergence, or a crash of the code, for
	// which there may be a divergence, too.
	Report     interleave.Report
	Divergence *Divergence
	Replayed   int // executions
	Steps      int // of the machine, in all of them
	Edges      int // of the machine's graph
	Covered    int // of them, those on some order of the steps of an execution
	Missed     []string
	// Replay and Cover are the times that were spent on these two.
	Replay, Cover time.Duration
}

// String says on one line what was run, and how much of the machine that was.
func (r *Result) String() string {
	var scripts []string
	for _, t := range r.Scenario.Threads {
		scripts = append(scripts, t.Script)
	}
	scope := fmt.Sprintf("%s, rings of %d", strings.Join(scripts, " | "), r.Scenario.Capacity)
	if r.Outside != "" {
		return scope + ": not held against the machine: " + r.Outside
	}
	return fmt.Sprintf("%s: %d executions, %d steps; %d of %d edges", scope, r.Replayed, r.Steps, r.Covered, r.Edges)
}

// Explore explores the queues of f in a scenario, in a process whose code is
// instrumented, replays each execution up to the first that diverges, and marks the edges
// of the machine that they cover. Errors are those of the explorer, and of a replay that is
// wrong itself (two steps that it takes for independent are not).
func Explore(f queue.Factory, s record.Scenario, opts ...interleave.Option) (Result, error) {
	r := Result{Scenario: s}
	t, err := newReplayer(&s)
	if err != nil {
		r.Outside = err.Error()
		return r, nil
	}
	c, err := newCover(t)
	if err != nil {
		return r, err
	}
	var wrong error
	p := &program{f: f, s: &s, end: func(x *interleave.Exec, h *record.History) {
		steps := harness.Taken(x)
		begin := time.Now()
		r.Divergence = t.replay(steps, h)
		replayed := time.Now()
		r.Replayed++
		r.Steps += len(t.taken)
		r.Replay += replayed.Sub(begin)
		if r.Divergence != nil {
			x.Fatalf("%v", r.Divergence)
		}
		if wrong = c.add(); wrong != nil {
			x.Fatalf("%v", wrong)
		}
		r.Cover += time.Since(replayed)
	}}
	r.Report, err = p.explore(opts...)
	if err == nil {
		err = wrong
	}
	if r.Report.Failure != nil && p.broken != nil {
		r.Divergence = t.begin(p.broken) // before the code crashed
	}
	r.Covered, r.Edges, r.Missed = c.count()
	return r, err
}
