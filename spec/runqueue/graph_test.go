package runqueue

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

// modules are the folder of the modules; the package does not import package tla, whose
// tables would then come with it.
const modules = "../../tla"

// graphs are the configurations whose whole graphs are compared.
var graphs = []string{
	"runqueue-script-steal", "runqueue-script-empty", "runqueue-script-overflow", "runqueue-script-kick",
	"runqueue-script-drain", "runqueue-script-global", "runqueue-script-batch", "runqueue-script-loot", "runqueue-script-room",
}

// TestSameGraphAsTLC compares all states, all edges and the actions on them.
func TestSameGraphAsTLC(t *testing.T) {
	tool := tlctest.Find(t)
	for _, model := range Models() {
		if !slices.Contains(graphs, model.Name) {
			continue
		}
		t.Run(model.Name, func(t *testing.T) {
			config, err := os.ReadFile(filepath.Join(modules, "cfg", model.Name+".cfg"))
			if err != nil {
				t.Fatal(err)
			}
			compareGraphs(t, tool, model, string(config))
		})
	}
	reduced(t, tool, "runqueue-2p2")
	reduced(t, tool, "runqueue-drain")
	reduced(t, tool, "runqueue-empty")
	reduced(t, tool, "runqueue-drains")
}

// reduced compares the graphs of a configuration of free calls, without symmetry and with
// one G.
func reduced(t *testing.T, tool *tlc.Tool, name string) {
	t.Run(name, func(t *testing.T) {
		model := modelNamed(t, name)
		was := model.Config
		model.Config.MaxPuts, model.Config.Gs, model.Symmetric = 1, 1, false
		config, err := os.ReadFile(filepath.Join(modules, "cfg", model.Name+".cfg"))
		if err != nil {
			t.Fatal(err)
		}
		text := string(config)
		gs := "Gs = {g1, g2}"
		if was.Gs == 3 {
			gs = "Gs = {g1, g2, g3}"
		}
		for _, edit := range [][2]string{{"SYMMETRY Names\n", ""}, {gs, "Gs = {g1}"}, {fmt.Sprintf("MaxPuts = %d", was.MaxPuts), "MaxPuts = 1"}} {
			if !strings.Contains(text, edit[0]) {
				t.Fatalf("cfg/%s.cfg: expected %q", model.Name, edit[0])
			}
			text = strings.Replace(text, edit[0], edit[1], 1)
		}
		compareGraphs(t, tool, model, text)
	})
}

func modelNamed(t *testing.T, name string) Model {
	t.Helper()
	for _, model := range Models() {
		if model.Name == name {
			return model
		}
	}
	t.Fatalf("no model %q", name)
	return Model{}
}

func compareGraphs(t *testing.T, tool *tlc.Tool, model Model, config string) {
	t.Attr("req", "RQ-LOST")
	m, err := New(model.Config)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := graphOf(m)
	if err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(t.TempDir(), "graph.dot")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	r, err := tool.Run(ctx, tlc.Job{Files: os.DirFS(modules), Module: model.Module, Config: config, Dump: dump})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(dump)
	if err != nil {
		t.Fatalf("TLC said %v, and: %v", r, err)
	}
	theirs, err := tlc.ReadGraph(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for n, text := range theirs.Nodes { // TLC has an order of variables of its own
		lines := strings.Split(text, "\n")
		slices.Sort(lines)
		theirs.Nodes[n] = strings.Join(lines, "\n")
	}
	edges := make(map[string]bool)
	for _, e := range theirs.Edges {
		edges[theirs.Nodes[e.From]+"\n"+e.Action+"\n"+theirs.Nodes[e.To]] = true
	}
	states := make(map[string]bool)
	for _, n := range theirs.Nodes {
		states[n] = true
	}
	tlctest.Differ(t, "state", ours.states, states)
	tlctest.Differ(t, "edge", ours.edges, edges)
	t.Logf("%d states, %d edges", len(states), len(edges))
	if t.Failed() {
		t.Logf("to reproduce: TLA2TOOLS_JAR=... go test ./spec/runqueue -run '%s'", t.Name())
	}
}

type textGraph struct{ states, edges map[string]bool }

// graphOf is the machine's graph in words.
func graphOf(m *Machine) (*textGraph, error) {
	g, err := explore.GraphOf(context.Background(), m, 100_000)
	if err != nil {
		return nil, fmt.Errorf("the machine's graph: %w", err)
	}
	texts := make([]string, len(g.States))
	w := &textGraph{make(map[string]bool), make(map[string]bool)}
	err = explore.Walk(context.Background(), m, 100_000, func(s *State, steps []explore.Edge[State]) error {
		texts[len(w.states)] = stateText(m, s)
		w.states[stateText(m, s)] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, e := range g.Edges {
		if m.config.Calls { // one action with its history
			e.Action = "CallNext"
		}
		w.edges[texts[e.From]+"\n"+e.Action+"\n"+texts[e.To]] = true
	}
	return w, nil
}

// stateText is a state in the words that package tlc has for it.
func stateText(m *Machine, s *State) string {
	var vars []tlc.Var
	for _, v := range m.Vars(s) {
		vars = append(vars, tlc.Var{Name: v.Name, Value: v.Value})
	}
	slices.SortFunc(vars, func(a, b tlc.Var) int { return strings.Compare(a.Name+" ", b.Name+" ") })
	return tlc.StateText(vars)
}
