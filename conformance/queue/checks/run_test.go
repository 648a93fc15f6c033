package checks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/designs"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// simple is a right queue whose fields change what it does.
type simple struct {
	all   designs.Locked                    // not embedded: its length is not offered
	get   func(q *simple) (record.ID, bool) // instead of Get
	empty func(q *simple) bool
}

func (q *simple) Put(id record.ID) bool { return q.all.Put(id) }

func (q *simple) Get() (record.ID, bool) {
	if q.get != nil {
		return q.get(q)
	}
	return q.first()
}

func (q *simple) first() (record.ID, bool) { return q.all.Get() }

func (q *simple) Steal() (record.ID, bool) { return q.first() }

func (q *simple) Empty() bool {
	if q.empty != nil {
		return q.empty(q)
	}
	return q.all.Empty()
}

// run judges one queue and returns what the gate makes of it, and all events.
func run(t *testing.T, o suite.Options, p spec.Profile, newQueue func() queue.Queue) (gate.Result, []suite.Event) {
	t.Helper()
	target, err := InProcess("test", p, queue.Single(newQueue))
	if err != nil {
		t.Fatal(err)
	}
	return judged(t, o, target)
}

func judged(t *testing.T, o suite.Options, target Target) (gate.Result, []suite.Event) {
	t.Helper()
	var events []suite.Event
	o.Sink = func(e suite.Event) { events = append(events, e) }
	r, err := gate.Run(t.Context(), o, suite.Opened(Subject, target))
	if err != nil {
		t.Fatal(err)
	}
	return r, events
}

func brokenIDs(events []suite.Event) []string {
	var ids []string
	for _, e := range events {
		if e.Event == suite.FindingEvent {
			ids = append(ids, e.Finding.Requirement)
		}
	}
	return ids
}

// TestRightQueuePasses: package designs has right queues and all checks.
func TestRightQueuePasses(t *testing.T) {
	for _, p := range tier.Some(t, []spec.Profile{spec.Core, spec.FIFO}, 1) {
		r, events := run(t, suite.Options{Seed: 1, Select: "^sequence/"}, p, func() queue.Queue { return new(simple) })
		if r.Verdict != gate.Pass || r.Exit != exit.Pass || len(brokenIDs(events)) != 0 {
			t.Errorf("%s: %+v", p, r)
		}
	}
}

// TestWrongQueues holds that each kind of wrongness falls by the requirement
// that it breaks.
func TestWrongQueues(t *testing.T) {
	for _, c := range tier.Some(t, []struct {
		id string
		q  func() *simple
	}{
		{"RQ-LOST", func() *simple {
			n := 0
			return &simple{get: func(q *simple) (record.ID, bool) {
				if n++; n%7 == 0 {
					q.first()
				}
				return q.first()
			}}
		}},
		{"RQ-TWICE", func() *simple {
			var last record.ID
			n := 0
			return &simple{get: func(q *simple) (record.ID, bool) {
				if n++; n%7 == 0 && last != 0 {
					return last, true
				}
				id, ok := q.first()
				last = id
				return id, ok
			}}
		}},
		{"RQ-INVENTED", func() *simple {
			n := 0
			return &simple{get: func(q *simple) (record.ID, bool) {
				if n++; n%7 == 0 {
					return 1 << 40, true
				}
				return q.first()
			}}
		}},
		{"RQ-FIFO", func() *simple {
			return &simple{get: func(q *simple) (record.ID, bool) {
				if q.all.Len() > 1 { // the second goes first, the first to the end
					id, _ := q.first()
					q.Put(id)
				}
				return q.first()
			}}
		}},
		{"RQ-GET-NONE", func() *simple {
			n := 0
			return &simple{get: func(q *simple) (record.ID, bool) {
				if n++; n%5 == 0 {
					return 0, false
				}
				return q.first()
			}}
		}},
		{"RQ-EMPTY-TRUE", func() *simple { return &simple{empty: func(q *simple) bool { return q.all.Len() < 2 }} }},
		{"RQ-EMPTY-FALSE", func() *simple { return &simple{empty: func(q *simple) bool { return false }} }},
		{"RQ-CRASH", func() *simple {
			return &simple{get: func(q *simple) (record.ID, bool) { panic("the queue's own check") }}
		}},
	}, 1) {
		t.Run(c.id, func(t *testing.T) {
			f, events := run(t, suite.Options{Seed: 1, Select: "^sequence/"}, spec.FIFO, func() queue.Queue { return c.q() })
			if f.Exit != exit.Fail || !slices.Contains(brokenIDs(events), c.id) {
				t.Fatalf("exit %d, broken %v, want %s", f.Exit, brokenIDs(events), c.id)
			}
			for _, e := range events {
				if e.Event == suite.RequirementEvent && e.Requirement.ID == c.id && e.Requirement.Standing != suite.Broken {
					t.Errorf("the requirement's row says %v", e.Requirement.Standing)
				}
				if e.Event == suite.FindingEvent && e.Finding.Requirement == c.id && len(e.Finding.Evidence[0].Lines) > 14 {
					t.Errorf("not shrunk: %d calls", len(e.Finding.Evidence[0].Lines))
				}
			}
		})
	}
}

