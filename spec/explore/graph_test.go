package explore

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func TestGraph(t *testing.T) {
	seeds(t, 100, func(seed uint64) {
		m := newTables(seed)
		want := search(m)
		g, err := GraphOf(context.Background(), symmetric{m}, len(want.depth))
		if err != nil {
			t.Fatal(err)
		}
		texts := make(map[string]tablesState)
		for s := range want.depth {
			texts[Text(m.Vars(&s))] = s
		}
		for i, text := range g.States {
			s, ok := texts[text]
			if !ok {
				t.Fatalf("%q twice, or no state", text)
			}
			delete(texts, text)
			if (i < g.Initial) != slices.Contains(m.initial, s) {
				t.Errorf("state %d of %d, %+v: initial %v", i, len(g.States), s, i < g.Initial)
			}
			var out Successors[tablesState]
			m.Next(&s, &out)
			for _, e := range out.Edges() {
				if len(g.Edges) == 0 {
					t.Fatal("an edge is missing")
				}
				if x := g.Edges[0]; x.From != i || x.Action != m.Actions()[e.Step.Action] || g.States[x.To] != Text(m.Vars(&e.To)) {
					t.Errorf("%+v, want %s to %+v", x, m.Actions()[e.Step.Action], e.To)
				}
				g.Edges = g.Edges[1:]
			}
		}
		if len(texts) > 0 || len(g.Edges) > 0 {
			t.Errorf("%d states are missing, %d edges are too many", len(texts), len(g.Edges))
		}
		if _, err := GraphOf(context.Background(), m, len(want.depth)-1); err == nil || !strings.Contains(err.Error(), "more than") {
			t.Errorf("bound of one state less: %v", err)
		}
	})
}

func TestText(t *testing.T) {
	for want, vars := range map[string][]Var{
		"x = 1":                {{"x", "1"}},
		"/\\ x = 1\n/\\ y = 2": {{"x", "1"}, {"y", "2"}},
	} {
		if got := Text(vars); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
