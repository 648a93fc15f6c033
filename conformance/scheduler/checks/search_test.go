package checks

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// dies is a pool whose factory panics for more than one worker.
func dies(workers int) scheduler.Scheduler {
	if workers > 1 {
		panic("no pool today")
	}
	return newWrongPool(workers, noBug)
}

// TestSearch holds that the first fault is found, that the limits hold and are told, and that a target which cannot be explored is no
// target without a fault.
func TestSearch(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-IDLE")
	enough := suite.Limits{Scenarios: 60, Each: 200, Executions: 20_000}
	few := enough
	few.Executions = 200
	less := enough
	less.Without = []string{"tail"}
	for _, c := range tier.Some(t, []struct {
		name    string
		f       scheduler.Factory
		profile spec.Profile
		limits  suite.Limits
		hit     string
		open    string
		error   string
	}{
		{name: "right", f: wrong(noBug), limits: enough, open: "not complete"},
		{name: "a lost wake-up", f: wrong(looksThenSleeps), limits: enough, hit: "SC-WORK"},
		{name: "one of many tasks", f: wrong(queuesTwice), limits: enough, hit: "SC-TWICE"},
		{name: "no rest", f: wrong(looksForEver), limits: enough, hit: "SC-IDLE"},
		{name: "no rest beside a task", f: wrong(looksBeside), limits: enough, hit: "SC-SPIN"},
		{name: "an early end", f: wrong(closesEarly), limits: enough, hit: "SC-CLOSE-WAITS"},
		{name: "a panic", f: wrong(losesWorkers), profile: spec.Pool + ",panics=isolated", limits: enough, hit: "SC-PANIC"},
		{name: "a panic that may be", f: wrong(losesWorkers), limits: enough, open: "not complete"},
		{name: "a factory that panics", f: dies, limits: enough, hit: "SC-CALLS"},
		{name: "too few in all", f: wrong(noBug), limits: few, open: "graphs were tried"},
		{name: "less", f: wrong(noBug), limits: less, error: `saw ["tail"]`},
	}, 2) {
		t.Run(c.name, func(t *testing.T) {
			if c.profile == "" {
				c.profile = spec.Pool
			}
			target, err := Instrumented("x", c.profile, c.f, harness.Part{Of: 1})
			if err != nil {
				t.Fatal(err)
			}
			var watched []string
			c.limits.Watch = func(s string) { watched = append(watched, s) }
			got, err := Search(t.Context(), target, c.limits)
			if c.error != "" || err != nil {
				if c.error == "" || err == nil || !strings.Contains(err.Error(), c.error) {
					t.Errorf("expected the error %q, saw %v, %+v", c.error, err, got)
				}
				return
			}
			hit := ""
			if h := got.Hit; h != nil {
				hit = h.Requirement
				if h.Observed == "" || h.Witness != string(spec.Interleave) || !strings.HasSuffix(watched[len(watched)-1], h.Scenario) {
					t.Errorf("expected graph %s, and what was seen, saw %+v", watched[len(watched)-1], h)
				}
			}
			if hit != c.hit || hit == "" && got.Open == "" || !strings.Contains(got.Open, c.open) || got.Digest != "" {
				t.Errorf("expected hit %q, open %q; saw %+v, %+v", c.hit, c.open, got, got.Hit)
			}
			if got.Executions == 0 || got.Executions > c.limits.Executions {
				t.Errorf("expected at most %d executions, saw %d", c.limits.Executions, got.Executions)
			}
		})
	}
	target, err := InProcess("x", spec.Pool, wrong(noBug))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Search(t.Context(), target, enough); err == nil {
		t.Error("not instrumented: expected an error, saw none")
	}
}

// loser runs so many tasks, and loses what comes then.
type loser struct {
	scheduler.Scheduler
	runs int
}

func (s *loser) Submit(task func(scheduler.Task)) error {
	if s.runs--; s.runs < 0 {
		return nil
	}
	return s.Scheduler.Submit(task)
}

// TestRests holds that a scheduler is judged at rest only where all was done that is to be done before.
func TestRests(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-IDLE")
	one := record.TaskGraph{Name: "one", Workers: 2, Outside: []string{"s0"}, Tasks: []string{""}}
	alone := one
	alone.Workers = 1
	closes := record.TaskGraph{Workers: 2, Outside: []string{"s0 c"}, Tasks: []string{""}}
	losing := func(keep int) scheduler.Factory {
		return func(workers int) scheduler.Scheduler { return &loser{newWrongPool(workers, noBug), keep} }
	}
	idle, spin := rests[0], rests[1]
	for name, c := range map[string]struct {
		f                  scheduler.Factory
		g                  record.TaskGraph
		rest               rest
		run, judged, found bool
	}{
		"right": {wrong(noBug), one, idle, true, true, false}, "goes round": {wrong(looksForEver), one, idle, true, true, true},
		"loses its task":   {losing(0), one, idle, true, false, false},
		"right, beside":    {wrong(noBug), one, spin, true, true, false},
		"goes round alone": {wrong(looksBeside), one, idle, true, true, false}, "goes round beside": {wrong(looksBeside), one, spin, true, true, true},
		"loses the one that keeps a worker": {losing(1), one, spin, true, false, false},
		"no other worker":                   {wrong(looksBeside), alone, spin, false, false, false},
		"closes":                            {wrong(looksForEver), closes, idle, false, false, false},
	} {
		target, err := Instrumented("x", spec.Pool, wrong(noBug), harness.Part{Of: 1})
		if err != nil {
			t.Fatal(err)
		}
		target.(*inProcess).factory = c.f // which would be probed in vain
		x := exploring{t: target.(*inProcess), g: c.g}
		n, judged, f, err := x.rests(t.Context(), c.rest)
		if err != nil || (n > 0) != c.run || (judged > 0) != c.judged || (f != nil) != c.found || f != nil && f.Requirement != c.rest.id {
			t.Errorf("%s: expected run %v, judged %v, found %v; saw %d executions, %d judged, %+v, %v", name, c.run, c.judged, c.found, n, judged, f, err)
		}
	}
}
