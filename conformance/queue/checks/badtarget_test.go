package checks

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// robbed is a right queue but for what steal does.
type robbed struct {
	simple
	steal func(q *robbed) (record.ID, bool)
}

func (q *robbed) Steal() (record.ID, bool) { return q.steal(q) }

// TestInventedIDs holds that an id that was never put is called that, whoever
// takes it and whatever was there: 0 as well, which stands for no id.
func TestInventedIDs(t *testing.T) {
	for _, id := range []record.ID{0, 1 << 40} {
		now := 0
		sometimes := func(take func() (record.ID, bool)) (record.ID, bool) {
			if now++; now%7 == 3 {
				return id, true
			}
			return take()
		}
		for name, newQueue := range map[string]func() queue.Queue{
			"get": func() queue.Queue {
				return &simple{get: func(q *simple) (record.ID, bool) { return sometimes(q.first) }}
			},
			"steal": func() queue.Queue {
				return &robbed{steal: func(q *robbed) (record.ID, bool) { return sometimes(q.first) }}
			},
		} {
			for _, p := range []spec.Profile{spec.FIFO, spec.Core, spec.GoRT} {
				now = 0
				f, events := run(t, suite.Options{Seed: 1, Select: "^sequence/(steal|order)$"}, p, newQueue)
				if f.Exit != exit.Fail {
					t.Errorf("%s of id %d, %s: exit %d", name, id, p, f.Exit)
				}
				if ids := slices.Compact(brokenIDs(events)); !slices.Equal(ids, []string{"RQ-INVENTED"}) {
					t.Errorf("%s of id %d, %s: broken %v, want RQ-INVENTED alone", name, id, p, ids)
				}
			}
		}
	}
}

// TestHangingThief holds that a call of one thread of several that does not
// return is found.
func TestHangingThief(t *testing.T) {
	tier.OnlyFull(t)
	old := scenarioTimeout
	scenarioTimeout = 200 * time.Millisecond
	defer func() { scenarioTimeout = old }()
	release := make(chan struct{})
	defer close(release)
	f, events := run(t, suite.Options{Seed: 1, Select: "^stress/steal$"}, spec.FIFO, func() queue.Queue {
		return &robbed{steal: func(*robbed) (record.ID, bool) { <-release; return 0, false }}
	})
	if f.Exit != exit.Fail || !slices.Contains(brokenIDs(events), "RQ-CRASH") {
		t.Errorf("exit %d, broken %v", f.Exit, brokenIDs(events))
	}
}

// garbled is a target whose histories are spoiled on the way, as those of a
// child process may be.
type garbled struct {
	Target
	spoil func(h *record.History) *record.History
}

func (g garbled) Run(ctx context.Context, s record.Scenario) (*record.History, error) {
	h, err := g.Target.Run(ctx, s)
	if err != nil {
		return nil, err
	}
	return g.spoil(h), nil
}

// TestMalformedHistories holds that what a target cannot have meant is the
// harness's error and names what is wrong, and that no judge falls over it.
func TestMalformedHistories(t *testing.T) {
	op := func(change func(op *record.Op)) func(h *record.History) *record.History {
		return func(h *record.History) *record.History {
			change(&h.Ops[len(h.Ops)/2])
			return h
		}
	}
	put := func(change func(op *record.Op)) func(h *record.History) *record.History {
		return func(h *record.History) *record.History {
			change(&h.Ops[slices.IndexFunc(h.Ops, func(op record.Op) bool { return op.Kind == record.Put })])
			return h
		}
	}
	for name, c := range map[string]struct {
		spoil func(h *record.History) *record.History
		says  string
	}{
		"no history": {func(*record.History) *record.History { return nil }, "expected a history, saw none"},
		"no end":     {func(h *record.History) *record.History { h.Final = record.Contents{}; return h }, "final contents of"},
		"too many Ps": {func(h *record.History) *record.History {
			h.Final.Ps = append(h.Final.Ps, record.PContents{})
			return h
		}, "at the end there are"},
		"clock":       {func(h *record.History) *record.History { h.Clock = "sundial"; return h }, `unknown clock "sundial"`},
		"capacity":    {func(h *record.History) *record.History { h.Capacity = -4; return h }, "capacity is -4"},
		"thread":      {op(func(op *record.Op) { op.Thread = 9 }), "of thread 9"},
		"no thread":   {op(func(op *record.Op) { op.Thread = -1 }), "of thread -1"},
		"P":           {op(func(op *record.Op) { op.P = 17 }), "about P17"},
		"no P":        {op(func(op *record.Op) { op.P = -2 }), "about P-2"},
		"to":          {op(func(op *record.Op) { op.Thief = 17 }), "goes to P17"},
		"kind":        {op(func(op *record.Op) { op.Kind = 'x' }), "has no kind"},
		"no id":       {op(func(op *record.Op) { *op = record.Op{Kind: record.Put, Call: op.Call, Return: op.Return} }), "puts 0 Gs"},
		"unknown id":  {op(func(op *record.Op) { op.Kind, op.In = record.Put, []record.ID{1 << 50} }), "saw 1125899906842624"},
		"took none":   {op(func(op *record.Op) { op.Kind, op.In, op.Out, op.OK = record.Get, nil, nil, true }), "took 0 Gs"},
		"took two":    {op(func(op *record.Op) { op.Kind, op.In, op.Out, op.OK = record.Get, nil, []record.ID{1, 2}, true }), "took 2 Gs"},
		"time":        {op(func(op *record.Op) { op.Return = op.Call - 1 }), "before it was called"},
		"order":       {op(func(op *record.Op) { op.Call = 0 }), "before the one above it"},
		"moved":       {op(func(op *record.Op) { op.Moved = []record.Move{{To: record.Place{P: 3}}} }), "moves from"},
		"other tasks": {func(h *record.History) *record.History { h.Scenario.Ps, h.Scenario.Threads = 9, nil; return h }, ""},
		"taken count": {put(func(op *record.Op) { op.Count, op.OK = -1, false }), "saw -1"},
		"extra count": {put(func(op *record.Op) { op.Count, op.OK = 99, false }), "saw 99"},
		"no calls":    {func(h *record.History) *record.History { h.Ops = nil; return h }, "expected"},
		"half":        {func(h *record.History) *record.History { h.Ops = h.Ops[:len(h.Ops)/2]; return h }, "expected"},
		"other calls": {put(func(op *record.Op) {
			*op = record.Op{Kind: record.Get, Thief: record.None, Call: op.Call, Return: op.Return}
		}), "expected a put"},
	} {
		for _, sel := range tier.Some(t, []string{"^sequence/order$", "^stress/steal$", "^linearizability/ring$"}, 1) {
			if c.says == "" && sel != "^sequence/order$" {
				continue // they would be run to the end
			}
			target, err := InProcess("garbled", spec.FIFO, queue.Single(func() queue.Queue { return new(simple) }))
			if err != nil {
				t.Fatal(err)
			}
			var said string
			f, events := judged(t, suite.Options{Seed: 1, Select: sel}, garbled{target, c.spoil})
			for _, e := range events {
				if e.Event == suite.CheckEvent {
					said = e.Result.Reason
				}
			}
			if c.says == "" {
				if f.Exit == exit.Error {
					t.Errorf("%s, %s: exit %d: %s", name, sel, f.Exit, said)
				}
			} else if f.Exit != exit.Error || !strings.Contains(said, c.says) {
				t.Errorf("%s, %s: exit %d: %q, want exit %d and %q", name, sel, f.Exit, said, exit.Error, c.says)
			}
		}
	}
}
