package designs

import (
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// unbounded is a ring that steals half and does not say how much it holds.
type unbounded struct {
	queue.Queue
	queue.BatchStealer
	queue.Mover
	ringer
}

// TestWhatIsNotOffered holds that a right queue which does not offer what its profile
// speaks of is not accused of that, and makes no check fail: a check that cannot be
// carried out is skipped, and says why.
func TestWhatIsNotOffered(t *testing.T) {
	t.Attr("req", "RQ-CAPACITY")
	tier.OnlyFull(t)
	locked := queue.Single(func() *Locked { return new(Locked) })
	halves := func(o queue.Options) (queue.Set, error) {
		return newSet(o, func(q *TwoPhase) queue.Queue { return unbounded{q, q, q, q} })
	}
	for _, c := range tier.Some(t, []struct {
		name    string
		profile spec.Profile
		factory queue.Factory
		skips   []string // checks that must be skipped
		runs    []string
	}{
		{"no capacity, no global queue", spec.GoRT, locked, []string{"sequence/overflow", "stress/overflow", "linearizability/overflow", "sequence/global"}, []string{"sequence/random", "sequence/all"}},
		{"no steals from queue to queue", spec.Tokio, locked, []string{"interleave/loot", "stress/loot"}, []string{"sequence/steal", "stress/steal"}},
		{"no capacity, steals of half", spec.Tokio, halves, []string{"stress/loot"}, []string{"sequence/random", "sequence/all", "linearizability/ring"}},
	}, 1) {
		t.Run(c.name, func(t *testing.T) {
			target, err := checks.Instrumented(c.name, c.profile, c.factory)
			if err != nil {
				t.Fatal(err)
			}
			checks.Short(target)
			ended := make(map[string]suite.Ended)
			_, events := judge(t, target, suite.Options{Seed: 1, Select: "^sequence/|^stress/(steal|overflow|loot)$|^linearizability/(ring|overflow)$|^interleave/loot$"})
			for _, e := range events {
				switch {
				case e.Event == suite.FindingEvent:
					t.Errorf("%s: %s: %s", e.Check, e.Finding.Requirement, e.Finding.Observed)
				case e.Event == suite.CheckEvent:
					if ended[e.Check] = e.Result.Ended; e.Result.Ended == suite.Error || e.Result.Ended == suite.Inconclusive && e.Result.Witness != spec.Interleave { // this binary is not instrumented
						t.Errorf("%s: %s: %s", e.Check, e.Result.Ended, e.Result.Reason)
					}
				}
			}
			for _, name := range c.skips {
				if how := ended[name]; how != suite.Skipped && how != "" {
					t.Errorf("%s: %s, want it skipped", name, how)
				}
			}
			for _, name := range c.runs {
				if ended[name] != suite.Completed {
					t.Errorf("%s: %q, want it completed", name, ended[name])
				}
			}
		})
	}
}

// TestEmptyContradicted: answers of Empty that cannot all be true break what they are
// about, and not an order that nobody promised.
func TestEmptyContradicted(t *testing.T) {
	t.Attr("req", "RQ-EMPTY-TRUE")
	put := func(id record.ID, call, ret int64) record.Op {
		return record.Op{Kind: record.Put, Thief: record.None, In: []record.ID{id}, Count: 1, OK: true, Call: call, Return: ret}
	}
	get := func(id record.ID, call, ret int64) record.Op {
		return record.Op{Kind: record.Get, Thief: record.None, Out: []record.ID{id}, OK: true, Call: call, Return: ret}
	}
	empty := func(thread int, yes bool, call, ret int64) record.Op {
		return record.Op{Thread: thread, Kind: record.Empty, Thief: record.None, OK: yes, Call: call, Return: ret}
	}
	for _, p := range []spec.Profile{spec.Core, spec.FIFO, spec.LIFODeque} {
		// Between the first put and the last get something is there.
		h := &record.History{
			Scenario: record.Scenario{Name: "e", Ps: 1, Threads: []record.Thread{{P: 0, Script: "ppgg"}, {P: record.None, Script: "eee"}}},
			Clock:    record.ClockCounter,
			Ops:      []record.Op{put(1, 1, 10), empty(1, false, 2, 3), empty(1, true, 4, 5), empty(1, false, 6, 7), put(2, 11, 12), get(2, 13, 14), get(1, 15, 16)},
			Final:    record.Contents{Ps: make([]record.PContents, 1)},
		}
		if p != spec.LIFODeque {
			h.Ops[5], h.Ops[6] = get(1, 13, 14), get(2, 15, 16)
		}
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		v := checks.Judge(spec.Linearizability, h, p)
		if len(v.Findings) != 1 || v.Findings[0].Requirement != "RQ-EMPTY-TRUE" && v.Findings[0].Requirement != "RQ-EMPTY-FALSE" {
			t.Errorf("%s: %+v", p, v)
		}
	}
}
