package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/published"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/peers/fixture"
)

// An exhaustive search that takes less than atLeast is repeated so long within its
// process: of a single one of 30 microseconds there is no telling how long it
// took. rust/src/outcome.rs has the same number.
const atLeast = 200 * time.Millisecond

// answer is what the instrumented copy of this command does: it runs the task and
// prints the row.
func answer(args []string, stdout io.Writer) error {
	var t task
	if len(args) != 1 {
		return fmt.Errorf("expected one task; observed %q", args)
	}
	if err := json.Unmarshal([]byte(args[0]), &t); err != nil {
		return err
	}
	engine.PlainAccesses = true // as in a test without NoRaces
	r, err := explore(t)
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(r)
}

// explore runs a task under the explorer of this repository. It stops soon after
// the limit of wall time, and in mode hunt at the first finding.
func explore(t task) (row, error) {
	body, err := t.body()
	if err != nil {
		return row{}, err
	}
	opts := []interleave.Option{interleave.Seed(t.Seed), interleave.Budget(t.Limit)}
	switch t.Mode {
	case exhaust:
		opts = append(opts, interleave.Exhaustive())
	case random:
		opts = append(opts, interleave.Random())
	}
	r := newRow(t)
	begin := time.Now()
	for {
		report, err := interleave.Explore(body, opts...)
		if err != nil {
			return r, err
		}
		c := report.Certificate
		r.Runs++
		r.Executions, r.Classes, r.Complete = c.Executions, c.Classes, c.Complete()
		if f := report.Failure; f != nil {
			r.Found, r.Finding, r.Switches = true, f.Message, f.Switches
			r.Shrink = (time.Since(begin) - c.Elapsed).Seconds()
		}
		if t.Mode != exhaust || r.Found || time.Since(begin) > min(atLeast, t.Limit) {
			break
		}
	}
	r.Seconds = time.Since(begin).Seconds()/float64(r.Runs) - r.Shrink
	return r, nil
}

// body returns what is explored.
func (t task) body() (func(*interleave.Exec), error) {
	var threads func() []func()
	all := published.Exact()
	i := slices.IndexFunc(all, func(p published.Program) bool { return p.Name == t.Program })
	switch {
	case t.Program == "":
		return func(x *interleave.Exec) { ring(x, t.Script) }, nil
	case t.Program == racy:
		threads = fixture.Racy
	case i < 0:
		return nil, fmt.Errorf("program %q: package published has none of that name", t.Program)
	default:
		threads = all[i].New
	}
	return func(x *interleave.Exec) {
		for _, f := range threads() {
			x.Go("", f)
		}
	}, nil
}

func ring(x *interleave.Exec, s fixture.Script) {
	owner, thieves, check := s.Program()
	x.Go("owner", owner)
	for _, t := range thieves {
		x.Go("thief", t)
	}
	x.Finally(func() {
		if err := check(); err != nil {
			x.Fatalf("%v", err)
		}
	})
}
