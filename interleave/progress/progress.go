// Package progress stops threads for ever, each at each of its steps in turn, and says which
// operations of the others come to their end all the same: the difference between code that
// is lock-free and code that is not.
//
//	report, err := progress.Explore(func(x *interleave.Exec) {
//		s := New()
//		x.Go("a", func() { progress.Do(x, "push", func() { s.Push(1) }) })
//		x.Go("b", func() { progress.Do(x, "pop", func() { s.Pop() }) })
//	})
//
// In a test, call it inside of harness.Remote, so that the code is instrumented.
package progress

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/settings"
)

// A Report says what becomes of the others when a thread is stopped for ever, at any of its
// steps.
type Report struct {
	Operations []Operation // by name
	Executions int         // in all
	Stops      int         // places at which a thread was stopped
	Complete   bool        // each was explored to the end
}

// An Operation is one that the threads made by Do.
type Operation struct {
	Name string // "" for what they did outside of Do
	// Steps is the most steps of its own that it took while it came to its end.
	Steps int
	// Blocks is a stop after which the operation never completes. It is nil if
	// the operation always completes, in these scenarios.
	Blocks *Stop
}

// A Stop is a thread that was stopped, and what that did.
type Stop struct {
	Thread   int    // by the order in which the body added it, from 0
	After    int    // so many steps of its own
	Waiting  string // the thread that could not go on, and what it waits for
	Schedule string // of the execution in which that was seen
}

// Do runs f as an operation, called name, of the thread that calls Do. Operations of one name
// are one line of the report. It is for threads of body, under Explore and elsewhere: where
// nobody is stopped it only calls f.
func Do(x *interleave.Exec, name string, f func()) { (*engine.Exec)(x).Do(name, f) }

// Explore freezes each thread that body adds, at each of its steps in turn, and explores what
// the others do, exhaustively: whether each operation that they make by Do comes to its end. An
// operation that always does, in an algorithm without locks, is lock-free or better; one that
// does not needs the thread that was stopped.
//
// The code must be controlled, as with interleave.Explore. Of the options those that bound one
// exploration count, for each place anew, and TSO. Errors are those of interleave.Explore, and
// a failure that has nothing to do with a stopped thread.
func Explore(body func(*interleave.Exec), opts ...interleave.Option) (Report, error) {
	o := settings.Of(opts)
	run := func(x *engine.Exec) { body((*interleave.Exec)(x)) }
	var r Report
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
		c, _, err := engine.Explore(eo, run)
		r.Executions += c.Executions
		r.Complete = r.Complete && c.Complete()
		if err == nil {
			err = bad
		}
		return err
	}
	err := explore(nil, func(v *engine.View) error {
		if f := v.Failure(); f != nil {
			return fmt.Errorf("progress: what is explored is wrong when nobody is stopped: %s: %s (schedule %s)", f.Kind, f.Message, f.Schedule)
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

// Write writes the report for people: a line for each operation, and one on what was done.
// Errors are those of w.
func (r *Report) Write(w io.Writer) error {
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
