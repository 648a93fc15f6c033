package checks

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// changes is a target that is another one in each of its first runs.
type changes struct {
	Target
	first []Target
}

func (c *changes) Run(ctx context.Context, p *record.TaskProgram) (*record.TaskRun, error) {
	if len(c.first) == 0 {
		return c.Target.Run(ctx, p)
	}
	run, err := c.first[0].Run(ctx, p)
	c.first = c.first[1:]
	return run, err
}

// stalls is a target that stands still where another one comes to rest.
type stalls struct{ Target }

func (s stalls) Run(ctx context.Context, p *record.TaskProgram) (*record.TaskRun, error) {
	run, err := s.Target.Run(ctx, p)
	if err == nil {
		for i := range run.Events {
			if e := &run.Events[i]; e.What == record.AtRest {
				e.What = record.Stalled // as if somebody had run all the time
			}
		}
	}
	return run, err
}

// resultOf carries out one check of a target, and returns how it ended, and which requirements were found broken.
func resultOf(t *testing.T, c check, target Target) (result suite.Result, found string) {
	t.Helper()
	o := suite.Options{Seed: 1, Budget: time.Minute, Witnesses: []spec.Witness{spec.Stress}, Sink: func(e suite.Event) {
		if e.Finding != nil {
			found += e.Finding.Requirement
		}
		if e.Result != nil {
			result = *e.Result
		}
	}}
	subject := &suite.Subject{Name: "scheduler", Checks: []suite.Check{c.suite()}}
	if err := suite.Run(t.Context(), o, suite.Opened(subject, target)); err != nil {
		t.Fatal(err)
	}
	return result, found
}

// TestStallComesAgain holds that what a run shows that stands still while somebody runs is believed when it comes again, and that nobody is
// blamed if it does not: it may have been the machine.
func TestStallComesAgain(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "TM-LEAVES")
	open := func(b leaveBug) Target {
		target, err := hurried(spec.Pool, newLeavePool(b))
		if err != nil {
			t.Fatal(err)
		}
		return target
	}
	wrong := stalls{open(sleepsOn)}
	nap := check{name: "stress/nap", witness: spec.Stress, requirements: []string{"TM-LEAVES"}, graphs: func(facts, *suite.Task) ([]record.TaskGraph, string) {
		return []record.TaskGraph{{Name: "one naps until another has run", Workers: 1, Outside: []string{"s0 w1 s1"}, Tasks: []string{"a1 k0", "a0"}}}, ""
	}}
	for name, c := range map[string]struct {
		wrong []Target
		ended suite.Ended
		falls string
	}{
		"twice": {[]Target{wrong, wrong}, suite.Completed, "TM-LEAVES"}, "once": {[]Target{wrong}, suite.Inconclusive, ""},
	} {
		result, found := resultOf(t, nap, &changes{open(noLeaveBug), c.wrong})
		if result.Ended != c.ended || found != c.falls || c.falls == "" && !strings.Contains(result.Reason, "ended when it was run again") {
			t.Errorf("%s: expected %s, %q; saw %s, %q: %s", name, c.ended, c.falls, result.Ended, found, result.Reason)
		}
	}
}
