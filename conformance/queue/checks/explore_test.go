package checks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// swapping is a controlled ring whose get is right.
type swapping struct{ controlledRing }

func (q *swapping) Get() (record.ID, bool) { return q.Steal() }

// lying says that it is empty when it holds one, and has the fault of its ring, too.
type lying struct{ controlledRing }

func (q *lying) Empty() bool { return q.tail.Load()-q.head.Load() < 2 }

// brittle has the fault of its ring, and a get that dies where nothing was ever put.
type brittle struct{ controlledRing }

func (q *brittle) Get() (record.ID, bool) {
	if q.tail.Load() == 0 {
		panic("nothing was ever put")
	}
	return q.controlledRing.Get()
}

func instrumented(t *testing.T, newQueue func() queue.Queue) Target {
	t.Helper()
	target, err := Instrumented("test", spec.FIFO, queue.Single(newQueue))
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// stealing is an exploration of an owner and a thief.
func stealing(list ...small) check {
	return listed("test", "", []string{"RQ-TWICE", "RQ-EMPTY-TRUE"}, list...)
}

func TestExploreAll(t *testing.T) {
	one := []small{{4, "ppg", []string{"s"}}}
	for name, c := range map[string]struct {
		queue    func() queue.Queue
		check    check
		bound    int
		ended    suite.Ended
		complete bool
		says     string
		broken   string
	}{
		"all of it":           {func() queue.Queue { return new(swapping) }, stealing(one...), 0, suite.Completed, true, "", ""},
		"some of it":          {func() queue.Queue { return new(swapping) }, stealing(one...), 3, suite.Completed, false, "", ""},
		"nothing of it":       {func() queue.Queue { return new(simple) }, stealing(one...), 0, suite.Inconclusive, false, "made no operation that can be controlled", ""},
		"nobody can say":      {func() queue.Queue { return new(silent) }, stealing(small{4, "nng", []string{"s"}}), 0, suite.Inconclusive, false, "does not report what else it moved", ""},
		"a fault":             {wrongRing, stealing(one...), 0, suite.Completed, true, "", "RQ-TWICE"},
		"two faults":          {func() queue.Queue { return new(lying) }, stealing(small{4, "ppg", []string{"es"}}), 0, suite.Completed, false, "", "RQ-EMPTY-TRUE RQ-TWICE"},
		"a crash cuts it":     {func() queue.Queue { return new(crashing) }, stealing(one...), 0, suite.Completed, false, "", "RQ-CRASH"},
		"it takes long":       {func() queue.Queue { return &thorough{looks: 8000} }, stealing(small{4, "g", nil}), 0, suite.Inconclusive, false, "more than 10000 steps", ""},
		"it has no end":       {func() queue.Queue { return &thorough{looks: -1} }, stealing(small{4, "g", nil}), 0, suite.Completed, false, "", "RQ-CRASH"},
		"it cannot be made":   {refusing(2), stealing(one...), 0, suite.Error, false, "drive: factory panicked: no more of them", ""},
		"a smaller crashes":   {func() queue.Queue { return new(brittle) }, stealing(one...), 0, suite.Completed, true, "", "RQ-TWICE"},
		"a fault in a second": {wrongRing, stealing(small{4, "p", []string{"e"}}, one[0]), 0, suite.Completed, true, "", "RQ-TWICE"},
	} {
		t.Run(name, func(t *testing.T) {
			c.check.bound = c.bound
			out, events := carriedOn(t, t.Context(), c.check, instrumented(t, c.queue))
			broken := brokenIDs(events)
			slices.Sort(broken)
			if out.Ended != c.ended || !strings.Contains(out.Reason, c.says) || strings.Join(slices.Compact(broken), " ") != c.broken {
				t.Errorf("expected it %s with %q, broken %s; saw %+v, broken %v", c.ended, c.says, c.broken, out, broken)
			}
			if at := out.At; (at == 1) != (c.ended != suite.Completed && out.Scenarios == 0) || at > 1 {
				t.Errorf("expected that it ends at the first scenario if that comes to no verdict, and else at none, saw %d", at)
			}
			if c.broken == "" && out.Complete != c.complete {
				t.Errorf("expected complete %v, saw %v: %s", c.complete, out.Complete, out.Note)
			}
			if crashed := slices.Contains(broken, "RQ-CRASH"); crashed != (out.Cut["RQ-TWICE"] != "") || crashed && out.Complete {
				t.Errorf("cut %v, complete %v", out.Cut, out.Complete)
			}
			if out.Ended == suite.Completed && (out.Executions == 0 || out.Calls == 0 && c.broken != "RQ-CRASH" || out.Scenarios == 0) {
				t.Errorf("it counts nothing: %+v", out)
			}
		})
	}
}

// silent has a slot, and does not say what its puts move.
type silent struct{ swapping }

func (q *silent) PutNext(id record.ID) bool { return q.Put(id) }
func (q *silent) GetNext() (id record.ID, next, ok bool) {
	id, ok = q.Get()
	return id, false, ok
}

// thorough is a right ring whose get looks at a slot many times before it takes anything, or for ever.
type thorough struct {
	swapping
	looks int
}

func (q *thorough) Get() (record.ID, bool) {
	for i := 0; i < q.looks || q.looks < 0; i++ {
		q.slots[0].Store(q.slots[0].Load())
	}
	return q.swapping.Get()
}

// refusing makes as many queues as n, and then none.
func refusing(n int) func() queue.Queue {
	var made atomic.Int32
	return func() queue.Queue {
		if int(made.Add(1)) > n {
			panic("no more of them")
		}
		return new(swapping)
	}
}

func wrongRing() queue.Queue { return new(controlledRing) }

// crashing dies in every steal.
type crashing struct{}

func (*crashing) Put(record.ID) bool       { return true }
func (*crashing) Get() (record.ID, bool)   { return 0, false }
func (*crashing) Empty() bool              { return true }
func (*crashing) Steal() (record.ID, bool) { panic("no steal today") }

// TestUndecided: an exploration that saw nothing wrong shows something only if nothing
// was in doubt.
func TestUndecided(t *testing.T) {
	sound := interleave.Certificate{Steps: 9, Executions: 3}
	doubtful := sound
	doubtful.Doubts = slices.Grow(doubtful.Doubts, 1)[:1]
	doubtful.Doubts[0].What = "a variable that nobody saw"
	for name, c := range map[string]struct {
		c     interleave.Certificate
		doubt string
		says  string
	}{
		"sound":     {sound, "", ""},
		"undecided": {sound, "ring 0: too many calls", "ring 0: too many calls"},
		"doubt":     {doubtful, "", "not complete"},
	} {
		x := exploring{doubt: c.doubt}
		if why := x.undecided(&c.c); (why == "") != (c.says == "") || !strings.Contains(why, c.says) {
			t.Errorf("%s: expected %q, saw %q", name, c.says, why)
		}
	}
}

// TestExploreOne: the exploration of one scenario by itself says the same.
func TestExploreOne(t *testing.T) {
	s := record.Scenario{Name: "one", Ps: 1, Threads: []record.Thread{{P: 0, Script: "ppg"}, {P: record.None, Script: "s0"}}}
	for name, c := range map[string]struct {
		queue func() queue.Queue
		ended suite.Ended
		finds string
	}{
		"right":          {func() queue.Queue { return new(swapping) }, suite.Completed, ""},
		"wrong":          {wrongRing, suite.Completed, "RQ-TWICE"},
		"not controlled": {func() queue.Queue { return new(simple) }, suite.Inconclusive, ""},
	} {
		out, found := Explore(t.Context(), instrumented(t, c.queue), s)
		ids := ""
		for _, f := range found {
			ids += f.Requirement
		}
		if out.Ended != c.ended || ids != c.finds {
			t.Errorf("%s: expected it %s and %q found, saw %+v and %q", name, c.ended, c.finds, out, ids)
		}
		for i := range found {
			if x := found[i].Execution(); x == nil || x.Schedule == "" {
				t.Errorf("%s: no schedule in %+v", name, found[i])
			}
			if s, err := ScenarioOf(&found[i]); err != nil || len(s.Threads) != 2 {
				t.Errorf("%s: the scenario: %+v, %v", name, s, err)
			}
		}
	}
}

// TestLessOf: the scenarios that are smaller by a thread or a call.
func TestLessOf(t *testing.T) {
	s := record.Scenario{Ps: 1, Threads: []record.Thread{{Script: "pg"}, {Script: "s0"}}}
	var got []string
	for _, less := range lessOf(s) {
		var scripts []string
		for _, th := range less.Threads {
			scripts = append(scripts, th.Script)
		}
		got = append(got, strings.Join(scripts, "|"))
	}
	if want := []string{"s0", "g|s0", "p|s0", "pg"}; !slices.Equal(got, want) {
		t.Errorf("expected %v, saw %v", want, got)
	}
	if s.Threads[0].Script != "pg" || len(s.Threads) != 2 {
		t.Errorf("the scenario itself is now %+v", s)
	}
}

// hoarder invents a G in each steal, and hangs in Get where nobody has stolen: it takes
// memory until it is released.
type hoarder struct {
	controlledRing
	stolen, release *atomic.Bool
}

func (q *hoarder) Steal() (record.ID, bool) {
	q.stolen.Store(true)
	id, ok := q.controlledRing.Steal()
	return id + 1000, ok
}

func (q *hoarder) Get() (record.ID, bool) {
	var taken [][]byte
	for !q.stolen.Load() && !q.release.Load() {
		if len(taken) < 32 { // twice what a call that hangs may take, and half of what a process may
			taken = append(taken, make([]byte, 64<<20))
		}
		time.Sleep(30 * time.Millisecond)
	}
	return q.controlledRing.Steal()
}

// hoarding is a target of hoarders. They are released when the test ends.
func hoarding(t *testing.T, profile spec.Profile) Target {
	release := new(atomic.Bool)
	t.Cleanup(func() {
		release.Store(true)
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if _, err := interleave.Explore(func(*interleave.Exec) {}); !errors.Is(err, interleave.ErrUncontrolled) {
				break // the call has come back, and other tests can explore
			}
		}
	})
	target, err := Instrumented("hoarder", profile, queue.Single(func() queue.Queue { return &hoarder{stolen: new(atomic.Bool), release: release} }))
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// TestSearchHangs: a search in which a call hangs says so, since nothing can be searched
// after it.
func TestSearchHangs(t *testing.T) {
	found, err := Search(t.Context(), hoarding(t, "fifo,steals=none"), suite.Limits{Sequences: 10, Scenarios: 10, Each: 10, Executions: 100})
	if !errors.Is(err, suite.ErrHangs) {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestHangsWhereItIsSmaller: a call that hangs only in a smaller scenario, which is tried
// after a finding, ends the exploration. The finding stays, and the rest is unknown.
func TestHangsWhereItIsSmaller(t *testing.T) {
	tier.OnlyFull(t)
	target := hoarding(t, spec.FIFO)
	c := check{
		name: "interleave/hoarder", witness: spec.Interleave, requirements: []string{"RQ-INVENTED", "RQ-CRASH"}, scenarios: 2, complete: true,
		scenario: func(*gen, int) record.Scenario {
			return record.Scenario{Name: "wrong", Ps: 1, Threads: []record.Thread{{P: 0, Script: "p"}, {P: record.None, Script: "s"}}}
		},
	}
	begin := time.Now()
	out, events := carriedOn(t, t.Context(), c, target)
	if broken := brokenIDs(events); !slices.Contains(broken, "RQ-INVENTED") || out.Ended != suite.Inconclusive || out.Complete || !strings.Contains(out.Reason, "given up") {
		t.Errorf("broken %v, ended %s: %s", broken, out.Ended, out.Reason)
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestEndInAScenario: an exploration ends with the run, in the middle of a scenario too. What
// it has of that one counts for nothing.
func TestEndInAScenario(t *testing.T) {
	run := func(more int) (ctx context.Context, target Target) {
		ctx, end := context.WithCancel(t.Context())
		n := 0
		return ctx, instrumented(t, func() queue.Queue {
			if n++; n == more {
				end()
			}
			return new(swapping)
		})
	}
	large := small{4, "ppgpgpg", []string{"ss", "ss"}} // it has more than 50,000 executions
	ctx, target := run(200)
	out, _ := carriedOn(t, ctx, stealing(large, large), target)
	if want := "interrupted after 0 of 2 scenarios"; out.Ended != suite.Inconclusive || !strings.HasPrefix(out.Reason, want) || out.Executions > 200 || out.Scenarios > 0 || len(out.Judged) > 0 {
		t.Errorf("expected %q and at most 200 executions, saw %+v", want, out)
	}
	ctx, target = run(200)
	s := stealing(large).scenario(&gen{nil, factsOf(target)}, 0)
	out, found := Explore(ctx, target, s, interleave.Executions(2000))
	if out.Ended != suite.Inconclusive || !strings.HasPrefix(out.Reason, "context canceled: not complete") || out.Executions > 200 || len(found) > 0 {
		t.Errorf("one scenario: expected it inconclusive after at most 200 executions, saw %+v, %v", out, found)
	}
}

// looping is a controlled ring of which a get has no end when n were put and all are taken.
type looping struct {
	swapping
	n uint32
}

func (q *looping) Get() (record.ID, bool) {
	for q.tail.Load() == q.n && q.head.Load() == q.n {
	}
	return q.swapping.Get()
}

// TestQuietHang: of a call at a quiet moment that has no end it is told which it is, where it is,
// and what was called before. It ends its scenario, and neither the next ones nor other checks.
func TestQuietHang(t *testing.T) {
	tier.NotShort(t)
	defer func(d time.Duration) { quietTime = d }(quietTime)
	quietTime = 300 * time.Millisecond
	hangs := func(name string, before, after string, more int) check {
		c := listed(name, "", []string{"RQ-TWICE"}, small{4, "pg", []string{"s"}})
		c.scenarios = 1 + more
		scenario := c.scenario
		c.scenario = func(g *gen, i int) record.Scenario {
			s := scenario(g, 0)
			if i == 0 {
				s.Before, s.After = before, after
			}
			return s
		}
		return c
	}
	for name, c := range map[string]struct {
		check check
		n     uint32
		calls []string // the last ones
	}{
		"after":  {hangs("after", "", "T0:pgg", 2), 2, []string{"T0 put P0 2", "T0 get P0 = 2", "T0 get P0 [", "..?]"}},
		"before": {hangs("before", "T0:pppgggg", "", 2), 3, []string{"T0 put P0 3", "T0 get P0 = 3", "T0 get P0 [", "..?]"}},
		"drain":  {hangs("drain", "", "T0:pge", 2), 2, []string{"T0 get P0 = 2", "T0 empty P0 = true"}},
	} {
		target := instrumented(t, func() queue.Queue { return &looping{n: c.n} })
		out, events := carriedOn(t, t.Context(), c.check, target)
		var found []record.Finding
		for _, e := range events {
			if e.Event == suite.FindingEvent {
				found = append(found, *e.Finding)
			}
		}
		if len(found) != 1 || found[0].Fingerprint != hangsAs {
			t.Errorf("%s: expected one hang, saw %+v, %+v", name, found, out)
			continue
		}
		f := &found[0]
		if !strings.Contains(f.Observed, "it is at checks.(*looping).Get (explore_test.go:") {
			t.Errorf("%s: expected the place of the call, saw %s", name, f.Observed)
		}
		var calls string
		for _, e := range f.Evidence {
			if e.Kind == record.Calls {
				calls = strings.Join(e.Lines, "\n")
			}
		}
		rest := calls
		for _, call := range c.calls {
			_, after, ok := strings.Cut(rest, call)
			if !ok {
				t.Errorf("%s: expected %q among the calls, saw\n%s", name, c.calls, calls)
			}
			rest = after
		}
		if out.Ended != suite.Completed || out.Scenarios != 3 {
			t.Errorf("%s: expected that the other scenarios are explored, saw %+v", name, out)
		}
	}
}

// TestFailed: what is of no thread alone is said of none.
func TestFailed(t *testing.T) {
	for want, f := range map[string]interleave.Failure{
		"livelock: T0 repeats": {Kind: interleave.Livelock, Message: "T0 repeats"},
		"panic in T1: three":   {Kind: "panic", Thread: "T1", Message: "three"},
	} {
		if got := failed(&f); got != want {
			t.Errorf("expected %q, saw %q", want, got)
		}
	}
}