func TestBudgetIsInconclusive(t *testing.T) {
	f, _ := run(t, suite.Options{Seed: 1, Budget: time.Millisecond}, spec.FIFO, func() queue.Queue { return new(simple) })
	if f.Verdict != gate.Inconclusive || f.Exit != exit.Inconclusive {
		t.Errorf("%+v", f)
	}
}

// TestFactories holds that a factory that gives nothing usable is an error of
// the harness, named, and no verdict on the queue.
func TestFactories(t *testing.T) {
	old := drive.FactoryTimeout
	drive.FactoryTimeout = 50 * time.Millisecond
	defer func() { drive.FactoryTimeout = old }()
	release := make(chan struct{})
	defer close(release)
	for name, c := range map[string]struct {
		f    queue.Factory
		want string
	}{
		"nil queue":  {queue.Single(func() queue.Queue { return nil }), "nil for the queue of P0"},
		"nil set":    {func(queue.Options) (queue.Set, error) { return nil, nil }, "nil set"},
		"panic":      {queue.Single(func() queue.Queue { panic("no queue today") }), "no queue today"},
		"hang":       {queue.Single(func() queue.Queue { <-release; return nil }), "did not return"},
		"error":      {func(queue.Options) (queue.Set, error) { return nil, errors.New("no memory") }, "no memory"},
		"nil inside": {queue.Single(func() *simple { return nil }), "nil for the queue of P0"},
	} {
		if _, err := InProcess("test", spec.FIFO, c.f); !errors.Is(err, drive.ErrFactory) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.want)
		}
	}
}

// TestPartial holds that a MUST that a target gives no way to judge shows.
func TestPartial(t *testing.T) {
	tier.OnlyFull(t)
	for strict, code := range map[bool]int{false: exit.Pass, true: exit.Inconclusive} {
		f, _ := run(t, suite.Options{Seed: 1, Select: "^sequence/order$", Strict: strict}, spec.GoRT, func() queue.Queue { return new(simple) })
		if f.Verdict != gate.Partial || f.Exit != code || len(f.Reasons) == 0 {
			t.Errorf("strict %v: %+v", strict, f)
		}
	}
}

// TestControlsAreCaught holds that each positive control is, in ten seeds.
func TestControlsAreCaught(t *testing.T) {
	for i := range Subject.Controls {
		k := &Subject.Controls[i]
		for seed := range record.Seed(10) {
			target, err := k.Open()
			if err != nil {
				t.Fatal(err)
			}
			s := &suite.Subject{Name: "queue", Checks: []suite.Check{k.Check}, NotOffered: notOffered}
			ctx, cancel := context.WithCancel(t.Context())
			var seen []string
			err = suite.Run(ctx, suite.Options{Seed: seed, Sink: func(e suite.Event) {
				if e.Event == suite.FindingEvent && slices.Contains(k.Falls, e.Finding.Requirement) {
					seen = append(seen, e.Finding.Requirement)
					cancel()
				}
			}}, suite.Opened(s, target))
			if cancel(); err != nil || len(seen) == 0 {
				t.Errorf("%s, seed %v: expected one of %v broken, saw none, %v", k.Check.Name, seed, k.Falls, err)
			}
		}
	}
}

