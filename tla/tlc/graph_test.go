package tlc

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestReadGraph(t *testing.T) {
	for _, c := range []struct {
		file         string
		nodes, edges int
		initial      string
	}{
		{"dump.dot", 13, 16, "log = <<>>"},
		{"stuttering.dot", 5, 9, "n = 0"},
	} {
		f, err := os.Open("testdata/output/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		g, err := ReadGraph(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Nodes) != c.nodes || len(g.Edges) != c.edges || len(g.Initial) != 1 || !strings.Contains(g.Nodes[g.Initial[0]], c.initial) {
			t.Errorf("%s: expected %d nodes and %d edges, saw %d and %d; initial %v", c.file, c.nodes, c.edges, len(g.Nodes), len(g.Edges), g.Initial)
		}
		if slices.ContainsFunc(g.Edges, func(e Edge) bool { return e.Action == "" }) {
			t.Errorf("%s: an edge without an action", c.file)
		}
	}
}

func TestReadGraphText(t *testing.T) {
	const text = `strict digraph DiskGraph {
1 [label="/\\ s = \"a\\\\b \\\"c\\\"\"\n/\\ f = (m2 :> 1 @@ m1 :> 0)",style = filled]
1 -> 2 [label="Go",color="black",fontcolor="black"];
2 [label="/\\ s = \"\"\n/\\ f = (2 :> 1 @@\n  1 :> 0)"];
1 -> 2 [label="Go",color="black",fontcolor="black"];
1 -> 1 [style="dashed"];
}`
	g, err := ReadGraph(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if want := "s = \"a\\\\b \\\"c\\\"\"\nf = (m1 :> 0 @@ m2 :> 1)"; g.Nodes["1"] != want {
		t.Errorf("expected %q, saw %q", want, g.Nodes["1"])
	}
	if want := "s = \"\"\nf = <<0, 1>>"; g.Nodes["2"] != want || len(g.Edges) != 1 {
		t.Errorf("expected %q, saw %q; %v", want, g.Nodes["2"], g.Edges)
	}
	for _, bad := range []string{`1 -> 2 [label="Go"];`, `x [label="y"];`, `1 -> 2 [style="dashed"];`} {
		if _, err := ReadGraph(strings.NewReader(bad)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: expected an error that wraps ErrFormat, saw %v", bad, err)
		}
	}
}
