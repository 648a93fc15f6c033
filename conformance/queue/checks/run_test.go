package checks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// simple is a right queue: a lock and a slice. Its fields change what it does.
type simple struct {
	mu  sync.Mutex
	ids []record.ID

	get   func(q *simple) (record.ID, bool) // instead of Get
	empty func(q *simple) bool
}

func (q *simple) Put(id record.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ids = append(q.ids, id)
	return true
}

func (q *simple) Get() (record.ID, bool) {
	if q.get != nil {
		return q.get(q)
	}
	return q.first()
}

func (q *simple) first() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ids) == 0 {
		return 0, false
	}
	id := q.ids[0]
	q.ids = q.ids[1:]
	return id, true
}

func (q *simple) Steal() (record.ID, bool) { return q.first() }

func (q *simple) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.empty != nil {
		return q.empty(q)
	}
	return len(q.ids) == 0
}

// run judges one queue and returns the footer and all events.
func run(t *testing.T, o Options, p spec.Profile, newQueue func() queue.Queue) (Footer, []Event) {
	t.Helper()
	var events []Event
	o.Sink = func(e Event) { events = append(events, e) }
	target, err := InProcess("test", p, queue.Single(newQueue))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Run(context.Background(), o, Opened(target))
	if err != nil {
		t.Fatal(err)
	}
	return f, events
}

func brokenIDs(events []Event) []string {
	var ids []string
	for _, e := range events {
		if e.Event == FindingEvent {
			ids = append(ids, e.Finding.Requirement)
		}
	}
	return ids
}

// TestRightQueuePasses counts; package designs has right queues and all checks.
func TestRightQueuePasses(t *testing.T) {
	for _, p := range []spec.Profile{spec.Core, spec.FIFO} {
		f, events := run(t, Options{Seed: 1, Select: "^sequence/"}, p, func() queue.Queue { return new(simple) })
		if f.Verdict != Pass || f.Exit != ExitPass || f.Findings != 0 {
			t.Errorf("%s: %+v", p, f)
		}
		sum := 0
		for _, n := range f.Counts {
			sum += n
		}
		if sum != f.Requirements || sum == 0 {
			t.Errorf("%s: counts %v add up to %d, the footer says %d", p, f.Counts, sum, f.Requirements)
		}
		if last := events[len(events)-1]; last.Event != FooterEvent {
			t.Errorf("%s: the last event is %s", p, last.Event)
		}
	}
}

// TestWrongQueues holds that each kind of wrongness falls by the requirement
// that it breaks.
func TestWrongQueues(t *testing.T) {
	for _, c := range []struct {
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
				q.mu.Lock()
				if n := len(q.ids); n > 1 {
					q.ids[0], q.ids[n-1] = q.ids[n-1], q.ids[0]
				}
				q.mu.Unlock()
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
		{"RQ-EMPTY-TRUE", func() *simple { return &simple{empty: func(q *simple) bool { return len(q.ids) < 2 }} }},
		{"RQ-EMPTY-FALSE", func() *simple { return &simple{empty: func(q *simple) bool { return false }} }},
		{"RQ-CRASH", func() *simple {
			return &simple{get: func(q *simple) (record.ID, bool) { panic("the queue's own check") }}
		}},
	} {
		t.Run(c.id, func(t *testing.T) {
			f, events := run(t, Options{Seed: 1, Select: "^sequence/"}, spec.FIFO, func() queue.Queue { return c.q() })
			if f.Exit != ExitFail || !slices.Contains(brokenIDs(events), c.id) {
				t.Fatalf("exit %d, broken %v, want %s", f.Exit, brokenIDs(events), c.id)
			}
			for _, e := range events {
				if e.Event == RequirementEvent && e.Requirement.ID == c.id && e.Requirement.Verdict != Fail {
					t.Errorf("the requirement's row says %v", e.Requirement.Verdict)
				}
				if e.Event == FindingEvent && len(e.Finding.Ops) > 14 {
					t.Errorf("not shrunk: %d calls", len(e.Finding.Ops))
				}
			}
		})
	}
}

