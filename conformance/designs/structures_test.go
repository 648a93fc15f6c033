package designs

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/interleave/examples/structures"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The queues of interleave/examples/structures, whose tests give each wrong variant the one
// scenario that shows it. Here nobody says anything but the contract.

// structure makes a run queue of what can be put and taken; no thief is another taker.
type structure struct {
	put   func(int64) bool
	get   func() (int64, bool)
	steal func() (int64, bool)
}

func (q structure) Put(id record.ID) bool { return q.put(int64(id)) }

func (q structure) Get() (record.ID, bool) { return taken(q.get()) }

func (q structure) Steal() (record.ID, bool) { return taken(q.steal()) }

func (q structure) Empty() bool { return false } // not judged: there is none

func taken(v int64, ok bool) (record.ID, bool) {
	if !ok {
		return 0, false
	}
	return record.ID(v), true
}

// ofStructures are the structures that are queues. FreeList hands its numbers out again, and
// the locks and cells hold nothing.
var ofStructures = []struct {
	name     string
	contract spec.Profile
	make     func(structures.Flaw) queue.Queue
	flaws    []structures.Flaw
}{
	{
		"bounded", "fifo,get-miss=beside-put,empty=unsaid,puts=any,gets=any,steals=none",
		func(f structures.Flaw) queue.Queue {
			q := structures.NewBounded(2, f)
			return structure{q.Put, q.Get, q.Get}
		},
		[]structures.Flaw{structures.TurnTooEarly, structures.BackTooEarly, structures.InByStore},
	},
	{
		"queue", "fifo,empty=unsaid,puts=any,gets=any,steals=none",
		func(f structures.Flaw) queue.Queue {
			q := structures.NewQueue(f)
			return structure{func(v int64) bool { q.Enqueue(v); return true }, q.Dequeue, q.Dequeue}
		},
		[]structures.Flaw{structures.LinkByStore, structures.HeadByStore, structures.TailFirst},
	},
	{
		"deque", "lifo-deque,steal-miss=beside-take,empty=unsaid",
		func(f structures.Flaw) queue.Queue {
			q := structures.NewDeque(2, false, f)
			return structure{q.Push, q.Pop, q.Steal}
		},
		[]structures.Flaw{structures.LastBySight, structures.TopTooEarly, structures.SlotTooLate},
	},
	{
		"growing deque", "lifo-deque,steal-miss=beside-take,bound=grows,empty=unsaid",
		func(f structures.Flaw) queue.Queue {
			q := structures.NewDeque(1, true, f)
			return structure{q.Push, q.Pop, q.Steal}
		},
		[]structures.Flaw{structures.LastBySight, structures.TopTooEarly, structures.RingTooEarly},
	},
	{
		"two phases", "fifo,steal-miss=beside,empty=unsaid",
		func(f structures.Flaw) queue.Queue {
			q := structures.NewTwoPhase(2, f)
			return structure{q.Push, q.Pop, func() (int64, bool) { // of two half is one
				got := q.Steal()
				if len(got) == 0 {
					return 0, false
				}
				return got[0], true
			}}
		},
		[]structures.Flaw{structures.RoomByValues, structures.ReleaseByStore, structures.ClaimTwice},
	},
}

// TestStructures: the enumeration finds each wrong variant of each queue, and nothing in the
// right ones.
func TestStructures(t *testing.T) {
	tier.OnlyFull(t)
	text, err := harness.Remote(t, func() ([]byte, error) {
		found := make(map[string]suite.Searched)
		for _, s := range ofStructures {
			for _, flaw := range append([]structures.Flaw{structures.Sound}, s.flaws...) {
				target, err := checks.Instrumented(s.name, s.contract, queue.Single(func() queue.Queue { return s.make(flaw) }))
				if err != nil {
					return nil, err
				}
				limits := suite.Limits{Sequences: 1000, Scenarios: 10_000, Each: 20_000, Executions: 200_000}
				if flaw == structures.Sound && !tier.Full(t) {
					limits.Scenarios = 500
				}
				found[s.name+": "+string(flaw)], err = checks.Search(t.Context(), target, limits)
				if err != nil {
					return nil, err
				}
			}
		}
		return json.Marshal(found)
	})
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]suite.Searched)
	if err := json.Unmarshal(text, &found); err != nil {
		t.Fatal(err)
	}
	for _, s := range ofStructures {
		right, ok := found[s.name+": "]
		if !ok || right.Hit != nil || right.Open != "" || right.Scenarios == 0 {
			t.Errorf("%s is right: %+v, %s", s.name, right.Hit, right.Open)
		}
		t.Logf("%s: nothing in %d sequences, %d scenarios, %d executions", s.name, right.Sequences, right.Scenarios, right.Executions)
		for _, flaw := range s.flaws {
			name := fmt.Sprintf("%s: %s", s.name, flaw)
			r := found[name]
			if r.Hit == nil {
				t.Errorf("%s: nothing in %d sequences, %d scenarios, %d executions, %s", name, r.Sequences, r.Scenarios, r.Executions, r.Open)
				continue
			}
			t.Logf("%s: %s, after %d executions: %s", name, r.Hit.Requirement, r.Executions, r.Hit.Scenario)
		}
	}
}
