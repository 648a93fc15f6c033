package runqueue

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

// scripted are the configurations of scripts.
var scripted = []string{
	"runqueue-script-steal", "runqueue-script-empty", "runqueue-script-overflow", "runqueue-script-kick",
	"runqueue-script-drain", "runqueue-script-global", "runqueue-script-batch", "runqueue-script-loot", "runqueue-script-room",
}

// TestSameGraphAsTLC compares all states, all edges and the actions on them.
func TestSameGraphAsTLC(t *testing.T) {
	tool := tlctest.Find(t)
	for _, name := range scripted {
		t.Run(name, func(t *testing.T) { compareGraphs(t, tool, "MCRunQueueScripts", configText(t, name)) })
	}
	for name, module := range map[string]string{
		"runqueue-2p2": "MCRunQueue", "runqueue-drain": "MCRunQueue", "runqueue-length": "MCRunQueue",
		"runqueue-empty": "MCRunQueueCalls", "runqueue-drains": "MCRunQueueCalls",
	} {
		t.Run(name, func(t *testing.T) { compareGraphs(t, tool, module, reduced(t, name)) })
	}
}

// reduced is a configuration of free calls, without symmetry and with one G.
func reduced(t *testing.T, name string) string {
	t.Helper()
	text := configText(t, name)
	for _, edit := range [][2]string{{`SYMMETRY Names\n`, ""}, {`Gs = \{g1, .*\}`, "Gs = {g1}"}, {`MaxPuts = \d`, "MaxPuts = 1"}} {
		re := regexp.MustCompile(edit[0])
		if !re.MatchString(text) {
			t.Fatalf("cfg/%s.cfg: expected %s", name, edit[0])
		}
		text = re.ReplaceAllString(text, edit[1])
	}
	return text
}

func compareGraphs(t *testing.T, tool *tlc.Tool, module, text string) {
	t.Attr("req", "RQ-LOST")
	ours, err := graphOf(newMachine(t, config(t, text)))
	if err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(t.TempDir(), "graph.dot")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	r, err := tool.Run(ctx, tlc.Job{Files: os.DirFS(modules), Module: module, Config: text, Dump: dump})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(dump)
	if err != nil {
		t.Fatalf("TLC said %v, and: %v", r, err)
	}
	defer f.Close()
	theirs, err := tlc.ReadGraph(f)
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
