package main

import (
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/peers/fixture"
)

// A search that takes less than atLeast is repeated so long, attempts times, and
// the attempt counts that took the least CPU time: of a single one of 30
// microseconds there is no telling how long it took, and others use the machine.
const (
	atLeast  = 50 * time.Millisecond
	attempts = 5
)

// explore runs a script under the explorer of this repository: what
// fixture.Script.Program returns, once for each execution. It stops soon after
// limit of wall time, and in mode hunt at the first finding.
func explore(s fixture.Script, m mode, limit time.Duration, seed uint64) (row, error) {
	best, err := attempt(s, m, limit, seed)
	if m != exhaust || best.Runs == 1 {
		return best, err
	}
	for n := 1; n < attempts && err == nil; n++ {
		var r row
		if r, err = attempt(s, m, limit, seed); r.CPU < best.CPU {
			best = r
		}
	}
	return best, err
}

func attempt(s fixture.Script, m mode, limit time.Duration, seed uint64) (row, error) {
	opts := []interleave.Option{interleave.Seed(seed), interleave.Budget(limit)}
	switch m {
	case exhaust:
		opts = append(opts, interleave.Exhaustive())
	case random:
		opts = append(opts, interleave.Random())
	}
	r := newRow(ourselves, m, s)
	begin, cpu := time.Now(), cpuTime()
	for {
		report, err := interleave.Explore(func(x *interleave.Exec) { body(x, s) }, opts...)
		if err != nil {
			return r, err
		}
		r.Runs++
		r.Executions = report.Certificate.Executions
		r.Complete = report.Certificate.Complete()
		if f := report.Failure; f != nil {
			r.Found, r.Finding, r.Switches = true, f.Message, f.Switches
			r.Shrink = (time.Since(begin) - report.Certificate.Elapsed).Seconds()
		}
		if m != exhaust || time.Since(begin) > min(atLeast, limit) {
			break
		}
	}
	r.Seconds = time.Since(begin).Seconds()/float64(r.Runs) - r.Shrink
	r.CPU = (cpuTime() - cpu).Seconds() / float64(r.Runs)
	return r, nil
}

func body(x *interleave.Exec, s fixture.Script) {
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
