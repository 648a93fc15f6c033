package tlctest

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
)

// small is a graph of three states, as a machine has it: two Ms, of which the first works
// and then sleeps.
func small() *explore.Graph {
	return &explore.Graph{
		States: []string{
			`/\ M = <<[pc |-> "Run", p |-> 1], [pc |-> "Stop", p |-> 0]>>` + "\n" + `/\ idle = {2}`,
			`/\ M = <<[pc |-> "Drop", p |-> 1], [pc |-> "Stop", p |-> 0]>>` + "\n" + `/\ idle = {2}`,
			`/\ M = <<[pc |-> "Stop", p |-> 0], [pc |-> "Stop", p |-> 0]>>` + "\n" + `/\ idle = {1, 2}`,
		},
		Initial: 1,
		Edges:   []explore.GraphEdge{{From: 0, Action: "End", To: 1}, {From: 1, Action: "DropLock", To: 2}},
	}
}

// A failure says who lacks what, which action it is, and only the fields that differ.
func TestDifferences(t *testing.T) {
	other := `/\ M = <<[pc |-> "Stop", p |-> 0], [pc |-> "Stop", p |-> 0]>>` + "\n" + `/\ idle = {2}`
	state := "the one that differs from an initial state in\n    M[1].p: 1 -> 0\n    M[1].pc: \"Run\" -> \"Stop\"\n"
	whole := "    M[1].p: 1 -> 0\n    M[1].pc: \"Drop\" -> \"Stop\"\n    idle: {2} -> {1, 2}\n"
	part := "    M[1].p: 1 -> 0\n    M[1].pc: \"Drop\" -> \"Stop\"\n"
	from := "in the state that differs from an initial state in\n    M[1].pc: \"Run\" -> \"Drop\"\n"
	for _, c := range []struct {
		name   string
		change func(*explore.Graph) // of the machine's
		want   []string
	}{
		{"nothing", func(*explore.Graph) {}, nil},
		{"the order of states", func(g *explore.Graph) {
			g.States[1], g.States[2] = g.States[2], g.States[1]
			g.Edges = []explore.GraphEdge{{From: 2, Action: "DropLock", To: 1}, {From: 0, Action: "End", To: 2}}
		}, nil},
		{"an edge less", func(g *explore.Graph) { g.Edges = g.Edges[:1] }, []string{
			"the machine lacks 1 of the 2 edges that TLC has, such as DropLock, which changes\n" + whole + from + "where the machine has no DropLock\n",
		}},
		{"an edge more", func(g *explore.Graph) { g.Edges = append(g.Edges, explore.GraphEdge{From: 1, Action: "Wakep", To: 1}) }, []string{
			"TLC lacks 1 of the 3 edges that the machine has, such as Wakep, which changes\n    nothing\n" + from + "where TLC has no Wakep\n",
		}},
		{"another action", func(g *explore.Graph) { g.Edges[0].Action = "Yield" }, []string{
			"TLC lacks 1 of the 2 edges that the machine has, such as Yield, which changes\n    M[1].pc: \"Run\" -> \"Drop\"\nin the state that differs from an initial state in\n    nothing\nwhere TLC has no Yield\n",
			"the machine lacks 1 of the 2 edges that TLC has, such as End, which changes\n    M[1].pc: \"Run\" -> \"Drop\"\nin the state that differs from an initial state in\n    nothing\nwhere the machine has no End\n",
		}},
		{"another effect", func(g *explore.Graph) { g.States[2] = other }, []string{
			"TLC lacks 1 of the 3 states that the machine has, such as " + state,
			"TLC lacks 1 of the 2 edges that the machine has, such as DropLock, which changes\n" + part + from + "where DropLock of TLC changes\n" + whole,
			"the machine lacks 1 of the 3 states that TLC has, such as the one that differs from an initial state in\n    M[1].p: 1 -> 0\n    M[1].pc: \"Run\" -> \"Stop\"\n    idle: {2} -> {1, 2}\n",
			"the machine lacks 1 of the 2 edges that TLC has, such as DropLock, which changes\n" + whole + from + "where DropLock of the machine changes\n" + part,
		}},
		{"another beginning", func(g *explore.Graph) { g.Initial = 2 }, []string{
			"TLC lacks 1 of the 2 initial states that the machine has, such as the one that differs from an initial state in\n    M[1].pc: \"Run\" -> \"Drop\"\n",
		}},
		{"a step from a state that there is not", func(g *explore.Graph) {
			g.States = append(g.States, other)
			g.Edges = append(g.Edges, explore.GraphEdge{From: 3, Action: "Wakep", To: 0})
		}, []string{
			"TLC lacks 1 of the 4 states that the machine has, such as " + state,
			"TLC lacks 1 of the 3 edges that the machine has, such as Wakep, which changes\n    M[1].p: 0 -> 1\n    M[1].pc: \"Stop\" -> \"Run\"\nin the state that differs from an initial state in\n" +
				"    M[1].p: 1 -> 0\n    M[1].pc: \"Run\" -> \"Stop\"\na state that TLC lacks\n",
		}},
	} {
		ours := small()
		c.change(ours)
		if saw := differences(sets(ours), sets(small())); !slices.Equal(saw, c.want) {
			t.Errorf("%s: expected\n%s\nsaw\n%s", c.name, strings.Join(c.want, "\n"), strings.Join(saw, "\n"))
		}
	}
}
