package explore

import (
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// seeds calls one for n seeds, or for the one of SPINDLE_SEED.
func seeds(t *testing.T, n int, one func(seed uint64)) {
	if os.Getenv(record.SeedVar) != "" {
		seed, err := record.SeedFromEnv(0)
		if err != nil {
			t.Fatal(err)
		}
		one(uint64(seed))
		return
	}
	for seed := range n {
		if one(uint64(seed)); t.Failed() {
			t.Fatalf("to reproduce: SPINDLE_SEED=%d go test -run '^%s$' ./spec/explore", seed, t.Name())
		}
	}
}

func explore(t *testing.T, m Machine[tablesState], o Options[tablesState]) Result {
	t.Helper()
	r, err := Explore(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	r = same(r)
	return r
}

func TestCountsAsNaiveSearch(t *testing.T) {
	large := 0
	n := tier.N(t, 200, 600)
	seeds(t, n, func(seed uint64) {
		m := newTables(seed)
		want := search(m)
		r := explore(t, m, Options[tablesState]{})
		if r.Distinct != len(want.depth) || r.Generated != want.generated || r.Depth != want.deepest || !r.Holds() {
			t.Errorf("%+v; want %d distinct, %d generated, depth %d, complete", r, len(want.depth), want.generated, want.deepest)
		}
		if r.Edges != want.generated-len(m.initial) {
			t.Errorf("%d edges, want %d", r.Edges, want.generated-len(m.initial))
		}
		found := 0
		for i, a := range r.Actions {
			if a.Taken != want.taken[i] || a.New > a.Taken {
				t.Errorf("%+v, want it taken %d times", a, want.taken[i])
			}
			found += a.New
		}
		if initial := r.Distinct - found; initial < 1 || initial > len(m.initial) {
			t.Errorf("%d initial states, there are %d with repeats", initial, len(m.initial))
		}
		for _, o := range []Options[tablesState]{{Workers: 2}, {Workers: 3}, {Seed: seed + 1}} {
			if other := explore(t, m, o); !reflect.DeepEqual(r, other) {
				t.Errorf("%+v with %d workers and seed %d\n%+v without", other, o.Workers, o.Seed, r)
			}
		}
		r = explore(t, symmetric{m}, Options[tablesState]{Workers: int(seed % 3)})
		if r.Distinct != want.orbits || r.Depth != want.orbitsDeep || !r.Holds() {
			t.Errorf("with symmetry %+v; want %d distinct, depth %d", r, want.orbits, want.orbitsDeep)
		}
		if r = explore(t, symmetric{m}, Options[tablesState]{NoSymmetry: true}); r.Distinct != len(want.depth) {
			t.Errorf("with symmetry off %d distinct, want %d", r.Distinct, len(want.depth))
		}
		if len(want.depth) > 3*batchLen {
			large++
		}
	})
	if os.Getenv("SPINDLE_SEED") == "" && large < n/12 {
		t.Errorf("%d machines have more than %d states: too few to try batches", large, 3*batchLen)
	}
}

func TestNearestViolation(t *testing.T) {
	var wrong, deadlocks int
	n := tier.N(t, 200, 600)
	seeds(t, n, func(seed uint64) {
		m := newTables(seed)
		want := search(m)
		for _, machine := range []Machine[tablesState]{m, symmetric{m}} {
			always := Invariant[tablesState]{"True", "RQ-LEN", func(*tablesState) bool { return true }}
			for _, o := range []Options[tablesState]{
				{Invariants: []Invariant[tablesState]{always, {"Right", "RQ-TWICE", m.holds}}},
				{Invariants: []Invariant[tablesState]{always}, Refines: []Refinement[tablesState]{
					{"True", "RQ-LEN", always.Holds, func(_, _ *tablesState) bool { return true }},
					{"Right", "RQ-TWICE", m.holds, func(_, to *tablesState) bool { return m.holds(to) }},
				}},
			} {
				r := explore(t, machine, o)
				checkTrace(t, m, r, "Right", want.wrong, m.holds)
				if want.wrong > 0 && r.Violation.Requirement != "RQ-TWICE" {
					t.Errorf("the violation is of %s", r.Violation.Requirement)
				}
				o.Workers = 3
				if other := explore(t, machine, o); !reflect.DeepEqual(r, other) {
					t.Errorf("%+v with 3 workers\n%+v with one", other, r)
				}
			}
			if want.wrong > 0 {
				wrong++
			}
			r := explore(t, machine, Options[tablesState]{Deadlock: true})
			checkTrace(t, m, r, Deadlock, want.deadlock, func(s *tablesState) bool {
				var out Successors[tablesState]
				m.Next(s, &out)
				return len(out.Edges()) > 0
			})
			if want.deadlock > 0 {
				deadlocks++
			}
		}
	})
	if os.Getenv("SPINDLE_SEED") == "" && (wrong < n/6 || deadlocks < n/6) {
		t.Errorf("%d violations and %d deadlocks: too few", wrong, deadlocks)
	}
}

// checkTrace holds r against a violation that is depth states away, or none
// where depth is 0: is it there, is the trace a behaviour of m, and as short?
func checkTrace(t *testing.T, m *tables, r Result, name string, depth int, holds func(*tablesState) bool) {
	t.Helper()
	if depth == 0 {
		if !r.Holds() {
			t.Errorf("%s: %+v; want that it holds", name, r)
		}
		return
	}
	if r.Violation == nil || r.Complete || r.Violation.Invariant != name || len(r.Violation.Trace) != depth || r.Depth != depth {
		t.Errorf("%s: %+v, violation %+v; want one after %d states", name, r, r.Violation, depth)
		return
	}
	trace := r.Violation.Trace
	last := trace[len(trace)-1].State.(tablesState)
	if holds(&last) {
		t.Errorf("%s: %v does not violate it", name, last)
	}
	if first := trace[0].State.(tablesState); !slices.Contains(m.initial, first) {
		t.Errorf("%s: %v is no initial state", name, first)
	}
	for i := range trace {
		s := trace[i].State.(tablesState)
		if !slices.Equal(trace[i].Vars, m.Vars(&s)) {
			t.Errorf("%s: %v is shown as %v", name, s, trace[i].Vars)
		}
		if i == 0 {
			continue
		}
		var out Successors[tablesState]
		from := trace[i-1].State.(tablesState)
		m.Next(&from, &out)
		if !slices.Contains(out.Edges(), Edge[tablesState]{trace[i].Step, s}) {
			t.Errorf("%s: %v is no step from %v to %v", name, trace[i].Step, from, s)
		}
	}
}

func TestMisuse(t *testing.T) {
	type padded struct {
		A uint8
		B uint16
	}
	type tail struct {
		B uint16
		A uint8
	}
	type blank struct {
		A uint8
		_ uint8
	}
	type nested struct{ X [2]tail }
	for want, f := range map[string]func(){
		"1 bytes of padding before field B": func() { checkState[padded]() },
		"1 bytes of padding at the end":     func() { checkState[tail]() },
		"X: 1 bytes of padding at the end":  func() { checkState[nested]() },
		"field _ is not compared":           func() { checkState[blank]() },
		"saw string":                        func() { checkState[struct{ S string }]() },
		"saw *int":                          func() { checkState[[2]*int]() },
		"saw float64":                       func() { checkState[float64]() },
		"saw interface {}":                  func() { checkState[struct{ A any }]() },
		"it has no bytes":                   func() { checkState[struct{}]() },
		"expected no Workers, MaxStates or MaxMemory below 0, saw -1, 0 and 0": func() { Explore(context.Background(), ring{}, Options[ringState]{Workers: -1}) },
		"MaxMemory below 0, saw 0, 0 and -1":                                   func() { Explore(context.Background(), ring{}, Options[ringState]{MaxMemory: -1}) },
	} {
		t.Run(want, func(t *testing.T) {
			defer func() {
				if got, _ := recover().(string); !strings.HasPrefix(got, "explore: ") || !strings.Contains(got, want) {
					t.Errorf("panic %q, want %q in it", got, want)
				}
			}()
			f()
		})
	}
}

// notAlike says of processes that differ that they are alike.
type notAlike struct{ *tables }

func (m notAlike) Canonical(s *tablesState) { s.Local[0] = 0 }

func TestErrors(t *testing.T) {
	if _, err := Explore(context.Background(), &tables{}, Options[tablesState]{}); err == nil || !strings.Contains(err.Error(), "no initial state") {
		t.Errorf("no initial state: %v", err)
	}
	m := &tables{procs: 1, locals: 3, words: 1, initial: []tablesState{{}}, moves: map[[2]uint8][]tablesMove{
		{0, 0}: {{0, 1, 1}}, {0, 1}: {{1, 0, 2}},
	}}
	never := []Invariant[tablesState]{{"Never", "", func(s *tablesState) bool { return s.Word < 2 }}}
	if _, err := Explore(context.Background(), notAlike{m}, Options[tablesState]{Invariants: never}); err == nil || !strings.Contains(err.Error(), "Canonical is no renaming") {
		t.Errorf("a Canonical that is none: %v", err)
	}
}

// TestLargerMachine holds a machine whose table grows many times and whose
// queue needs many chunks against a map.
func TestLargerMachine(t *testing.T) {
	m := ring{thieves: 2, puts: 4, gets: 3, goes: 2}
	depth := make(map[ringState]int)
	var todo []ringState
	generated, deepest := 0, 0
	visit := func(out *Successors[ringState], d int) {
		for _, e := range out.Edges() {
			generated++
			if depth[e.To] == 0 {
				depth[e.To] = d
				todo = append(todo, e.To)
			}
		}
	}
	var out Successors[ringState]
	m.Init(&out)
	visit(&out, 1)
	for ; len(todo) > 0; todo = todo[1:] {
		out.Reset()
		m.Next(&todo[0], &out)
		deepest = depth[todo[0]]
		visit(&out, deepest+1)
	}
	for _, o := range []Options[ringState]{{}, {Seed: 1}, {Workers: 2}, {Workers: 5, Seed: 2}} {
		o.NoSymmetry = true
		r, err := Explore(context.Background(), m, o)
		if err != nil || r.Distinct != len(depth) || r.Generated != generated || r.Depth != deepest || !r.Holds() {
			t.Errorf("%+v, %v; want %d distinct, %d generated, depth %d", r, err, len(depth), generated, deepest)
		}
	}
}

func TestProgress(t *testing.T) {
	var got []Progress
	e := newExploration(ring{thieves: 2, puts: 4, gets: 3, goes: 2}, Options[ringState]{Progress: func(p Progress) { got = append(got, p) }})
	if err := e.start(); err != nil {
		t.Fatal(err)
	}
	e.reported = e.begin.Add(-2 * time.Second)
	e.search(context.Background())
	if len(got) == 0 || got[0].Distinct != 1 || got[0].Waiting != 1 || got[0].Generated != 1 || got[0].Rate <= 0 || got[0].Rate > 1 || got[0].Memory < 2*segmentLen*8 {
		t.Errorf("%+v; want a first report of one state that waits, after two seconds", got)
	}
}

func TestInterruptedMidway(t *testing.T) {
	m := ring{thieves: 2, puts: 4, gets: 3, goes: 2}
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(context.Background())
		var calls atomic.Int32
		r, err := Explore(ctx, m, Options[ringState]{Workers: workers, Invariants: []Invariant[ringState]{{"Cancel", "", func(*ringState) bool {
			if calls.Add(1) == 5000 {
				cancel()
			}
			return true
		}}}})
		if err != nil || r.Stopped != "interrupted" || r.Holds() || r.Violation != nil || r.Distinct < 1000 || r.Distinct >= 54179 {
			t.Errorf("%d workers: %+v, %v; want an interrupted search", workers, r, err)
		}
	}
}
