package interleave

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// A ProgressReport says what becomes of the others when a thread is stopped for
// ever, at any of its steps.
type ProgressReport struct {
	Operations []Operation // by name
	Executions int         // in all
	Stops      int         // places at which a thread was stopped
	Complete   bool        // each was explored to the end
}

// An Operation is one that the threads made by Exec.Do.
type Operation struct {
	Name string
	// Steps is the most steps of its own that it took while it came to its end.
	Steps int
	// Blocks says how it can be kept from its end for ever: nil if it finishes
	// whoever is stopped wherever, in these scenarios.
	Blocks *Stop
}

// A Stop is a thread that was stopped, and what that did.
type Stop struct {
	Thread   int    // by the order in which the body made it
	After    int    // so many steps of its own
	Waiting  string // the thread that could not go on, and what it waits for
	Schedule string
}

// Progress freezes each thread that body makes, at each of its steps in turn, and
// explores what the others do: whether each operation that they make by Exec.Do
// comes to its end. An operation that always does, in an algorithm without locks,
// is lock-free or better; one that does not needs the thread that was stopped.
// Errors are those of Explore, and a failure that has nothing to do with a
// stopped thread.
func Progress(body func(*Exec), opts ...Option) (ProgressReport, error) {
	o := newOptions(opts)
	var r ProgressReport
	r.Complete = true
	ops := make(map[string]*Operation)
	var lengths []int
	explore := func(f *engine.Freeze, each func(*engine.View) error) error {
		eo := o.Options
		eo.Strategy, eo.Freeze, eo.Retries = engine.Exhaustive, f, true // the steps of retries count
		var bad error
		eo.Each = func(v *engine.View) bool {
			for name, n := range v.LongestOf() {
				op := ops[name]
				if op == nil {
					op = &Operation{Name: name}
					ops[name] = op
				}
				op.Steps = max(op.Steps, n)
			}
			bad = each(v)
			return bad == nil
		}
		c, _, err := engine.Explore(eo, body)
		r.Executions += c.Executions
		r.Complete = r.Complete && c.Complete()
		if err == nil {
			err = bad
		}
		return err
	}
	err := explore(nil, func(v *engine.View) error {
		if f := v.Failure(); f != nil {
			return fmt.Errorf("interleave: Progress of what is wrong when nobody is stopped: %s: %s (schedule %s)", f.Kind, f.Message, f.Schedule)
		}
		for i, n := range v.Lengths() {
			if i == len(lengths) {
				lengths = append(lengths, 0)
			}
			lengths[i] = max(lengths[i], n)
		}
		return nil
	})
	if err != nil {
		return r, err
	}
	for t, n := range lengths {
		for after := range n {
			r.Stops++
			err := explore(&engine.Freeze{Thread: t, After: after}, func(v *engine.View) error {
				f := v.Failure()
				if f == nil || f.Kind != engine.Deadlock && f.Kind != engine.Livelock && f.Kind != engine.StepBound {
					return nil // what is left undone may well look wrong
				}
				for _, b := range v.Blocked() {
					op := ops[b.Label]
					if op == nil {
						op = &Operation{Name: b.Label}
						ops[b.Label] = op
					}
					if op.Blocks == nil {
						op.Blocks = &Stop{t, after, b.Thread + " waits at " + b.At, f.Schedule}
					}
				}
				return nil
			})
			if err != nil {
				return r, err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ops)) {
		r.Operations = append(r.Operations, *ops[name])
	}
	return r, nil
}

// Write writes the report, a line for each operation.
func (r *ProgressReport) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, op := range r.Operations {
		name := op.Name
		if name == "" {
			name = "(outside of Do)"
		}
		if op.Blocks == nil {
			fmt.Fprintf(t, "%s\tfinishes in these scenarios\tat most %d steps of its own\n", name, op.Steps)
			continue
		}
		fmt.Fprintf(t, "%s\tblocks\twhen thread %d is stopped after %d steps: %s\n", name, op.Blocks.Thread, op.Blocks.After, op.Blocks.Waiting)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	how := "each explored to the end"
	if !r.Complete {
		how = "not all explored to the end"
	}
	_, err := fmt.Fprintf(w, "%d places at which a thread was stopped for ever, %s: %d executions\n", r.Stops, how, r.Executions)
	return err
}
