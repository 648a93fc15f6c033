package checks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// scripted is a right queue whose runs are what do makes of them.
type scripted struct {
	Target
	caps    queue.Capabilities
	profile spec.Profile // if it is another one
	do      func(n int, run func() (*record.History, error), s record.Scenario) (*record.History, error)
	runs    int
}

func (x *scripted) Capabilities() queue.Capabilities { return x.caps }

func (x *scripted) Describe() suite.Description {
	d := x.Target.Describe()
	d.Profile = cmp.Or(x.profile, d.Profile)
	return d
}

func (x *scripted) Run(ctx context.Context, s record.Scenario) (*record.History, error) {
	x.runs++
	return x.do(x.runs, func() (*record.History, error) { return x.Target.Run(ctx, s) }, s)
}

func script(t *testing.T, do func(n int, run func() (*record.History, error), s record.Scenario) (*record.History, error)) *scripted {
	target := inProcessTarget(t, spec.FIFO, func() queue.Queue { return new(simple) })
	return &scripted{Target: target, caps: target.Capabilities(), do: do}
}

// twice is a check of n scenarios of two puts and two gets, in a fixed order.
func twice(n int, ids ...string) check {
	return check{
		name: "sequence/twice", witness: spec.Sequence, requirements: ids, scenarios: n,
		scenario: func(g *gen, i int) record.Scenario {
			return record.Scenario{Name: fmt.Sprint(i), Ps: 1, Order: []int{0, 0, 0, 0}, Threads: []record.Thread{{Script: "ppgg"}}}
		},
	}
}

func hangOf() error { return &queue.HangError{After: time.Second} }

// TestHowAScenarioEnds: what one scenario of three comes to decides how the check
// ends, and what is a finding.
func TestHowAScenarioEnds(t *testing.T) {
	for name, c := range map[string]struct {
		second func() error // the error of the second run
		third  func() error
		ended  suite.Ended
		says   string
		found  string
	}{
		"well":                   {nil, nil, suite.Completed, "", ""},
		"it cannot be run":       {func() error { return errLost }, nil, suite.Inconclusive, "earlier calls hang", ""},
		"the harness's error":    {func() error { return errors.New("no pipe") }, nil, suite.Error, "no pipe", ""},
		"a hang, once":           {hangOf, nil, suite.Inconclusive, "the same scenario ended when it was run again", ""},
		"a hang, again":          {hangOf, hangOf, suite.Completed, "", "RQ-CRASH/hang"},
		"a hang and a crash":     {hangOf, func() error { return &queue.CrashError{Text: "dead"} }, suite.Completed, "", "RQ-CRASH"},
		"a hang and no answer":   {hangOf, func() error { return errors.New("no pipe") }, suite.Error, "no pipe", ""},
		"a crash":                {func() error { return &queue.CrashError{Text: "dead"} }, nil, suite.Completed, "", "RQ-CRASH"},
		"a crash in a known get": {func() error { return &queue.CrashError{Text: "dead", Op: record.Op{Kind: record.Get}} }, nil, suite.Completed, "", "RQ-CRASH"},
	} {
		t.Run(name, func(t *testing.T) {
			target := script(t, func(n int, run func() (*record.History, error), _ record.Scenario) (*record.History, error) {
				h, err := run()
				for at, do := range map[int]func() error{2: c.second, 3: c.third} {
					if n == at && do != nil {
						return nil, do()
					}
				}
				return h, err
			})
			out, events := carriedOn(t, t.Context(), twice(3, "RQ-LOST", "RQ-CRASH"), target)
			var found []string
			for _, e := range events {
				if e.Finding != nil {
					found = append(found, e.Finding.Fingerprint)
				}
			}
			if out.Ended != c.ended || !strings.Contains(out.Reason, c.says) || strings.Join(found, " ") != c.found {
				t.Errorf("expected it %s with %q and findings %q, saw it %s, %q, %q", c.ended, c.says, c.found, out.Ended, out.Reason, found)
			}
			if out.Complete && out.Ended != suite.Completed {
				t.Error("complete, though it did not come to its end")
			}
		})
	}
}

