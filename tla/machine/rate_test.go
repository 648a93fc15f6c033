//go:build unix

package machine

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

// childrenCPU is what the processes have used that this one started and that ended.
func childrenCPU(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestRate has TLC, with one worker, and the machine explore the same
// configurations, with counterexamples kept and the same invariants judged, and
// says how many distinct states each has a second of processor time. What Java
// needs to start counts for nobody: a run of a tiny model is taken off.
func TestRate(t *testing.T) {
	tier.OnlyFull(t)
	tool := tlctest.Find(t)
	_, start := theirs(t, tool, task(t, "runqueue-script-batch", true))
	t.Logf("to start, TLC takes %.1f s of CPU", start.Seconds())
	for _, c := range []struct {
		name     string
		symmetry bool
	}{
		{"sched-mended", true},
		{"sched-timer", false},
		{"runqueue-cap4", false}, // 7.7 million states: TLC needs minutes
	} {
		of := task(t, c.name, c.symmetry)
		m, err := Of(of)
		if err != nil {
			t.Fatal(err)
		}
		slow, took := theirs(t, tool, of)
		found := new(Result)
		runs := 0
		for begin := time.Now(); time.Since(begin) < 2*time.Second; runs++ { // processor time has coarse ticks
			r, err := m.Run(t.Context(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			r.CPU += found.CPU
			found = r
		}
		if found.Outcome != tlc.Holds || found.Distinct != slow.Distinct || found.Generated != slow.Generated || found.Depth != slow.Depth {
			t.Errorf("%s: TLC saw %v, %d generated, %d distinct, depth %d, the machine %v, %d, %d, %d", c.name,
				slow, slow.Generated, slow.Distinct, slow.Depth, &found.Result, found.Generated, found.Distinct, found.Depth)
		}
		tlcRate := float64(slow.Distinct) / (took - start).Seconds()
		rate := float64(found.Distinct) * float64(runs) / found.CPU.Seconds()
		t.Logf("%s, symmetry %v: %d distinct states; a second of CPU: TLC %.0f (%.0f with Java's start), the machine %.0f: %.0f times as many (%.0f)",
			c.name, c.symmetry, found.Distinct, tlcRate, float64(slow.Distinct)/took.Seconds(), rate, rate/tlcRate, rate*took.Seconds()/float64(slow.Distinct))
		if rate < 30*tlcRate {
			t.Errorf("%s: expected at least 30 times as many states, saw %.1f", c.name, rate/tlcRate)
		}
	}
}

// task is a model of the table, without its symmetry if that is not wanted.
func task(t *testing.T, name string, symmetry bool) *tla.Task {
	t.Helper()
	row, err := tla.Find(tla.Files, name)
	if err != nil {
		t.Fatal(err)
	}
	of, err := row.Task(tla.Files)
	if err != nil {
		t.Fatal(err)
	}
	if !symmetry {
		var kept []string
		for line := range strings.Lines(of.Config) {
			if !strings.HasPrefix(line, "SYMMETRY") {
				kept = append(kept, line)
			}
		}
		of.Config = strings.Join(kept, "")
	}
	return of
}

func theirs(t *testing.T, tool *tlc.Tool, of *tla.Task) (*tlc.Result, time.Duration) {
	t.Helper()
	before := childrenCPU(t)
	job, err := of.Job(tla.Files, 1)
	if err != nil {
		t.Fatal(err)
	}
	res, err := tool.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return res, childrenCPU(t) - before
}
