package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// toldDeque is a deque by Chase and Lev, on the explorer's atomics, with faults by name.
type toldDeque struct {
	fault       string
	top, bottom atomic.Int64
	slots       [2]atomic.Uint64
}

func (q *toldDeque) slot(i int64) *atomic.Uint64 { return &q.slots[i%int64(len(q.slots))] }

func (q *toldDeque) Put(id record.ID) bool {
	b := q.bottom.Load()
	if b-q.top.Load() >= int64(len(q.slots)) {
		return false
	}
	q.slot(b).Store(id)
	q.bottom.Store(b + 1)
	return true
}

func (q *toldDeque) Get() (record.ID, bool) {
	b := q.bottom.Load() - 1
	q.bottom.Store(b)
	t := q.top.Load()
	if t > b {
		q.bottom.Store(b + 1)
		return 0, false
	}
	id := q.slot(b).Load()
	if t < b {
		return id, true
	}
	won := true
	if q.fault == "get stores" {
		q.top.Store(t + 1)
	} else {
		won = q.top.CompareAndSwap(t, t+1)
	}
	q.bottom.Store(b + 1)
	return id, won
}

func (q *toldDeque) Steal() (record.ID, bool) {
	t := q.top.Load()
	if t >= q.bottom.Load() {
		return 0, false
	}
	id := q.slot(t).Load()
	if q.fault == "steal stores" {
		q.top.Store(t + 1)
		return id, true
	}
	if !q.top.CompareAndSwap(t, t+1) {
		return 0, false
	}
	if q.fault == "reads late" {
		id = q.slot(t).Load()
	}
	return id, true
}

func (q *toldDeque) Empty() bool {
	if q.fault == "lies" {
		return q.bottom.Load()-q.top.Load() <= 1
	}
	return q.bottom.Load()-q.top.Load() <= 0
}

func (q *toldDeque) Cap() int { return len(q.slots) }

// toldLocked is a queue behind a lock.
type toldLocked struct {
	mu  sync.Mutex
	ids []record.ID
}

func (q *toldLocked) Put(id record.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ids = append(q.ids, id)
	return true
}

func (q *toldLocked) Get() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ids) == 0 {
		return 0, false
	}
	id := q.ids[0]
	q.ids = q.ids[1:]
	return id, true
}

func (q *toldLocked) Steal() (record.ID, bool) { return q.Get() }

func (q *toldLocked) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ids) == 0
}

// rightRing is controlledRing with a get that swaps.
type rightRing struct{ controlledRing }

func (q *rightRing) Get() (record.ID, bool) { return q.Steal() }

// tellsOf judges a target by what it tells.
func tellsOf(t *testing.T, x Target) (suite.Outcome, []record.Finding) {
	t.Helper()
	var list []record.Finding
	var out suite.Outcome
	one := toldCheck
	err := suite.Run(t.Context(), suite.Options{Seed: 1, Budget: suite.DefaultBudget, Sink: func(e suite.Event) {
		switch {
		case e.Finding != nil:
			list = append(list, *e.Finding)
		case e.Result != nil && e.Check == one.name:
			out = e.Result.Outcome
		}
	}}, suite.Opened(&suite.Subject{Name: "queue", NotOffered: notOffered, Checks: []suite.Check{one.suite()}}, x))
	if err != nil {
		t.Fatal(err)
	}
	return out, list
}

func selfExploredOf(t *testing.T, p spec.Profile, f queue.Factory) *selfExplored {
	t.Helper()
	x, err := tellingOf("told", p, f)
	if err != nil {
		t.Fatal(err)
	}
	return x.(*selfExplored)
}

// TestToldRight: right queues are clean, and complete.
func TestToldRight(t *testing.T) {
	for _, c := range []struct {
		name    string
		profile spec.Profile
		f       queue.Factory
	}{
		{"deque", spec.LIFODeque, queue.Single(func() *toldDeque { return new(toldDeque) })},
		{"locked", spec.FIFO, queue.Single(func() *toldLocked { return new(toldLocked) })},
		{"ring", spec.FIFO, queue.Single(func() *rightRing { return new(rightRing) })},
	} {
		out, list := tellsOf(t, selfExploredOf(t, c.profile, c.f))
		if len(list) > 0 || out.Ended != suite.Completed || !out.Complete || !strings.HasPrefix(out.Note, "complete by interleave as the target says; ") {
			t.Errorf("%s: expected no finding, and complete, saw %+v %+v", c.name, out, list)
		}
		if c.name == "deque" && !strings.Contains(out.Note, "; 647 histories of ") { // as many as loom has of the same deque in Rust: see TestLoom
			t.Errorf("expected 647 histories, saw %s", out.Note)
		}
		t.Logf("%s: %d scenarios, %s, judged %v", c.name, out.Scenarios, out.Note, out.Judged)
	}
}