// TestDoubtIsNoPass: what the checker of real threads cannot decide ends the check, though nothing was found.
func TestDoubtIsNoPass(t *testing.T) {
	c := twice(3, "RQ-LOST", "RQ-FIFO")
	c.name, c.witness = "linearizability/twice", spec.Linearizability
	c.scenario = func(_ *gen, i int) record.Scenario {
		return record.Scenario{Name: fmt.Sprint(i), Ps: 1, Threads: []record.Thread{{Script: "pq"}}}
	}
	target := script(t, func(n int, _ func() (*record.History, error), s record.Scenario) (*record.History, error) {
		return &record.History{
			Scenario: s, Clock: record.ClockCounter, Moves: n != 2, // where it does not say, the put may have moved something to the global queue
			Ops: []record.Op{
				{Kind: record.Put, Thief: record.None, In: []record.ID{1}, Count: 1, OK: true, Call: 1, Return: 2},
				{Kind: record.GlobalPut, P: record.None, Thief: record.None, In: []record.ID{2}, Count: 1, OK: true, Call: 3, Return: 4},
			},
			Final: record.Contents{Ps: []record.PContents{{Ring: []record.ID{1}}}, Global: []record.ID{2}},
		}, nil
	})
	out, events := carriedOn(t, t.Context(), c, target)
	if out.Ended != suite.Inconclusive || out.Reason == "" || out.Scenarios != 2 || out.Complete || len(brokenIDs(events)) > 0 {
		t.Errorf("expected it inconclusive after the second scenario, saw %+v, broken %v", out, brokenIDs(events))
	}
}

// TestRunsOwnEnd is no finding, and no error: whatever the target says of it.
func TestRunsOwnEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	target := script(t, func(n int, run func() (*record.History, error), _ record.Scenario) (*record.History, error) {
		if n == 2 {
			cancel()
			return nil, &queue.CrashError{Text: "interrupted"}
		}
		return run()
	})
	c := twice(3, "RQ-LOST", "RQ-CRASH")
	c.complete = true
	out, events := carriedOn(t, ctx, c, target)
	if out.Ended != suite.Inconclusive || out.Reason != "interrupted after 1 of 2 scenarios" || out.Complete || len(brokenIDs(events)) > 0 {
		t.Errorf("%+v, broken %v", out, brokenIDs(events))
	}
}

// TestWhatAFindingCutsShort: a scenario that a finding ended has not judged the
// other requirements. More are run for them, up to twice the plan, and what is then
// missing is said.
func TestWhatAFindingCutsShort(t *testing.T) {
	crash := func(upTo int) *scripted {
		return script(t, func(_ int, run func() (*record.History, error), s record.Scenario) (*record.History, error) {
			h, err := run()
			if s.Name < fmt.Sprint(upTo) {
				err = &queue.CrashError{Text: "dead"}
			}
			return h, err
		})
	}
	for _, c := range []struct {
		crashes, scenarios int
		judged             int64
		cut                bool
	}{{0, 4, 8, false}, {3, 7, 8, false}, {5, 8, 6, true}} {
		out, events := carriedOn(t, t.Context(), twice(4, "RQ-LOST", "RQ-CRASH"), crash(c.crashes))
		if out.Ended != suite.Completed || out.Scenarios != c.scenarios || out.Judged["RQ-LOST"] != c.judged || (out.Cut["RQ-LOST"] != "") != c.cut || out.Cut["RQ-CRASH"] != "" {
			t.Errorf("%d crashes: expected %d scenarios, RQ-LOST judged by %d calls, and cut %v; saw %+v", c.crashes, c.scenarios, c.judged, c.cut, out)
		}
		if broken := brokenIDs(events); len(broken) != min(c.crashes, 1) {
			t.Errorf("%d crashes: broken %v", c.crashes, broken)
		}
	}
	// What is complete is not run again: it would come out the same.
	whole := twice(4, "RQ-LOST", "RQ-CRASH")
	whole.complete = true
	if out, _ := carriedOn(t, t.Context(), whole, crash(1)); out.Scenarios != 2 || out.Cut["RQ-LOST"] == "" {
		t.Errorf("a complete check: %+v", out) // of a target of one capacity: two scenarios
	}
}

// TestMoreScenariosForWhatMustBeSeen: a plan is made longer until what it must
// observe has come, and no longer.
func TestMoreScenariosForWhatMustBeSeen(t *testing.T) {
	c := twice(2, "RQ-LOST")
	c.name, c.witness, c.observe = "stress/twice", spec.Stress, map[string]int{obsOverflows: 2}
	c.scenario = func(g *gen, i int) record.Scenario {
		return record.Scenario{Name: fmt.Sprint(i), Ps: 1, Threads: []record.Thread{{Script: "pg"}}}
	}
	// An overflow that only the record knows of, in each fourth run.
	overflows := script(t, func(n int, run func() (*record.History, error), _ record.Scenario) (*record.History, error) {
		h, err := run()
		if n%4 == 0 {
			h.Moves = true
			h.Ops[0].Moved = []record.Move{{From: record.Place{Object: record.Ring}, To: record.Place{Object: record.Global, P: record.None}, IDs: []record.ID{1}}}
		}
		return h, err
	})
	if out, _ := carriedOn(t, t.Context(), c, overflows); out.Ended != suite.Completed || out.Scenarios != 8 || out.Seen[obsOverflows] != 2 {
		t.Errorf("expected it completed after 8 scenarios, saw %+v", out)
	}
}

