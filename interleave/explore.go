package interleave

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/settings"
	"github.com/spindle-go/spindle/interleave/table"
	"github.com/spindle-go/spindle/spec/record"
)

// ErrUncontrolled is wrapped by the error about code that cannot be controlled: README.md
// lists what that is.
var ErrUncontrolled = engine.ErrUncontrolled

// A Report is what an exploration has to say.
type Report struct {
	Certificate Certificate
	Failure     *Failure `json:",omitempty"` // with the fewest switches that were found; nil if all was right
	// Execution is the failure, step by step; nil if all was right.
	Execution *record.Execution `json:",omitempty"`
	// Unsteady says why the failure could not be shown again, if so: then Failure and
	// Execution are as they were found.
	Unsteady string `json:",omitempty"`
	// Shrunk counts the executions that the search for fewer switches took, and From is how
	// many switches there were when the failure was found. The certificate counts neither.
	Shrunk, From int
}

// Explore explores body in this process: what is to be controlled must use the packages
// interleave/atomic and interleave/sync, by its own imports or because the program was
// instrumented (harness.Remote). A failure that was found is in the report and no error.
// Errors wrap ErrUncontrolled, or are about the options.
func Explore(body func(*Exec), opts ...Option) (Report, error) {
	return explore(body, settings.Of(opts))
}

func explore(body func(*Exec), o settings.Settings) (Report, error) {
	var r Report
	run := engineBody(body)
	c, f, err := engine.Explore(o.Options, run)
	r.Certificate = Certificate(c)
	if err != nil || f == nil {
		return r, err
	}
	found := f
	r.From = f.Switches
	plain := engine.Options{Steps: o.Steps, TSO: o.TSO, Looks: f.Looks, Retries: o.Retries, Outside: o.Outside}
	if o.Strategy != engine.Replay && !f.ByTheClock() {
		small, spent, err := engine.Shrink(plain, run, f)
		if err == nil {
			f, r.Shrunk = small, spent.Executions
		}
	}
	r.Failure = failure(f)
	t, err := engine.Explain(plain, run, f.Schedule)
	switch {
	case err != nil:
		r.Unsteady = strings.TrimPrefix(err.Error(), "interleave: ")
	case t.Failure == nil:
		r.Unsteady = "the same schedule gave no failure"
	default:
		if string(t.Failure.Kind) == string(r.Failure.Kind) {
			r.Failure.Message = t.Failure.Message // which says who has called a dependency
		}
		r.Execution = execution(t)
		return r, nil
	}
	// A failure that was found is shown, whatever comes after.
	r.Failure, r.Execution = failure(found), execution(found.Found())
	return r, nil
}

// Text words the report for a test's log: the certificate if all was right; otherwise
// what is wrong, the steps as a table, and reproduce, the command that shows it again,
// unless it is empty. The text has several lines, and no newline at its end.
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
