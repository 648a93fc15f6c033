package certificate

import (
	"strings"
	"testing"
	"time"
)

// TestCertificate has each way in which a search is less than complete, and a
// sentence that must not read like one of a search that is.
func TestCertificate(t *testing.T) {
	whole := func() Certificate {
		return Certificate{Exhausted: Exhausted{Classes: true, Preemptions: -1}, Ended: ByExhaustion, Bounds: Bounds{Preemptions: -1}, Executions: 4, Classes: 4, Steps: 30, Longest: 9}
	}
	if c := whole(); !c.Complete() || c.String() != "complete: 4 executions, no bound, 30 steps, at most 9 in one" {
		t.Errorf("the whole: %v", c)
	}
	if c := whole(); true {
		c.Cuts.Iterations = 3
		if !c.Complete() || c.String() != "complete up to repeated iterations: 4 executions, 3 iterations cut, 30 steps, at most 9 in one" {
			t.Errorf("iterations: %v", c)
		}
	}
	for name, e := range map[string]struct {
		change func(*Certificate)
		says   string
	}{
		"nothing":         {func(c *Certificate) { *c = Certificate{} }, "not complete (it has not ended): 0 executions"},
		"executions":      {func(c *Certificate) { c.Ended, c.Bounds.Executions = ByExecutions, 4 }, "not complete (4 executions): 4 executions"},
		"time":            {func(c *Certificate) { c.Ended, c.Bounds.Time = ByTime, time.Minute }, "not complete (after 1m0s)"},
		"failure":         {func(c *Certificate) { c.Ended = ByFailure }, "not complete (failed)"},
		"caller":          {func(c *Certificate) { c.Ended = ByCaller }, "not complete (ended by the caller)"},
		"schedule":        {func(c *Certificate) { c.Ended = ByOneSchedule }, "not complete (one schedule)"},
		"chance":          {func(c *Certificate) { c.Ended = ByChance }, "not complete (by chance)"},
		"preemptions":     {func(c *Certificate) { c.Exhausted = Exhausted{Preemptions: 2} }, "not complete (bounded): 4 executions, all with up to 2 preemptions"},
		"threads":         {func(c *Certificate) { c.Cuts.Threads = 1 }, "1 threads could not be ended"},
		"failures":        {func(c *Certificate) { c.Cuts.Failures = 2 }, "2 executions failed in the middle"},
		"bound":           {func(c *Certificate) { c.Cuts.Bound, c.Bounds.Steps = 2, 20 }, "2 executions cut at 20 steps"},
		"all wait":        {func(c *Certificate) { c.Blocked = 4 }, "not complete (all executions end in loops that wait)"},
		"no step":         {func(c *Certificate) { c.Steps = 0 }, "explored all orders of what was seen: 4 executions"},
		"a doubt":         {func(c *Certificate) { c.Doubts = doubts("not seen") }, "explored all orders of what was seen: 4 executions, 30 steps, at most 9 in one; not seen: package expvar (x.go:12)"},
		"chance reached":  {func(c *Certificate) { c.Doubts = doubts("chance") }, "; chance: package expvar (x.go:12)"},
		"doubt and bound": {func(c *Certificate) { c.Ended, c.Doubts = ByTime, doubts("not compared") }, "; not compared: package expvar (x.go:12)"},
	} {
		c := whole()
		e.change(&c)
		s := c.String()
		if c.Complete() || strings.HasPrefix(s, "complete") || !strings.Contains(s, e.says) {
			t.Errorf("%s: expected %q and nothing complete; observed %q", name, e.says, s)
		}
		if c.Executions == 0 {
			continue // the sum of none
		}
		for _, sum := range []Certificate{add(whole(), c), add(c, whole())} {
			if sum.Complete() || strings.HasPrefix(sum.String(), "complete") {
				t.Errorf("%s beside what is complete: %v", name, sum)
			}
		}
	}
	if c := add(Certificate{}, whole()); !c.Complete() {
		t.Errorf("one alone: %v", c)
	}
	if c := add(whole(), whole()); !c.Complete() || c.Executions != 8 || c.Steps != 60 {
		t.Errorf("two: %v", c)
	}
	if c := whole(); true {
		c.Blocked = 1
		if c.Add(c); !c.Complete() || c.Blocked != 2 || c.Classes != 8 || !strings.HasPrefix(c.String(), "complete: 6 executions") {
			t.Errorf("two in which some wait: %v", c)
		}
	}
	if c := whole(); true {
		c.NoRaces = true
		if s := c.String(); !strings.HasSuffix(s, "; plain accesses were not looked at") {
			t.Errorf("without races: %s", s)
		}
	}
	c := add(whole(), whole())
	c.Doubts = doubts("chance")
	if c.Add(c); len(c.Doubts) != 1 || c.Doubts[0].Count != 2 {
		t.Errorf("each doubt once: %v", c.Doubts)
	}
}

func doubts(kind DoubtKind) []Doubt {
	return []Doubt{{Kind: kind, What: "package expvar", Where: "x.go:12", Count: 1}}
}

func add(a, b Certificate) Certificate {
	a.Add(b)
	return a
}