// TestToldWrong: each fault is found.
func TestToldWrong(t *testing.T) {
	for _, c := range []struct {
		fault string
		want  []string // one of them
	}{
		{"get stores", []string{"RQ-TWICE", "RQ-LOST"}},
		{"steal stores", []string{"RQ-TWICE"}},
		{"reads late", []string{"RQ-TWICE"}},
		{"lies", []string{"RQ-EMPTY-TRUE"}},
	} {
		out, list := tellsOf(t, selfExploredOf(t, spec.LIFODeque, queue.Single(func() *toldDeque { return &toldDeque{fault: c.fault} })))
		if !slices.ContainsFunc(list, func(f record.Finding) bool { return slices.Contains(c.want, f.Requirement) }) {
			t.Errorf("%s: expected %v, saw %+v, %+v", c.fault, c.want, out, list)
			continue
		}
		if _, err := ScenarioOf(&list[0]); err != nil {
			t.Errorf("%s: %v", c.fault, err)
		}
		t.Logf("%s: %s: %s", c.fault, list[0].Requirement, list[0].Observed)
	}
}

// toldBy changes what a target tells.
type toldBy struct {
	*selfExplored
	asked func(n int, s *record.Scenario)
	told  func(n int, x *queue.Exploration) error
	n     int
}

func (t *toldBy) Explore(ctx context.Context, s record.Scenario, executions int) (*queue.Exploration, error) {
	t.n++
	if t.asked != nil {
		t.asked(t.n, &s)
	}
	x, err := t.selfExplored.Explore(ctx, s, executions)
	if err == nil && t.told != nil {
		err = t.told(t.n, x)
	}
	return x, err
}

// TestToldIsNotBelieved: what a target says that has not explored all comes to no pass, and
// never to the word complete.
func TestToldIsNotBelieved(t *testing.T) {
	deque := queue.Single(func() *toldDeque { return new(toldDeque) })
	first := func(_ int, x *queue.Exploration) error {
		x.Histories, x.Executions = x.Histories[:1], 1
		return nil
	}
	for _, c := range []struct {
		name  string
		asked func(n int, s *record.Scenario)
		told  func(n int, x *queue.Exploration) error
		ended suite.Ended
		why   string
	}{
		{"one execution, and complete", nil, first, suite.Inconclusive, "which no order of steps can keep from coming"},
		{"one execution of one scenario", nil, func(n int, x *queue.Exploration) error {
			if last := n == 378; last && len(x.Histories) > 1 {
				return first(n, x)
			}
			return nil
		}, suite.Inconclusive, "which no order of steps can keep from coming"},
		{"it stops before its bound", nil, func(n int, x *queue.Exploration) error {
			x.Complete = n != 7
			return nil
		}, suite.Inconclusive, "that the target does not call complete"},
		{"no executions", nil, func(_ int, x *queue.Exploration) error { x.Executions = 0; return nil }, suite.Error, "expected a history and as many executions"},
		{"no histories", nil, func(_ int, x *queue.Exploration) error { x.Histories = nil; return nil }, suite.Error, "expected a history"},
		{"another scenario", func(n int, s *record.Scenario) {
			if n == 5 {
				*s = record.Scenario{Name: s.Name, Ps: s.Ps, Threads: []record.Thread{{P: 0, Script: "pg"}, {P: record.None, Script: "s0"}}}
			}
		}, nil, suite.Error, "the target's history of scenario"},
		{"one call less", nil, func(_ int, x *queue.Exploration) error {
			h := *x.Histories[0]
			h.Ops = slices.Delete(slices.Clone(h.Ops), 1, 2)
			x.Histories[0] = &h
			return nil
		}, suite.Error, "the target's history of scenario"},
		{"no end", nil, func(_ int, x *queue.Exploration) error {
			h := *x.Histories[0]
			h.Final = record.Contents{}
			x.Histories[0] = &h
			return nil
		}, suite.Error, "the target's history of scenario"},
		{"refused", nil, func(n int, _ *queue.Exploration) error {
			if n == 3 {
				return fmt.Errorf("refused")
			}
			return nil
		}, suite.Error, "refused"},
		{"no answer in time", nil, func(n int, _ *queue.Exploration) error {
			if n == 3 {
				return &queue.HangError{After: 1}
			}
			return nil
		}, suite.Inconclusive, "saw no answer"},
	} {
		out, list := tellsOf(t, &toldBy{selfExplored: selfExploredOf(t, spec.LIFODeque, deque), asked: c.asked, told: c.told})
		if out.Ended != c.ended || out.Complete || !strings.Contains(out.Reason, c.why) || len(list) > 0 || strings.HasPrefix(out.Note, "complete") {
			t.Errorf("%s: expected %s, %q, saw %+v, %+v", c.name, c.ended, c.why, out, list)
		}
	}
}