func TestBudgetIsInconclusive(t *testing.T) {
	f, _ := run(t, Options{Seed: 1, Budget: time.Millisecond}, spec.FIFO, func() queue.Queue { return new(simple) })
	if f.Verdict != Inconclusive || f.Exit != ExitInconclusive {
		t.Errorf("%+v", f)
	}
}

func TestInterruptStillGivesAFooter(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	target, _ := InProcess("test", spec.FIFO, queue.Single(func() queue.Queue { return new(simple) }))
	checks := 0
	f, err := Run(ctx, Options{Seed: 1, Sink: func(e Event) {
		if e.Event == CheckEvent {
			if checks++; checks == 2 {
				cancel()
			}
		}
	}}, Opened(target))
	if err != nil || f.Exit != ExitInterrupted || f.Verdict != Inconclusive || f.Checks < 2 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestHang(t *testing.T) {
	old := scenarioTimeout
	scenarioTimeout = 100 * time.Millisecond
	defer func() { scenarioTimeout = old }()
	release := make(chan struct{})
	defer close(release)
	f, events := run(t, Options{Seed: 1, Select: "^sequence/"}, spec.FIFO, func() queue.Queue {
		return &simple{get: func(q *simple) (record.ID, bool) { <-release; return 0, false }}
	})
	if f.Exit != ExitFail || !slices.Contains(brokenIDs(events), "RQ-CRASH") {
		t.Errorf("exit %d, broken %v", f.Exit, brokenIDs(events))
	}
}

// TestFactories holds that a factory that gives nothing usable is an error of
// the harness, named, and no verdict on the queue.
func TestFactories(t *testing.T) {
	old := queue.FactoryTimeout
	queue.FactoryTimeout = 50 * time.Millisecond
	defer func() { queue.FactoryTimeout = old }()
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
		if _, err := InProcess("test", spec.FIFO, c.f); !errors.Is(err, queue.ErrFactory) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.want)
		}
	}
	f, err := Run(context.Background(), Options{}, Source{Name: "gone", Open: func(context.Context, func(string)) (Target, error) {
		return nil, errors.New("cannot be had")
	}})
	if err != nil || f.Exit != ExitError {
		t.Errorf("a target that cannot be opened: %+v, %v", f, err)
	}
}

func TestSelect(t *testing.T) {
	for _, c := range []struct {
		sel  string
		n    int // -1: some
		want error
	}{
		{"", len(Checks), nil}, {"RQ-LEN", -1, nil}, {"RQ-LEN,RQ-DRAIN", -1, nil}, {"^stress/wrap$", 1, nil},
		{"RQ-NOPE", 0, ErrSelect}, {"RQ-LEN,RQ-NOPE", 0, ErrSelect}, {"(", 0, ErrSelect}, {"^nothing$", 0, ErrNothing},
	} {
		list, err := Select(c.sel)
		if !errors.Is(err, c.want) || c.n >= 0 && len(list) != c.n || c.n < 0 && len(list) == 0 {
			t.Errorf("Select(%q) = %d checks, %v", c.sel, len(list), err)
		}
	}
	if _, err := Run(context.Background(), Options{}); !errors.Is(err, ErrNothing) {
		t.Errorf("no target: %v", err)
	}
}

// TestPartial holds that a MUST that a target gives no way to judge shows.
func TestPartial(t *testing.T) {
	f, _ := run(t, Options{Seed: 1, Select: "^sequence/"}, spec.GoRT, func() queue.Queue { return new(simple) })
	if f.Verdict != Partial || f.Exit != ExitPass || f.Verdict.Exit(true) != ExitInconclusive || len(f.Reasons) == 0 {
		t.Errorf("%+v", f)
	}
}