// TestObservationsThatNeverCome: a plan that did not see what it must see was not
// carried out.
func TestObservationsThatNeverCome(t *testing.T) {
	c := check{
		name: "stress/never", witness: spec.Stress, requirements: []string{"RQ-LOST"}, scenarios: 2, observe: map[string]int{obsOverflows: 1},
		scenario: func(g *gen, i int) record.Scenario {
			return record.Scenario{Name: fmt.Sprint(i), Ps: 1, Threads: []record.Thread{{Script: "pg"}}}
		},
	}
	out, _ := carried(t, c, spec.FIFO, func() queue.Queue { return new(simple) })
	if out.Ended != suite.Inconclusive || !strings.Contains(out.Reason, "expected 1 overflows, saw 0") || out.Scenarios != 20 {
		t.Errorf("%+v", out)
	}
}

// elsewhere is a target whose threads another program starts.
type elsewhere struct{ Target }

func (t elsewhere) Describe() suite.Description {
	d := t.Target.Describe()
	d.Kind = suite.Child
	return d
}

// TestThreadsThatDoNotMeet: whose threads do not meet is told what makes them, if it starts them. Of what does not depend on that nothing is said.
func TestThreadsThatDoNotMeet(t *testing.T) {
	in := inProcessTarget(t, spec.FIFO, func() queue.Queue { return new(simple) })
	for _, c := range []struct {
		target  Target
		observe string
		says    bool
	}{{elsewhere{in}, obsStealGet, true}, {elsewhere{in}, obsEmpty, true}, {elsewhere{in}, obsOverflows, false}, {in, obsStealGet, false}} {
		check := check{
			name: "stress/never", witness: spec.Stress, requirements: []string{"RQ-LOST"}, scenarios: 2, observe: map[string]int{c.observe: 1},
			scenario: func(g *gen, i int) record.Scenario {
				return record.Scenario{Name: fmt.Sprint(i), Ps: 1, Threads: []record.Thread{{Script: "pg"}}}
			},
		}
		out, _ := carriedOn(t, t.Context(), check, c.target)
		if out.Ended != suite.Inconclusive || strings.Contains(out.Reason, "spin until all are there") != c.says {
			t.Errorf("%s: expected that it is told to spin: %v, saw %s, %s", c.observe, c.says, out.Ended, out.Reason)
		}
	}
}

// carried carries out one check alone, and returns its outcome and findings.
func carried(t *testing.T, c check, p spec.Profile, newQueue func() queue.Queue) (suite.Outcome, []string) {
	t.Helper()
	out, events := carriedOn(t, t.Context(), c, inProcessTarget(t, p, newQueue))
	return out, brokenIDs(events)
}

func inProcessTarget(t *testing.T, p spec.Profile, newQueue func() queue.Queue) Target {
	t.Helper()
	target, err := InProcess("test", p, queue.Single(newQueue))
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func carriedOn(t *testing.T, ctx context.Context, c check, target Target) (out suite.Outcome, events []suite.Event) {
	t.Helper()
	s := &suite.Subject{Name: "queue", Checks: []suite.Check{c.suite()}, NotOffered: notOffered}
	err := suite.Run(ctx, suite.Options{Seed: 1, Sink: func(e suite.Event) {
		events = append(events, e)
		if e.Event == suite.CheckEvent {
			out = e.Result.Outcome
		}
	}}, suite.Opened(s, target))
	if err != nil {
		t.Fatal(err)
	}
	return out, events
}
