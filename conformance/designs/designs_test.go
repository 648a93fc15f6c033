package designs

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestSilent holds that a ring that does not say what its steals move, so that
// its thieves' calls cannot be laid out object by object, passes by what can be
// judged without.
func TestSilent(t *testing.T) {
	tier.OnlyFull(t)
	t.Setenv("SPINDLE_RUN", "^sequence/|^linearizability/ring")
	conformance.TestSet(t, silent, conformance.Profile(spec.Tokio))
}

// silent makes rings that do not say what their steals move.
func silent(o queue.Options) (queue.Set, error) {
	return newSet(o, func(q *TwoPhase) queue.Queue { return silentRing{q, q, q} })
}

type silentRing struct {
	queue.Queue
	queue.BatchStealer
	ringer
}

type ringer interface{ ring() *TwoPhase }

// TestDesigns holds that right queues of other designs pass under the contracts that
// describe them. In the full tier there are all scenarios.
func TestDesigns(t *testing.T) {
	tier.Long(t)
	for d, full := range tier.Split(t, All, 0) {
		t.Run(d.Name, func(t *testing.T) {
			opts := []conformance.TestOption{conformance.Profile(d.Contract), conformance.Budget(20 * time.Minute)}
			if !full {
				opts = append(opts, conformance.Short(), conformance.Only("/all$|/answered$|^sequence/|^stress/steal$|^linearizability/ring$"))
			}
			conformance.TestSet(t, d.Factory, opts...)
		})
	}
}

// TestFiles holds that each design is in the file that it names.
func TestFiles(t *testing.T) {
	for _, d := range All {
		if _, err := os.Stat(d.File); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

// TestNoFalseAlarm judges each right queue on real threads twenty times, from different seeds.
func TestNoFalseAlarm(t *testing.T) {
	const times = 20
	for d := range tier.Split(t, All, 0) {
		t.Run(d.Name, func(t *testing.T) {
			target, err := checks.InProcess(d.Name, d.Contract, d.Factory)
			if err != nil {
				t.Fatal(err)
			}
			begin, verdicts, scenarios, calls := time.Now(), make(map[gate.Verdict]int), 0, 0
			for seed := range uint64(times) {
				f, events := judge(t, target, suite.Options{Seed: record.Seed(seed), Select: "^(stress|linearizability)/"})
				verdicts[f.Verdict]++
				t.Logf("seed %d: %v in %v", seed, f.Verdict, f.Footer.Elapsed.Round(time.Millisecond))
				for _, e := range events {
					if e.Event == suite.CheckEvent {
						scenarios += e.Result.Scenarios
						calls += e.Result.Calls
					}
				}
				if f.Exit == exit.Pass {
					continue
				}
				t.Errorf("seed %d: %v: %v", seed, f.Verdict, f.Reasons)
				for _, e := range events {
					if e.Event == suite.FindingEvent {
						text, _ := show.Finding(e.Finding, false, "")
						t.Errorf("%s, seen by %s\n%s", e.Finding.Requirement, e.Check, text)
					}
				}
			}
			t.Logf("%d runs in %v: %v; %d scenarios, %d calls", times, time.Since(begin).Round(time.Second), verdicts, scenarios, calls)
		})
	}
}

// judge runs the suite on a target and returns what the gate makes of it and all events.
func judge(t *testing.T, target checks.Target, o suite.Options) (gate.Result, []suite.Event) {
	t.Helper()
	var events []suite.Event
	o.Sink = func(e suite.Event) { events = append(events, e) }
	f, err := gate.Run(context.Background(), o, suite.Opened(checks.Subject, target))
	if err != nil {
		t.Fatal(err)
	}
	return f, events
}

// TestDequeGrows holds that a deque gives back what it held when it grew.
func TestDequeGrows(t *testing.T) {
	q := NewDeque()
	for id := record.ID(1); id <= 100; id++ {
		q.Put(id)
	}
	for want := record.ID(1); want <= 50; want++ {
		if id, ok := q.Steal(); id != want || !ok {
			t.Fatalf("stole %d, %v, want %d", id, ok, want)
		}
		if id, ok := q.Get(); id != 101-want || !ok {
			t.Fatalf("got %d, %v, want %d", id, ok, 101-want)
		}
	}
	if id, ok := q.Get(); ok || !q.Empty() {
		t.Errorf("got %d from an empty deque", id)
	}
}

// TestTwoPhaseRefuses holds what a thief at work on a ring makes impossible.
func TestTwoPhaseRefuses(t *testing.T) {
	s, err := NewTwoPhase(queue.Options{Ps: 3, Capacity: 4})
	if err != nil {
		t.Fatal(err)
	}
	q, thief, other := s.P(0).(*TwoPhase), s.P(1).(*TwoPhase), s.P(2).(*TwoPhase)
	for id := record.ID(1); id <= 4; id++ {
		q.Put(id)
	}
	first, n := q.claim()
	if first != 0 || n != 2 {
		t.Fatalf("claimed %d from %d, want 2 from 0", n, first)
	}
	if id, ok := q.StealInto(other, false); ok {
		t.Errorf("stole %d beside a thief at work", id)
	}
	if q.Put(5) {
		t.Error("put into a slot that a thief still copies from")
	}
	if id, ok := q.Get(); id != 3 || !ok {
		t.Errorf("got %d, %v beside a thief, want 3", id, ok)
	}
	if id, ok := thief.StealInto(q, false); ok {
		t.Errorf("stole %d into a ring with no room", id)
	}
	if id := q.copyTo(thief, first, n); id != 2 {
		t.Errorf("copied up to %d, want 2", id)
	}
	q.release()
	thief.publish(q, n-1)
	if id, ok := thief.Get(); id != 1 || !ok {
		t.Errorf("got %d, %v from the thief's ring, want 1", id, ok)
	}
	if !q.Put(5) {
		t.Error("no put after the thief was done")
	}
}
