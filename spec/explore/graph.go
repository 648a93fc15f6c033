package explore

import (
	"context"
	"strings"
)

// A Graph is a machine's whole state graph in words, to hold against another's.
type Graph struct {
	States  []string // as Text shows them, nearest first
	Initial int      // the first so many states are initial
	Edges   []GraphEdge
}

// A GraphEdge is a step from a state to a state, by their places in
// Graph.States.
type GraphEdge struct {
	From   int
	Action string
	To     int
}

// GraphOf returns the graph of m without regard to symmetry. More than max states
// are an error.
func GraphOf[S comparable](ctx context.Context, m Machine[S], max int) (*Graph, error) {
	g := new(Graph)
	actions := m.Actions()
	w := newWalk(m, max)
	err := w.run(ctx, func(n int, s *S, steps []Edge[S], to []int) error {
		g.States = append(g.States, Text(m.Vars(s)))
		for i := range steps {
			g.Edges = append(g.Edges, GraphEdge{n, actions[steps[i].Step.Action], to[i]})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	g.Initial = w.initial
	return g, nil
}

// Text shows a state as TLC does: a conjunct a line.
func Text(vars []Var) string {
	var b strings.Builder
	for i, v := range vars {
		if i > 0 {
			b.WriteByte('\n')
		}
		if len(vars) > 1 {
			b.WriteString(`/\ `)
		}
		b.WriteString(v.Name + " = " + v.Value)
	}
	return b.String()
}
