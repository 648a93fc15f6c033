package tlctest

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla/tlc"
)

// SameGraph runs job and compares TLC's graph with the machine's: all states, those in
// which it begins, and all edges with the actions on them. It returns what TLC found.
func SameGraph(t *testing.T, tool *tlc.Tool, job tlc.Job, ours *explore.Graph) *tlc.Result {
	t.Helper()
	job.Short = true
	job.Dump = filepath.Join(t.TempDir(), "graph.dot")
	r, err := tool.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(job.Dump)
	if err != nil {
		t.Fatalf("TLC said %v, and: %v", r, err)
	}
	defer f.Close()
	theirs, err := tlc.ReadGraph(f)
	if err != nil {
		t.Fatal(err)
	}
	their := &graph{make(map[string]bool), make(map[string]bool), make(map[edge]bool)}
	for id, text := range theirs.Nodes {
		theirs.Nodes[id] = sorted(strings.Split(text, "\n"))
		their.states[theirs.Nodes[id]] = true
	}
	for _, id := range theirs.Initial {
		their.begins[theirs.Nodes[id]] = true
	}
	for _, e := range theirs.Edges {
		their.edges[edge{theirs.Nodes[e.From], e.Action, theirs.Nodes[e.To]}] = true
	}
	our := sets(ours)
	for _, d := range differences(our, their) {
		t.Error(strings.TrimSuffix(d, "\n"))
	}
	t.Logf("%d states, %d edges", len(our.states), len(our.edges))
	return r
}

// Graph is a machine's graph, or what of it is within so many levels: all steps from the
// states of all levels but the last.
func Graph[S comparable](m explore.Machine[S], levels int) *explore.Graph {
	g := new(explore.Graph)
	actions := m.Actions()
	w := Walk(m, levels, func(w *Walked[S]) bool {
		for _, e := range w.Edges {
			g.Edges = append(g.Edges, explore.GraphEdge{From: w.From, Action: actions[e.Step.Action], To: w.Number(e.To)})
		}
		return true
	})
	g.Initial = w.Initial
	for i := range w.States {
		g.States = append(g.States, explore.Text(m.Vars(&w.States[i])))
	}
	return g
}

// Config is a configuration that asks for nothing but the graph: with these constants, and cut to so many levels if that is
// not 0.
func Config(constants map[string]string, levels int) string {
	var b strings.Builder
	b.WriteString("SPECIFICATION Spec\n")
	if levels > 0 {
		b.WriteString("CONSTRAINT Near\n")
	}
	b.WriteString("CONSTANTS\n")
	for _, name := range slices.Sorted(maps.Keys(constants)) {
		fmt.Fprintf(&b, "   %s = %s\n", name, constants[name])
	}
	return b.String()
}

// Cut is the modules with one more, Near, whose CONSTRAINT Near cuts the graph: TLC asks
// it about the next state, but the level is still that of the present one.
func Cut(t *testing.T, files fs.FS, module string, levels int) fs.FS {
	t.Helper()
	all := fstest.MapFS{"Near.tla": {Data: fmt.Appendf(nil,
		"---- MODULE Near ----\nEXTENDS %s, TLC\nNear == TLCGet(\"level\") < %d\n====\n", module, levels)}}
	names, err := fs.Glob(files, "*.tla")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		text, err := fs.ReadFile(files, n)
		if err != nil {
			t.Fatal(err)
		}
		all[n] = &fstest.MapFile{Data: text}
	}
	return all
}

// sets are the parts of a graph in words.
func sets(g *explore.Graph) *graph {
	of := &graph{make(map[string]bool), make(map[string]bool), make(map[edge]bool)}
	canonical := make(map[string]string) // of values
	texts := make([]string, len(g.States))
	for i, s := range g.States {
		texts[i] = words(s, canonical)
		of.states[texts[i]] = true
		if i < g.Initial {
			of.begins[texts[i]] = true
		}
	}
	for _, e := range g.Edges {
		of.edges[edge{texts[e.From], e.Action, texts[e.To]}] = true
	}
	return of
}

// words is a state of a machine as package tlc shows it, in an order of variables that
// does not depend on who does.
func words(state string, canonical map[string]string) string {
	lines := strings.Split(state, "\n")
	for i, line := range lines {
		name, value, _ := strings.Cut(strings.TrimPrefix(line, `/\ `), " = ")
		text, ok := canonical[value]
		if !ok {
			text = value
			if v, err := tlc.ParseValue(value); err == nil {
				text = v.String()
			}
			canonical[value] = text
		}
		lines[i] = name + " = " + text
	}
	return sorted(lines)
}

func sorted(lines []string) string {
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