// TestToldCut: at the bound that was asked for the plan is carried out, and is not complete.
func TestToldCut(t *testing.T) {
	x := selfExploredOf(t, spec.LIFODeque, queue.Single(func() *toldDeque { return new(toldDeque) }))
	out, list := tellsOf(t, &toldBy{selfExplored: x, told: func(n int, x *queue.Exploration) error {
		if n == 7 {
			x.Executions, x.Complete = toldCheck.executions(), false
		}
		return nil
	}})
	if out.Ended != suite.Completed || out.Complete || len(list) > 0 || !strings.HasPrefix(out.Note, "of 377 of 378 scenarios ") {
		t.Errorf("expected its end, and not complete, saw %+v, %+v", out, list)
	}
}

// TestToldCrash: a crash breaks RQ-CRASH, whatever else was told.
func TestToldCrash(t *testing.T) {
	t.Attr("req", "RQ-CRASH")
	x := selfExploredOf(t, spec.LIFODeque, queue.Single(func() *toldDeque { return new(toldDeque) }))
	out, list := tellsOf(t, &toldBy{selfExplored: x, told: func(n int, x *queue.Exploration) error {
		if n == 9 {
			x.Complete = false
			return &queue.CrashError{Text: "index out of range"}
		}
		return nil
	}})
	if len(list) != 1 || list[0].Requirement != "RQ-CRASH" || out.Complete || out.Ended != suite.Completed || len(out.Cut) == 0 {
		t.Errorf("expected RQ-CRASH, and not complete, saw %+v, %+v", out, list)
	}
}

// TestToldOrder: what threads did in different orders of time is no finding, unless it is
// wrong in each of them.
func TestToldOrder(t *testing.T) {
	s := record.Scenario{Name: "x", Ps: 1, Before: "T0:p", Threads: []record.Thread{{P: 0, Script: "p"}, {P: record.None, Script: "s0s0"}}}
	for text, right := range map[string]bool{
		"s0 -> 1, s0 -> none": true, "s0 -> 1, s0 -> 2": true, "s0 -> none, s0 -> 1": false, "s0 -> 2, s0 -> 1": false, "s0 -> 1, s0 -> 1": false,
	} {
		h := &record.History{Scenario: s, Clock: record.ClockCounter}
		put := func(id record.ID, c int64) {
			h.Ops = append(h.Ops, record.Op{Kind: record.Put, Thief: record.None, In: []record.ID{id}, Count: 1, OK: true, Call: c, Return: c + 1})
		}
		put(1, 1)
		put(2, 3) // before both steals, by a clock that says nothing
		left := map[record.ID]bool{1: true, 2: true}
		for i, what := range strings.Split(text, ", ") {
			op := record.Op{Thread: 1, Kind: record.Steal, Thief: record.None, Call: int64(5 + 2*i), Return: int64(6 + 2*i)}
			if id := record.ID(what[len(what)-1] - '0'); id < 10 {
				op.OK, op.Out = true, []record.ID{id}
				delete(left, id)
			}
			h.Ops = append(h.Ops, op)
		}
		h.Final.Ps = []record.PContents{{}}
		for id := range left {
			h.Final.Ps[0].Ring = append(h.Final.Ps[0].Ring, id)
		}
		l, err := linesOf(h)
		if err != nil {
			t.Fatal(err)
		}
		if v := l.judge(spec.FIFO); (len(v.Findings) == 0) != right {
			t.Errorf("%s: expected right: %v, saw %+v", text, right, v)
		}
	}
}

// TestWidest: two threads of two calls have two widest ways to overlap, and each order of
// whole calls.
func TestWidest(t *testing.T) {
	n := 0
	for order := range merges([]int{2, 1, 0}) {
		n++
		if len(order) != 3 {
			t.Errorf("order %v", order)
		}
	}
	if n != 3 {
		t.Errorf("%d orders, want 3", n)
	}
}