// TestListEnds: a check whose scenarios are a list has no more than these. What it must observe and does not see, and what findings cut short, is then
// said: it is no fault of the suite.
func TestListEnds(t *testing.T) {
	list := []record.Scenario{{Name: "0", Ps: 1, Threads: []record.Thread{{Script: "pg"}}}, {Name: "1", Ps: 1, Threads: []record.Thread{{Script: "pg"}}}}
	listed := check{
		name: "stress/listed", witness: spec.Stress, requirements: []string{"RQ-LOST", "RQ-CRASH"},
		enumerates: func(facts) ([]record.Scenario, string) { return list, "all 2 scenarios" },
	}
	whole := listed
	whole.enumerates, whole.complete, whole.scenarios = nil, true, len(list)
	whole.scenario = func(_ *gen, i int) record.Scenario { return list[i] }
	for name, c := range map[string]check{"a list": listed, "all that there is": whole} {
		crashes := script(t, func(_ int, run func() (*record.History, error), s record.Scenario) (*record.History, error) {
			h, err := run()
			if s.Name == "1" {
				err = &queue.CrashError{Text: "dead"}
			}
			return h, err
		})
		if out, events := carriedOn(t, t.Context(), c, crashes); out.Ended != suite.Completed || out.Scenarios != 2 || out.Cut["RQ-LOST"] == "" || !slices.Equal(brokenIDs(events), []string{"RQ-CRASH"}) {
			t.Errorf("%s, cut short: expected it completed after 2 scenarios, RQ-LOST cut and RQ-CRASH broken, saw %+v, %v", name, out, brokenIDs(events))
		}
		c.observe = map[string]int{obsSteals: 1}
		if out, events := carriedOn(t, t.Context(), c, script(t, func(_ int, run func() (*record.History, error), _ record.Scenario) (*record.History, error) {
			return run()
		})); out.Ended != suite.Inconclusive || out.Reason != "seen after 2 scenarios: expected 1 steals, saw 0" || len(brokenIDs(events)) > 0 {
			t.Errorf("%s, and nothing seen: expected it inconclusive, saw %+v, %v", name, out, brokenIDs(events))
		}
	}
}

// TestWrapAlone: what falls from index 0, too, is no matter of the wrap.
func TestWrapAlone(t *testing.T) {
	for _, c := range []struct {
		name   string
		wrong  func(start uint32) bool
		first  string
		second string
	}{
		{"near the end alone", func(start uint32) bool { return start != 0 }, "RQ-WRAP", "RQ-FIFO"},
		{"everywhere", func(uint32) bool { return true }, "RQ-FIFO", ""},
	} {
		target := script(t, func(_ int, run func() (*record.History, error), s record.Scenario) (*record.History, error) {
			h, err := run()
			if c.wrong(s.Start) && len(h.Ops) == 4 {
				a, b := &h.Ops[2], &h.Ops[3]
				a.Out, b.Out = b.Out, a.Out // the newer one first
			}
			return h, err
		})
		target.caps.Start, target.profile = true, "fifo,indices=free-running"
		wrap := twice(1, "RQ-FIFO", "RQ-WRAP")
		wrap.start = true
		ordered := wrap.scenario
		wrap.scenario = func(g *gen, i int) record.Scenario {
			s := ordered(g, i)
			s.Start = 1<<32 - 2
			return s
		}
		_, events := carriedOn(t, t.Context(), wrap, target)
		want := slices.DeleteFunc([]string{c.first, c.second}, func(id string) bool { return id == "" })
		if got := brokenIDs(events); !slices.Equal(got, want) {
			t.Errorf("%s: expected %v broken, saw %v", c.name, want, got)
		}
	}
}

