package interleave_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/internal/tier"
)

// A tally is what an exploration to its end, through all failures, comes to.
type tally struct {
	Certificate interleave.Certificate
	Ended       int // executions that came to their end
	Blocked     int
	Failures    map[engine.FailureKind]int
}

// count explores programs in an instrumented binary, through all failures.
func count(t *testing.T, programs []func(*interleave.Exec)) []tally {
	t.Helper()
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var all []tally
		for _, p := range programs {
			n := tally{Failures: make(map[engine.FailureKind]int)}
			c, _, err := engine.Explore(engine.Options{Strategy: engine.Exhaustive, Each: func(v *engine.View) bool {
				switch f := v.Failure(); {
				case f != nil:
					n.Failures[f.Kind]++
				case v.Waits():
					n.Blocked++
				default:
					n.Ended++
				}
				return true
			}}, func(x *engine.Exec) { p((*interleave.Exec)(x)) })
			if err != nil {
				return nil, err
			}
			n.Certificate = interleave.Certificate(c)
			all = append(all, n)
		}
		return json.Marshal(all)
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []tally
	if payload != nil {
		if err := json.Unmarshal(payload, &all); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// explored explores programs in an instrumented binary and returns the reports.
func explored(t *testing.T, programs []func(*interleave.Exec), opts ...interleave.Option) []interleave.Report {
	t.Helper()
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var reports []interleave.Report
		for _, p := range programs {
			r, err := interleave.Explore(p, opts...)
			if err != nil {
				return nil, err
			}
			reports = append(reports, r)
		}
		return json.Marshal(reports)
	}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	var reports []interleave.Report
	if payload != nil {
		if err := json.Unmarshal(payload, &reports); err != nil {
			t.Fatal(err)
		}
	}
	return reports
}

// two runs two threads through a critical section.
func two(x *interleave.Exec, lock, unlock func()) {
	shared := 0
	for i := range 2 {
		x.Go("", func() {
			lock()
			shared = i
			if shared != i {
				x.Fatalf("two are inside")
			}
			unlock()
		})
	}
}

// TestAwaits: programs that wait need about the executions that GenMC needs.
func TestAwaits(t *testing.T) {
	tier.OnlyFull(t)
	var programs []func(*interleave.Exec)
	for _, a := range awaits {
		programs = append(programs, a.body)
	}
	for i, n := range count(t, programs) {
		a, c := awaits[i], n.Certificate
		t.Logf("%s: %d executions, GenMC %d; %d blocked, %v; %v", a.name, n.Ended, a.genmc, n.Blocked, n.Failures, c)
		if !c.Complete() || c.Cuts.Iterations != 0 || !strings.HasPrefix(c.String(), "complete: ") || len(n.Failures) > 0 != a.livelock {
			t.Errorf("%s: %v, %v", a.name, c, n.Failures)
		}
		if n.Ended < a.genmc || 2*n.Ended > 3*a.genmc {
			t.Errorf("%s: %d executions come to their end, want %d to half as many more", a.name, n.Ended, a.genmc)
		}
	}
}
