package explore

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// slack is what may be taken between two looks at the limit: a chunk of states or two.
// The table's last growth is more.
const slack = 1 << 18

// same is what must not depend on the workers.
func same(r Result) Result {
	r.Elapsed, r.CPU, r.Memory = 0, 0, 0
	return r
}

// A limit that is met is no verdict: what is counted until then is the same for any
// number of workers. One that is not met changes nothing.
func TestStopsEarly(t *testing.T) {
	m := ring{thieves: 2, puts: 4, gets: 3, goes: 2}
	ctx := t.Context()
	all, err := Explore(ctx, m, Options[ringState]{Invariants: once()})
	if err != nil || !all.Holds() || all.Distinct != 54179 || all.Limited || all.Stopped != "" || all.Memory < 13*all.Distinct {
		t.Fatalf("%+v, %v; want 54179 states", all, err)
	}
	for _, workers := range []int{1, 2, 5} {
		o := Options[ringState]{Workers: workers, Invariants: once()}
		for _, most := range []int{1, 1000, all.Distinct - 1, all.Distinct} {
			o.MaxStates = most
			r, err := Explore(ctx, m, o)
			o := o
			o.Workers = 1
			alone, _ := Explore(ctx, m, o)
			switch limited := most < all.Distinct; {
			case err != nil || !reflect.DeepEqual(same(r), same(alone)):
				t.Errorf("%d workers, at most %d states: %+v, %v; with one worker %+v", workers, most, r, err, alone)
			case limited && (r.Complete || r.Holds() || !r.Limited || r.Distinct != most || r.Stopped != fmt.Sprintf("more than %d states", most)):
				t.Errorf("%d workers, at most %d states: %+v", workers, most, r)
			case !limited && !reflect.DeepEqual(same(r), same(all)):
				t.Errorf("%d workers, at most %d states: %+v; want %+v", workers, most, r, all)
			}
		}
		o.MaxStates = 0
		for _, most := range []int{1, all.Memory / 2, all.Memory - slack*9/8, all.Memory - 1, 2 * all.Memory} {
			o.MaxMemory = most
			r, err := Explore(ctx, m, o)
			switch limited := most < all.Memory; {
			case err != nil || r.Complete != !limited || r.Limited != limited:
				t.Errorf("%d workers, at most %d bytes: %+v, %v", workers, most, r, err)
			case limited && (r.Holds() || most > 1 && r.Memory > most+slack || !strings.Contains(r.Stopped, fmt.Sprintf("more than %.4g MB", float64(most)/1e6))):
				t.Errorf("%d workers, at most %d bytes: %+v", workers, most, r)
			case !limited && !reflect.DeepEqual(same(r), same(all)):
				t.Errorf("%d workers, at most %d bytes: %+v; want %+v", workers, most, r, all)
			}
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		r, err := Explore(gone, m, Options[ringState]{Workers: workers, MaxMemory: 1})
		if err != nil || r.Complete || r.Limited || r.Stopped != "interrupted" {
			t.Errorf("%d workers, interrupted: %+v, %v", workers, r, err)
		}
	}
}

// The search for a circle has the same limits, and says nothing of a part of the graph.
func TestLivelyStopsEarly(t *testing.T) {
	m := ring{thieves: 2, puts: 4, gets: 3, goes: 2}
	l := Liveness[ringState]{Name: "Ends", Bad: func(*ringState) bool { return true }, Fair: func(s Step) int { return int(s.Actor) }}
	ask := func(o Options[ringState]) Result {
		r, err := Lively(t.Context(), m, l, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	all := ask(Options[ringState]{})
	if all.Complete || all.Violation == nil || all.Limited || all.Memory < all.Distinct*40 {
		t.Fatalf("expected that a ring ends and stays as it is, saw %+v", all)
	}
	for _, o := range []Options[ringState]{
		{MaxStates: 1}, {MaxStates: 1000}, {MaxStates: all.Distinct - 1},
		{MaxMemory: 1}, {MaxMemory: all.Memory / 2}, {MaxMemory: all.Memory - 1}, {MaxMemory: all.Memory},
	} {
		r := ask(o)
		if r.Complete || r.Holds() || !r.Limited || r.Violation != nil || o.MaxStates > 0 && r.Distinct != o.MaxStates || o.MaxMemory > 1 && r.Memory > o.MaxMemory+slack+int(unsafe.Sizeof(parentChunk{})) {
			t.Errorf("at most %d states, %d bytes: %+v", o.MaxStates, o.MaxMemory, r)
		}
	}
	for _, o := range []Options[ringState]{{MaxStates: all.Distinct}, {MaxMemory: 2 * all.Memory}} {
		if r := ask(o); !reflect.DeepEqual(same(r), same(all)) {
			t.Errorf("at most %d states, %d bytes: %+v; want %+v", o.MaxStates, o.MaxMemory, r, all)
		}
	}
}

// The search for a circle ends with its context, too.
func TestCircleInterrupted(t *testing.T) {
	var r region
	const n = 1 << 16
	for i := range n {
		r.open(i)
		r.step((i+1)%n, 1, false)
		r.close()
	}
	r.link()
	ctx, cancel := context.WithCancel(t.Context())
	if c, err := r.counterexample(ctx); c == nil || err != nil || len(c.steps) != n {
		t.Fatalf("expected a circle of %d steps, saw %v, %v", n, c, err)
	}
	cancel()
	if c, err := r.counterexample(ctx); c != nil || err != context.Canceled {
		t.Errorf("expected %v, saw %v, %v", context.Canceled, c, err)
	}
}

// Processors that become free later help a search that goes on, find what it finds
// alone, and are given back.
func TestSpare(t *testing.T) {
	m := ring{thieves: 2, puts: 4, gets: 3, goes: 2}
	want, err := Explore(t.Context(), m, Options[ringState]{Invariants: once()})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		for _, after := range []int32{0, 1, 3000} {
			spare := make(chan struct{}, 3)
			calls, most := int32(0), 0
			o := Options[ringState]{Workers: workers, Spare: spare, Invariants: once()}
			var e *exploration[ringState]
			o.Progress = func(Progress) {
				e.reported = time.Time{} // as if a second had passed
				if calls == after {
					for range cap(spare) {
						spare <- struct{}{}
					}
				}
				calls++
				most = max(most, runtime.NumGoroutine())
			}
			e = newExploration[ringState](m, o)
			e.reported = time.Time{}
			before := runtime.NumGoroutine()
			if err := e.start(); err != nil {
				t.Fatal(err)
			}
			e.search(t.Context())
			got, err := e.result()
			if err != nil || !reflect.DeepEqual(same(got), same(want)) {
				t.Errorf("%d workers: %+v, %v; want %+v", workers, got, err, want)
			}
			if helping := most - before; calls > after && (len(spare) != cap(spare) || helping < cap(spare)) {
				t.Errorf("%d workers, after %d batches: expected that %d helped, and that all were given back, saw %d and %d", workers, after, cap(spare), helping, len(spare))
			}
		}
	}
}
