package checks

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// shortly makes the time of a scenario short.
func shortly(t *testing.T, limit time.Duration) {
	old := scenarioTimeout
	scenarioTimeout = limit
	t.Cleanup(func() { scenarioTimeout = old })
}

// hanging is a check of few calls.
var hanging = check{
	name: "sequence/hanging", witness: spec.Sequence, requirements: []string{"RQ-CRASH", "RQ-FIFO"}, scenarios: 4,
	scenario: func(g *gen, i int) record.Scenario {
		return record.Scenario{Name: "few", Ps: 1, Threads: []record.Thread{{Script: "pg"}}, Order: []int{0, 0}}
	},
}

// TestHangOnce: what ends when it is run again does not hang. Nobody knows what it
// was, so the check is inconclusive, and says both.
func TestHangOnce(t *testing.T) {
	shortly(t, 100*time.Millisecond)
	release := make(chan struct{})
	defer close(release)
	var gets atomic.Int32
	out, broken := carried(t, hanging, spec.FIFO, func() queue.Queue {
		return &simple{get: func(q *simple) (record.ID, bool) {
			if gets.Add(1) == 1 {
				<-release
			}
			return q.first()
		}}
	})
	if len(broken) > 0 || out.Ended != suite.Inconclusive || !strings.Contains(out.Reason, "no answer within") || !strings.Contains(out.Reason, "ended when it was run again") {
		t.Errorf("expected no finding, and both tries reported, saw %v, %+v", broken, out)
	}
}

// TestHangAlways: what hangs again is a finding, which tells of both tries.
func TestHangAlways(t *testing.T) {
	tier.OnlyFull(t)
	shortly(t, 100*time.Millisecond)
	release := make(chan struct{})
	defer close(release)
	f, events := run(t, suite.Options{Seed: 1, Select: "^sequence/order$"}, spec.FIFO, func() queue.Queue {
		return &simple{get: func(q *simple) (record.ID, bool) { <-release; return 0, false }}
	})
	i := slices.IndexFunc(events, func(e suite.Event) bool { return e.Event == suite.FindingEvent })
	if i < 0 || f.Exit != 1 || events[i].Finding.Fingerprint != "RQ-CRASH/hang" || !strings.Contains(events[i].Finding.Observed, "(run again; before: no answer within ") {
		t.Errorf("expected exit 1 and both tries, saw %+v", f.Reasons)
	}
}

// TestSlow: calls that return, but late, are no hang.
func TestSlow(t *testing.T) {
	shortly(t, 50*time.Millisecond)
	out, broken := carried(t, hanging, spec.FIFO, func() queue.Queue {
		return &simple{get: func(q *simple) (record.ID, bool) { time.Sleep(150 * time.Millisecond); return q.first() }}
	})
	if len(broken) > 0 || out.Ended != suite.Inconclusive || !strings.Contains(out.Reason, "calls that take longer, but return") {
		t.Errorf("expected no finding, saw %v, %+v", broken, out)
	}
}

// TestBudgetInAScenario: the run's own end, in the middle of a call, is no finding.
func TestBudgetInAScenario(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	f, events := run(t, suite.Options{Seed: 1, Select: "^sequence/order$", Budget: 100 * time.Millisecond}, spec.FIFO, func() queue.Queue {
		return &simple{get: func(q *simple) (record.ID, bool) { <-release; return 0, false }}
	})
	if ids := brokenIDs(events); len(ids) > 0 || f.Exit != 3 {
		t.Errorf("expected exit 3 and no finding, saw %v, %+v", ids, f.Reasons)
	}
}

// wedge is a queue of which a get does not return when it is the nth.
func wedge(n int, release chan struct{}) func() queue.Queue {
	return func() queue.Queue {
		gets := 0
		return &simple{get: func(q *simple) (record.ID, bool) {
			if gets++; gets == n {
				<-release
			}
			return q.first()
		}}
	}
}

