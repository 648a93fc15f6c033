package explore

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"0", "0", ""},
		{"0", "1", "v 0 → 1"},
		{"<<1, 2>>", "<<1, 3>>", "v[2] 2 → 3"},
		{"<<1, 2>>", "<<3, 4>>", "v[1] 1 → 3, v[2] 2 → 4"},
		{"<<1, 2>>", "<<1>>", "v <<1, 2>> → <<1>>"},
		{"<<>>", "<<1>>", "v <<>> → <<1>>"},
		{"<<<<1, 2>>, <<3>>>>", "<<<<1, 5>>, <<3>>>>", "v[1][2] 2 → 5"},
		{"(m1 :> 0 @@ m2 :> 1)", "(m1 :> 0 @@ m2 :> 2)", "v[m2] 1 → 2"},
		{"(m1 :> 0 @@ m2 :> 1)", "(m1 :> 0 @@ m3 :> 1)", "v (m1 :> 0 @@ m2 :> 1) → (m1 :> 0 @@ m3 :> 1)"},
		{"[h |-> 1, t |-> {1, 2}]", "[h |-> 1, t |-> {2}]", "v.t {1, 2} → {2}"},
		{"<<[h |-> 1], [h |-> 2]>>", "<<[h |-> 1], [h |-> (m1 :> 0)]>>", "v[2].h 2 → (m1 :> 0)"},
		{"<<\"a, b\", \">>\">>", "<<\"a, b\", \"<<\">>", "v[2] \">>\" → \"<<\""},
		{`<<"a\",">>`, `<<"b">>`, `v[1] "a\"," → "b"`},
		{"{<<1, 2>>}", "{<<1, 3>>}", "v {<<1, 2>>} → {<<1, 3>>}"},
	} {
		if got := strings.Join(diff([]Var{{"v", c.before}}, []Var{{"v", c.after}}), ", "); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

func TestExecution(t *testing.T) {
	m := ring{thieves: 1, puts: 2, gets: 1, goes: 1, bug: true}
	r, err := Explore(context.Background(), m, Options[ringState]{Invariants: once()})
	if err != nil || r.Violation == nil {
		t.Fatal(r, err)
	}
	x := Execution(m, r.Violation)
	if !slices.Equal(x.Threads, m.Actors()) || len(x.Steps) != len(r.Violation.Trace)-1 {
		t.Fatalf("%v, %d steps for %d states", x.Threads, len(x.Steps), len(r.Violation.Trace))
	}
	for i, s := range x.Steps {
		step := r.Violation.Trace[i+1].Step
		if s.Thread != int(step.Actor) || !strings.HasPrefix(s.Text, m.Actions()[step.Action]) {
			t.Errorf("%+v, want %+v", s, step)
		}
	}
	if first := x.Steps[0].Text; first != "PutLoadHead: owner 0 0 0 2 1 → 1 0 0 2 1" {
		t.Errorf("the first step is %q", first)
	}
}

func TestExecutionOfCycle(t *testing.T) {
	w := &web{n: 3, edges: []webEdge{{0, 1, 1, 0}, {1, 2, 1, 1}, {2, 1, 1, 2}}, bad: []bool{false, true, true}, fair: [4]int{0, 1, 2, -1}}
	r, err := Lively(context.Background(), w, w.liveness(), Options[webState]{})
	if err != nil || r.Violation == nil {
		t.Fatal(r, err)
	}
	var got []string
	for _, s := range Execution(w, r.Violation).Steps {
		got = append(got, strings.TrimSpace(s.Switch+" "+s.Text))
	}
	want := []string{"Work: n 0 → 1", "from here on, again and again: Work: n 1 → 2", "Work: n 2 → 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