func TestKnownFailures(t *testing.T) {
	list := func(id string) []KnownFailure {
		k, err := ReadKnown(strings.NewReader("# known\n" + id + " test * https://example.org/1 because\n"))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	lies := func() queue.Queue { return &simple{empty: func(q *simple) bool { return len(q.ids) < 2 }} }
	o := Options{Seed: 1, Select: "^sequence/emptiness$", Known: list("RQ-EMPTY-TRUE")}
	if f, _ := run(t, o, spec.FIFO, lies); f.Verdict != Known || f.Exit != ExitPass {
		t.Errorf("a known failure: %v, exit %d", f.Verdict, f.Exit)
	}
	right := func() queue.Queue { return new(simple) }
	if f, _ := run(t, o, spec.FIFO, right); f.Exit != ExitFail {
		t.Errorf("a known failure that a complete check passes: %v, exit %d", f.Verdict, f.Exit)
	}
	o.Select = "^sequence/(emptiness|random)$"
	if f, _ := run(t, o, spec.FIFO, right); f.Verdict != Known || f.Exit != ExitPass {
		t.Errorf("a known failure that a sample did not see: %v, exit %d", f.Verdict, f.Exit)
	}
	for _, bad := range []string{"RQ-NOPE test * https://x y", "RQ-LEN test * nowhere y", "RQ-LEN test", "RQ-LEN test gox..go1.2 https://x y"} {
		if _, err := ReadKnown(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestVersionRanges(t *testing.T) {
	for _, c := range []struct {
		v, from, to string
		want        bool
	}{
		{"go1.26.8", "", "", true}, {"go1.26.8", "go1.23", "", true}, {"go1.22.1", "go1.23", "", false},
		{"go1.25.3", "", "go1.25", true}, {"go1.26.0", "", "go1.25", false}, {"2.1", "2.1", "2.1", true}, {"2.2", "2.1", "2.1", false},
	} {
		if got := inRange(c.v, c.from, c.to); got != c.want {
			t.Errorf("inRange(%s, %s, %s) = %v", c.v, c.from, c.to, got)
		}
	}
}

// TestControlsAreCaught holds that each positive control is, in ten seeds.
func TestControlsAreCaught(t *testing.T) {
	for _, k := range controls {
		for seed := range uint64(10) {
			if f, err := k.run(context.Background(), seed); f == nil {
				t.Errorf("%s, seed %d: %v", k.check, seed, err)
			}
		}
	}
}

// TestControlThatIsNotCaught holds that a run whose witness sees nothing wrong
// with a wrong queue is no pass.
func TestControlThatIsNotCaught(t *testing.T) {
	old := controls
	defer func() { controls = old }()
	controls = []control{{spec.Sequence, "sequence/order", "nothing wrong", wrong(bug(-1)), []string{"RQ-FIFO"}}}
	f, _ := run(t, Options{Seed: 1, Select: "^sequence/order$"}, spec.FIFO, func() queue.Queue { return new(simple) })
	if f.Exit != ExitInconclusive && f.Exit != ExitError {
		t.Errorf("%+v", f)
	}
}

func TestWriteEventsSaysWhatFailed(t *testing.T) {
	sink, failed := WriteEvents(fullDisk{})
	sink(Event{Event: HeaderEvent})
	if err := failed(); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("error %v", err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestObservationsThatNeverCome(t *testing.T) {
	old := Checks
	defer func() { Checks = old }()
	Checks = []Check{{
		Name: "stress/never", Witness: spec.Stress, Requirements: []string{"RQ-LOST"}, Scenarios: 2, Observe: map[string]int{obsOverflows: 1},
		scenario: func(g *gen, i int) record.Scenario {
			return record.Scenario{Name: fmt.Sprint(i), Ps: 1, Threads: []record.Thread{{Script: "pg"}}}
		},
	}}
	r := &runner{Options: Options{Seed: 1, Budget: time.Second, Sink: func(Event) {}, Again: again}, judged: map[spec.Witness]bool{}, counts: map[string]int{}}
	target, _ := InProcess("test", spec.FIFO, queue.Single(func() queue.Queue { return new(simple) }))
	r.target(context.Background(), Opened(target), Checks)
	if r.verdict != Inconclusive {
		t.Errorf("%v: %v", r.verdict, r.reasons)
	}
}