// TestShrinksAndShows: a finding of a fixed order comes by the shortest scenario
// that shows it, and is found once however often it is met.
func TestShrinksAndShows(t *testing.T) {
	c := twice(5, "RQ-LOST", "RQ-GET-NONE")
	c.scenario = func(g *gen, i int) record.Scenario {
		return record.Scenario{Name: fmt.Sprint(i), Ps: 1, Order: make([]int, 40), Threads: []record.Thread{{Script: strings.Repeat("pg", 20)}}}
	}
	target := inProcessTarget(t, spec.FIFO, func() queue.Queue {
		return &simple{get: func(q *simple) (record.ID, bool) { return 0, false }}
	})
	_, events := carriedOn(t, t.Context(), c, target)
	n := 0
	for _, e := range events {
		if e.Finding == nil || e.Finding.Requirement != "RQ-GET-NONE" {
			continue
		}
		n++
		s, err := ScenarioOf(e.Finding)
		if err != nil || len(s.Order) != 2 || s.Threads[0].Script != "pg" {
			t.Errorf("expected the scenario pg, saw %+v, %v", s, err)
		}
	}
	if n != 1 {
		t.Errorf("expected RQ-GET-NONE found once, saw it %d times", n)
	}
}

// backward gives the newest first, to everybody.
type backward struct{ queue.Queue }

func (q *backward) Steal() (record.ID, bool) { return q.Get() }

// TestShrinksToTheSame: what is shorter must break the requirement in the same way. One
// history breaks RQ-FIFO by gets and by steals, and without its gets it is shorter.
func TestShrinksToTheSame(t *testing.T) {
	both := record.Scenario{
		Ps: 1, Order: []int{0, 0, 0, 0, 0, 0, 1, 1},
		Threads: []record.Thread{{Script: "ppppgg"}, {P: record.None, Script: "s0s0"}},
	}
	steals := both
	steals.Order, steals.Threads = []int{0, 0, 1}, []record.Thread{{Script: "pp"}, {P: record.None, Script: "s0"}}
	for _, c := range []struct {
		list []record.Scenario
		want string
	}{
		{[]record.Scenario{both}, "RQ-FIFO/get ppg"},
		{[]record.Scenario{both, steals}, "RQ-FIFO/get ppg, RQ-FIFO/steal pp s0"},
		{[]record.Scenario{steals, both}, "RQ-FIFO/steal pp s0, RQ-FIFO/get ppg"},
	} {
		check := twice(len(c.list), "RQ-FIFO")
		check.scenario = func(_ *gen, i int) record.Scenario {
			s := c.list[i%len(c.list)]
			s.Name = fmt.Sprint(i)
			return s
		}
		_, events := carriedOn(t, t.Context(), check, inProcessTarget(t, spec.FIFO, func() queue.Queue { return &backward{newest()} }))
		var found []string
		for _, e := range events {
			if e.Finding == nil || e.Finding.Requirement != "RQ-FIFO" {
				continue
			}
			s, err := ScenarioOf(e.Finding)
			if err != nil {
				t.Fatal(err)
			}
			text := e.Finding.Fingerprint
			for _, th := range s.Threads {
				text = strings.TrimSpace(text + " " + th.Script)
			}
			found = append(found, text)
		}
		if got := strings.Join(found, ", "); got != c.want {
			t.Errorf("expected %s, saw %s", c.want, got)
		}
	}
}

// TestHistoryOfAnotherScenario: a target that does something else has done nothing.
func TestHistoryOfAnotherScenario(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(h *record.History)
		says  string
	}{
		"fewer calls":     {func(h *record.History) { h.Ops = h.Ops[:2] }, "expected"},
		"its own task":    {func(h *record.History) { h.Scenario.Threads = []record.Thread{{Script: "pp"}}; h.Ops = h.Ops[:2] }, "expected"},
		"final contents":  {func(h *record.History) { h.Final.Ps = nil }, "final contents of 1 Ps, saw 0"},
		"not well formed": {func(h *record.History) { h.Clock = "sundial" }, "sundial"},
	} {
		target := script(t, func(_ int, run func() (*record.History, error), _ record.Scenario) (*record.History, error) {
			h, err := run()
			c.spoil(h)
			return h, err
		})
		out, events := carriedOn(t, t.Context(), twice(1, "RQ-LOST"), target)
		if out.Ended != suite.Error || !strings.Contains(out.Reason, c.says) || len(brokenIDs(events)) > 0 {
			t.Errorf("%s: expected an error with %q, saw %+v, broken %v", name, c.says, out, brokenIDs(events))
		}
	}
	target := script(t, func(int, func() (*record.History, error), record.Scenario) (*record.History, error) { return nil, nil })
	if out, _ := carriedOn(t, t.Context(), twice(1, "RQ-LOST"), target); out.Ended != suite.Error || !strings.Contains(out.Reason, "saw none") {
		t.Errorf("no history: %+v", out)
	}
}
