package explore

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"
)

// distances are how many states the shortest way to each state has.
func distances[S comparable](m Machine[S]) (order []S, depth map[S]int) {
	depth = make(map[S]int)
	var out Successors[S]
	visit := func(d int) {
		for _, e := range out.Edges() {
			if depth[e.To] == 0 {
				depth[e.To] = d
				order = append(order, e.To)
			}
		}
	}
	m.Init(&out)
	visit(1)
	for i := 0; i < len(order); i++ {
		out.Reset()
		m.Next(&order[i], &out)
		visit(depth[order[i]] + 1)
	}
	return order, depth
}

// A survey visits every state, those behind a violation too, and says of each property
// how near its first violation is. That does not depend on the workers.
func TestSurvey(t *testing.T) {
	several, behind := 0, 0
	seeds(t, 400, func(seed uint64) {
		m := newTables(seed)
		order, depth := distances[tablesState](m)
		laws := map[string]func(s *tablesState) bool{
			"Right":  m.holds,
			"Low":    func(s *tablesState) bool { return s.Word < 3 },
			"Start":  func(s *tablesState) bool { return s.Word != m.initial[0].Word },
			"Always": func(*tablesState) bool { return true },
		}
		o := Options[tablesState]{Deadlock: true, Refines: []Refinement[tablesState]{
			{"Falls", "RQ-TWICE", func(s *tablesState) bool { return s.Word < 4 }, func(from, to *tablesState) bool { return from.Word <= to.Word }},
		}}
		for _, name := range []string{"Right", "Low", "Start", "Always"} {
			o.Invariants = append(o.Invariants, Invariant[tablesState]{name, "RQ-LEN", laws[name]})
		}
		want := make(map[string]int)
		note := func(name string, d int) {
			if want[name] == 0 || d < want[name] {
				want[name] = d
			}
		}
		for i := range order {
			s := order[i]
			for name, holds := range laws {
				if !holds(&s) {
					note(name, depth[s])
				}
			}
			var out Successors[tablesState]
			m.Next(&s, &out)
			if len(out.Edges()) == 0 {
				note(Deadlock, depth[s])
			}
			for _, e := range out.Edges() {
				if e.To.Word < s.Word {
					note("Falls", depth[s]+1)
				}
			}
			if slices.Contains(m.initial, s) && s.Word >= 4 {
				note("Falls", 1)
			}
		}
		first := 1 << 30
		for _, d := range want {
			first = min(first, d)
		}
		plain := explore(t, m, Options[tablesState]{})
		for _, workers := range []int{1, 3} {
			o.Workers = workers
			r, err := Survey(t.Context(), m, o)
			got := make(map[string]int)
			for _, v := range r.Fallen {
				got[v.Invariant] = len(v.Trace)
			}
			if err != nil || !reflect.DeepEqual(got, want) || len(got) != len(r.Fallen) || r.Violation != nil || !r.Complete || r.Holds() != (len(want) == 0) {
				t.Errorf("%d workers: %v, %+v, %v; want %v", workers, got, r, err, want)
			}
			if r.Distinct != plain.Distinct || r.Generated != plain.Generated || r.Depth != plain.Depth || !reflect.DeepEqual(r.Actions, plain.Actions) {
				t.Errorf("%d workers: %+v; want the states of %+v", workers, r, plain)
			}
		}
		if len(want) > 1 {
			several++
		}
		for _, d := range want {
			if d > first {
				behind++
				break
			}
		}
	})
	if os.Getenv("SPINDLE_SEED") == "" && !t.Failed() && (several < 100 || behind < 100) {
		t.Errorf("%d machines have several falls, %d one behind another: too few", several, behind)
	}
}

// What a survey saw fall before a limit has fallen; it does not hold, nor is it complete.
func TestSurveyStopsEarly(t *testing.T) {
	m := ring{thieves: 2, puts: 4, gets: 3, goes: 2}
	all, depth := distances[ringState](m)
	never := func(n int) Invariant[ringState] {
		return Invariant[ringState]{Name: fmt.Sprint(n), Holds: func(s *ringState) bool { return *s != all[n] }}
	}
	near, far := 2000, len(all)-1
	for _, workers := range []int{1, 4} {
		o := Options[ringState]{Workers: workers, NoSymmetry: true, Invariants: []Invariant[ringState]{never(far), never(near)}, MaxStates: 20000}
		r, err := Survey(t.Context(), m, o)
		if err != nil || r.Complete || !r.Limited || r.Holds() || r.Distinct != o.MaxStates || len(r.Fallen) != 1 || r.Fallen[0].Invariant != "2000" || len(r.Fallen[0].Trace) != depth[all[near]] {
			t.Errorf("%d workers, at most %d states: %+v, %v", workers, o.MaxStates, r, err)
		}
		o.MaxStates = 0
		r, err = Survey(t.Context(), m, o)
		if err != nil || !r.Complete || r.Holds() || len(r.Fallen) != 2 || len(r.Fallen[1].Trace) != depth[all[far]] {
			t.Errorf("%d workers: %+v, %v", workers, r, err)
		}
	}
}