// TestHangIsNamed: of a call that does not return it is told which it is, where it is, and what
// was called before; and the scenario ends with it, though more calls were planned.
func TestHangIsNamed(t *testing.T) {
	shortly(t, 100*time.Millisecond)
	ordered, free := hanging, hanging
	ordered.scenario = func(g *gen, i int) record.Scenario {
		l := newLine(1).times(20, 0, "pg")
		l.order = nil
		for range 40 {
			l.order = append(l.order, 0)
		}
		return record.Scenario{Name: "ordered", Ps: 1, Threads: []record.Thread{{Script: l.scripts[0].String()}}, Order: l.order}
	}
	free.name, free.witness = "stress/hanging", spec.Stress
	free.scenario = func(g *gen, i int) record.Scenario {
		return record.Scenario{Name: "free", Ps: 1, Threads: []record.Thread{{P: record.None, Script: "e0e0"}, {Script: "pgpg", Repeat: 50}}}
	}
	for _, c := range []struct {
		check check
		want  string // of the scenario
	}{
		{ordered, "thread P0: pgpgpgpgpg\norder: 0 0 0 0 0 0 0 0 0 0"},
		{free, "thread P0 x5: pg"},
	} {
		release := make(chan struct{})
		var found []record.Finding
		q := target(t, wedge(5, release))
		s := c.check.suite()
		_, err := gate.Run(t.Context(), suite.Options{Seed: 1, Sink: func(e suite.Event) {
			if e.Event == suite.FindingEvent {
				found = append(found, *e.Finding)
			}
		}}, suite.Opened(&suite.Subject{Name: "queue", Checks: []suite.Check{s}}, q))
		close(release)
		if err != nil || len(found) != 1 || found[0].Fingerprint != hangsAs {
			t.Errorf("%s: expected one hang, saw %+v, %v", s.Name, found, err)
			continue
		}
		f := found[0]
		var asked, calls []string
		for _, e := range f.Evidence {
			switch e.Kind {
			case record.Asked:
				asked = e.Lines
			case record.Calls:
				calls = e.Lines
			}
		}
		if !strings.Contains(f.Observed, " to T0 get ") || !strings.Contains(f.Observed, ", at checks.") || !strings.Contains(f.Observed, " (hang_test.go:") {
			t.Errorf("%s: expected the call and its place, saw %s", s.Name, f.Observed)
		}
		if text := strings.Join(asked, "\n"); !strings.Contains(text, c.want) {
			t.Errorf("%s: expected the scenario up to the call that hangs, %q, saw\n%s", s.Name, c.want, text)
		}
		if len(calls) != 10 || !strings.Contains(calls[9], "..?]") {
			t.Errorf("%s: expected ten calls, of which the last does not return, saw %q", s.Name, calls)
		}
	}
}

// TestHangKeepsTheOthers: what hangs ends its scenario, and neither the check nor those behind it.
func TestHangKeepsTheOthers(t *testing.T) {
	shortly(t, 100*time.Millisecond)
	release := make(chan struct{})
	defer close(release)
	later := hanging
	later.name = "sequence/later"
	var list []suite.Check
	for _, c := range []check{hanging, later} {
		scenario := c.scenario
		c.scenario = func(g *gen, i int) record.Scenario {
			s := scenario(g, i)
			if i == 0 && c.name == hanging.name {
				s.Threads[0].Script, s.Order = "pgpgpg", []int{0, 0, 0, 0, 0, 0}
			}
			return s
		}
		list = append(list, c.suite())
	}
	ended := make(map[string]*suite.Result)
	if _, err := gate.Run(t.Context(), suite.Options{Seed: 1, Sink: func(e suite.Event) {
		if e.Event == suite.CheckEvent {
			ended[e.Check] = e.Result
		}
	}}, suite.Opened(&suite.Subject{Name: "queue", Checks: list}, target(t, wedge(3, release)))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{hanging.name: 4, later.name: 4} {
		if r := ended[name]; r == nil || r.Ended != suite.Completed || r.Scenarios < want {
			t.Errorf("%s: expected that it is carried out, saw %+v", name, r)
		}
	}
}
