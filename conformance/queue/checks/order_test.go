package checks

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/spec/record"
)

// A forgetful queue counts its puts by a load and a store, and keeps nothing; or it keeps all, and a get has no end if the store of the first count came last.
type forgetful struct {
	n      atomic.Int64
	ids    []record.ID
	breaks bool
}

func (q *forgetful) Put(id record.ID) bool {
	n := q.n.Load()
	if q.breaks {
		q.ids = append(q.ids, id)
	}
	q.n.Store(n + 1)
	return true
}

func (q *forgetful) Get() (record.ID, bool) {
	if len(q.ids) == 0 {
		return 0, false
	}
	for len(q.ids) == 4 && q.n.Load() == 1 {
	}
	id := q.ids[0]
	q.ids = q.ids[1:]
	return id, true
}

func (q *forgetful) Steal() (record.ID, bool) { return q.Get() }
func (q *forgetful) Empty() bool              { return q.n.Load() == 0 }

// TestCallsAreOfTheSteps: the calls of a finding and its steps are of one execution. A call has returned before another began if its two
// steps came before those of the other.
func TestCallsAreOfTheSteps(t *testing.T) {
	shared := record.Scenario{Name: "one", Ps: 1, Shared: true, Threads: []record.Thread{{P: 0, Script: "ppp"}, {P: 0, Script: "p"}}, After: "T0:g"}
	apart := record.Scenario{Name: "two", Ps: 2, Threads: []record.Thread{{P: 0, Script: "pp"}, {P: 1, Script: "p"}}}
	for name, c := range map[string]struct {
		breaks bool
		s      record.Scenario
		opts   []interleave.Option
		falls  string
	}{
		"a call does not return when all have ended": {true, shared, nil, "RQ-CRASH"},
		"Gs are lost": {false, apart, []interleave.Option{interleave.Schedule("0b.2a")}, "RQ-LOST"},
	} {
		target, err := Instrumented("forgetful", "core,puts=any,gets=any", queue.Single(func() *forgetful { return &forgetful{breaks: c.breaks} }))
		if err != nil {
			t.Fatal(err)
		}
		_, found := Explore(t.Context(), target, c.s, c.opts...)
		at := slices.IndexFunc(found, func(f record.Finding) bool { return f.Requirement == c.falls })
		if at < 0 || found[at].Execution() == nil {
			t.Errorf("%s: expected %s with its steps, saw %v", name, c.falls, found)
			continue
		}
		var calls []record.Op // the puts of the threads, two steps each
		for _, e := range found[at].Evidence {
			for _, line := range e.Lines {
				if op, err := record.ParseOp(line); err == nil && e.Kind == record.Calls && op.Kind == record.Put {
					calls = append(calls, op)
				}
			}
		}
		steps := make(map[int][]int) // by thread: their places
		for i, s := range found[at].Execution().Steps {
			steps[s.Thread] = append(steps[s.Thread], i)
		}
		first := make([]int, len(calls))
		for i, op := range calls {
			for _, other := range calls[:i] {
				if other.Thread == op.Thread {
					first[i] += 2
				}
			}
		}
		pairs := 0
		for i, a := range calls {
			for j, b := range calls {
				if a.Thread != b.Thread {
					pairs++
					ended := steps[a.Thread][first[i]+1] < steps[b.Thread][first[j]]
					if ended != (a.Return < b.Call) {
						t.Errorf("%s: by the steps %v ends before %v begins: %v; the calls say otherwise", name, a.Text(), b.Text(), ended)
					}
				}
			}
		}
		if pairs < 4 || strings.Contains(found[at].Observed, otherOrder) {
			t.Errorf("%s: expected the calls of several threads in the order of the steps, saw %+v", name, found[at])
		}
	}
}
