package checks

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// miser never gives a thief anything. Nothing else is wrong with it.
type miser struct{ swapping }

func (q *miser) Steal() (record.ID, bool) { q.head.Load(); return 0, false }
func (q *miser) Get() (record.ID, bool)   { return q.swapping.Get() }

// TestAnswered: a queue that never gives a thief anything is found by all executions of a
// scenario together, and only where the contract promises it.
func TestAnswered(t *testing.T) {
	t.Attr("req", unansweredID)
	at := slices.IndexFunc(all, func(c check) bool { return c.name == "interleave/answered" })
	for _, c := range []struct {
		profile spec.Profile
		queue   func() queue.Queue
		broken  string
		judged  bool
	}{
		{"fifo,steal-miss=answered", func() queue.Queue { return new(miser) }, unansweredID, true},
		{"fifo,steal-miss=answered", func() queue.Queue { return new(swapping) }, "", true},
		{"fifo,steal-miss=anytime", func() queue.Queue { return new(miser) }, "", false},
	} {
		target, err := Instrumented("miser", c.profile, queue.Single(c.queue))
		if err != nil {
			t.Fatal(err)
		}
		out, events := carriedOn(t, t.Context(), all[at], target)
		if got := strings.Join(brokenIDs(events), " "); got != c.broken || (out.Judged[unansweredID] > 0) != c.judged {
			t.Errorf("%s: broken %q, judged %d, %s: %s", c.profile, got, out.Judged[unansweredID], out.Ended, out.Reason)
		}
		for _, e := range events {
			if e.Event == suite.FindingEvent {
				if s, err := ScenarioOf(e.Finding); err != nil || len(s.Threads) < 2 {
					t.Errorf("the finding's scenario: %+v, %v", s, err)
				}
			}
		}
		// The search of mutants, and one scenario by itself, see it, too.
		found, err := Search(t.Context(), target, suite.Limits{Sequences: 1, Scenarios: 1, Each: 1000, Executions: 100_000})
		if err != nil || (found.Hit != nil) != (c.broken != "") {
			t.Errorf("%s: the search: %+v, %v", c.profile, found.Hit, err)
		}
		s := record.Scenario{Name: "one", Ps: 1, Before: "T0:p", Threads: []record.Thread{{P: 0, Script: "p"}, {P: record.None, Script: "ss"}}}
		if _, one := Explore(t.Context(), target, s); (len(one) > 0) != (c.broken != "") {
			t.Errorf("%s: one scenario: %v", c.profile, one)
		}
	}
}

// TestAnswers: which executions ask for an answer. Calls are those at quiet moments before,
// and then those of the threads.
func TestAnswers(t *testing.T) {
	put := func(thread int, ok bool) record.Op {
		op := record.Op{Thread: thread, Kind: record.Put, Thief: record.None, OK: ok, In: []record.ID{1}}
		if ok {
			op.Count = 1
		}
		return op
	}
	take := func(thread int, k record.Kind, ok bool) record.Op {
		op := record.Op{Thread: thread, Kind: k, Thief: record.None, OK: ok}
		if ok {
			op.Out = []record.ID{1}
		}
		return op
	}
	missed, got := take(1, record.Steal, false), take(1, record.Steal, true)
	look := record.Op{Thread: 1, Kind: record.Empty, Thief: record.None}
	other := missed
	other.P = 1
	third := missed
	third.Thread = 2
	for name, c := range map[string]struct {
		held  int
		calls []record.Op
		want  answers
	}{
		"nothing, though one is left":  {1, []record.Op{missed, put(0, true), missed}, answers{asked: 1}},
		"the second steal":             {1, []record.Op{missed, put(0, true), got}, answers{given: 1}},
		"a get leaves one":             {2, []record.Op{take(0, record.Get, true), missed, missed}, answers{asked: 1}},
		"a get takes the last":         {1, []record.Op{take(0, record.Get, true), missed, missed}, answers{}},
		"nothing is left for a moment": {1, []record.Op{take(0, record.Get, true), put(0, true), missed, missed}, answers{}},
		"nothing was there":            {0, []record.Op{put(0, true), missed, missed}, answers{}},
		"a put that is refused":        {1, []record.Op{put(0, false), missed, missed}, answers{}},
		"a get that finds nothing":     {1, []record.Op{take(0, record.Get, false), missed, missed}, answers{}},
		"one steal":                    {1, []record.Op{put(0, true), missed}, answers{}},
		"a thief that looks":           {1, []record.Op{put(0, true), missed, missed, look}, answers{asked: 1}},
		"two thieves":                  {1, []record.Op{put(0, true), missed, missed, third, third}, answers{}},
		"from another queue":           {1, []record.Op{put(0, true), missed, missed, other}, answers{}},
		"no owner":                     {1, []record.Op{missed, missed}, answers{}},
	} {
		h := new(record.History)
		for range c.held {
			op := put(0, true)
			op.Call, op.Return = -2, -1
			h.Ops = append(h.Ops, op)
		}
		h.Ops = append(h.Ops, c.calls...)
		tail := got
		tail.Call, tail.Return = drive.Later, drive.Later+1
		h.Ops = append(h.Ops, tail) // what comes after is no answer
		var a answers
		if a.note(h); a != c.want {
			t.Errorf("%s: %+v, want %+v", name, a, c.want)
		}
	}
}

// TestAnsweredIsAll: each call of the owner that puts or gets is there, and no other.
func TestAnsweredIsAll(t *testing.T) {
	contract, _ := spec.FIFO.Contract()
	for want, caps := range map[string]queue.Capabilities{"g p": {Len: true}, "b2 g p": {Len: true, Drain: true, PutBatch: true}} {
		list, _ := answered(facts{profile: spec.FIFO, contract: contract, caps: caps, kind: suite.InProcess})
		var calls []string
		for _, s := range list {
			calls = append(calls, s.Threads[0].Script)
			if s.Threads[1].Script != "s0s0" {
				t.Errorf("expected a thief that steals twice, saw %q", s.Threads[1].Script)
			}
		}
		slices.Sort(calls)
		if got := strings.Join(slices.Compact(calls), " "); got != want {
			t.Errorf("expected the owner's calls %q, saw %q", want, got)
		}
	}
}

// TestUnanswered: nothing is said where not all executions are known, nor where none asks.
func TestUnanswered(t *testing.T) {
	whole := interleave.Certificate{Ended: "exhausted", Steps: 1, Executions: 3}
	whole.Exhausted.Classes = true
	cut, iterations := whole, whole
	cut.Ended = "executions"
	iterations.Cuts.Iterations = 1
	for name, c := range map[string]struct {
		sum    interleave.Certificate
		of     *answers
		found  bool
		judged int64
	}{
		"none of all":    {whole, &answers{asked: 3}, true, 1},
		"one of all":     {whole, &answers{asked: 2, given: 1}, false, 1},
		"nobody asks":    {whole, &answers{}, false, 0},
		"not promised":   {whole, nil, false, 0},
		"not all":        {cut, &answers{asked: 3}, false, 0},
		"loops were cut": {iterations, &answers{asked: 3}, false, 0},
	} {
		x := &exploring{answers: c.of, judged: make(map[string]int64)}
		if f := x.unanswered(&c.sum); (f != nil) != c.found || x.judged[unansweredID] != c.judged {
			t.Errorf("%s: %v, judged %d", name, f, x.judged[unansweredID])
		}
	}
}
