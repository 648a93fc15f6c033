package interleave

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/table"
	"github.com/spindle-go/spindle/spec/record"
)

// An Exec is one execution: it starts threads and says what is wrong.
type Exec = engine.Exec

// A Certificate says what an exploration did, and with it what its silence is
// worth.
type Certificate = engine.Certificate

// A Failure is a wrong execution.
type Failure = engine.Failure

// The kinds of failures.
const (
	Assertion = engine.Assertion
	Panic     = engine.Panic
	Deadlock  = engine.Deadlock
	Livelock  = engine.Livelock
	StepBound = engine.StepBound
	DataRace  = engine.DataRace
	LeftOver  = engine.LeftOver
)

// ErrUncontrolled is wrapped by the error about code that cannot be explored.
var ErrUncontrolled = engine.ErrUncontrolled

// A Report is what an exploration has to say.
type Report struct {
	Certificate Certificate
	Failure     *Failure `json:",omitempty"` // with the fewest switches that were found; nil if all was right
	// Execution is what was wrong, step by step.
	Execution *record.Execution `json:",omitempty"`
	// Unsteady says why the failure could not be shown again, if so: then Failure and
	// Execution are as they were found.
	Unsteady string `json:",omitempty"`
	// Shrunk says how many executions it took to find the fewest switches, and
	// From from how many.
	Shrunk, From int
}

// Explore explores body in this process: what is to be controlled must use the
// packages interleave/atomic and interleave/sync, by its own imports or because
// the program was instrumented. Errors wrap ErrUncontrolled, or are about the
// options.
func Explore(body func(*Exec), opts ...Option) (Report, error) {
	return explore(body, newOptions(opts))
}

func explore(body func(*Exec), o options) (Report, error) {
	var r Report
	c, f, err := engine.Explore(o.Options, body)
	r.Certificate = c
	if err != nil || f == nil {
		return r, err
	}
	r.Failure, r.From = f, f.Switches
	plain := engine.Options{Steps: o.Options.Steps, TSO: o.Options.TSO, Looks: f.Looks, Retries: o.Options.Retries}
	if o.Strategy != engine.Replay {
		small, spent, err := engine.Shrink(plain, body, f)
		if err == nil {
			r.Failure, r.Shrunk = small, spent.Executions
		}
	}
	t, err := engine.Explain(plain, body, r.Failure.Schedule)
	switch {
	case err != nil:
		r.Unsteady = strings.TrimPrefix(err.Error(), "interleave: ")
	case t.Failure == nil && f.Kind != LeftOver: // what an execution has left may be there when the next begins
		r.Unsteady = "the same schedule gave no failure"
	default:
		r.Execution = execution(t)
		return r, nil
	}
	// A failure that was found is shown, whatever comes after.
	r.Failure, r.Execution = f, execution(f.Found())
	return r, nil
}

// Text words the report for a test's log: what is wrong, the table, and reproduce, the
// command that shows it again.
func (r *Report) Text(reproduce string) string {
	f := r.Failure
	if f == nil {
		return r.Certificate.String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s", f.Kind)
	if f.Thread != "" {
		fmt.Fprintf(&b, " in %s", f.Thread)
	}
	fmt.Fprintf(&b, ": %s\n", f.Message)
	if r.Execution != nil && len(r.Execution.Steps) > 0 {
		table.Write(&b, r.Execution)
	}
	fmt.Fprintf(&b, "%d steps, %d switches", f.Steps, f.Switches)
	if r.From > f.Switches {
		fmt.Fprintf(&b, " (it was found with %d)", r.From)
	}
	fmt.Fprintf(&b, "; schedule %s\n", f.Schedule)
	fmt.Fprintf(&b, "%v\n", r.Certificate)
	if r.Unsteady != "" {
		fmt.Fprintf(&b, "the steps are those of the execution that was found; it could not be run again: %s\n", r.Unsteady)
	}
	if f.Stack != "" {
		fmt.Fprintf(&b, "%s\n", strings.TrimSpace(f.Stack))
	}
	if reproduce != "" {
		fmt.Fprintf(&b, "to reproduce: %s\n", reproduce)
	}
	return strings.TrimRight(b.String(), "\n")
}
