package runqueue

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
	"github.com/spindle-go/spindle/tla/variant"
)

// scripted are the configurations of scripts.
var scripted = []string{
	"runqueue-script-steal", "runqueue-script-empty", "runqueue-script-overflow", "runqueue-script-kick",
	"runqueue-script-drain", "runqueue-script-global", "runqueue-script-batch", "runqueue-script-loot", "runqueue-script-room",
}

// free are configurations of free calls.
var free = []string{"runqueue-2p2", "runqueue-drain", "runqueue-length", "runqueue-loners", "runqueue-empty", "runqueue-drains"}

// TestSameGraphAsTLC compares all states, all edges and the actions on them.
func TestSameGraphAsTLC(t *testing.T) {
	tool := tlctest.Find(t)
	for _, name := range tier.Some(t, slices.Concat(scripted, free), 1) {
		t.Run(name, func(t *testing.T) {
			text := configText(t, name)
			if slices.Contains(free, name) {
				text = reduced(t, text, 1, 1)
			}
			compareGraphs(t, tool, text, 0)
		})
	}
}

// TestSameBugAsTLC compares with each bug what is near to where it first changes a step. Far
// behind what it breaks the machine need not be the module: it has no G 0 to hand out.
func TestSameBugAsTLC(t *testing.T) {
	tool := tlctest.Find(t)
	for _, bug := range tier.Some(t, Bugs(), 1) {
		t.Run(bug, func(t *testing.T) {
			text, level := shows(t, bug)
			if text == "" {
				t.Fatal("expected that it changes a step of one of the graphs, saw none")
			}
			compareGraphs(t, tool, text, level+4)
		})
	}
}

// shows returns a configuration with a bug, the first of a list in which it changes a step,
// and from which level on.
func shows(t *testing.T, bug string) (text string, level int) {
	t.Helper()
	texts := make([]string, 0, 20)
	for _, name := range append(slices.Clone(scripted), "runqueue-ref-share") {
		texts = append(texts, configText(t, name))
	}
	for gs := 1; gs <= 3; gs++ {
		for _, name := range slices.Concat(free, []string{"runqueue-answers", "runqueue-batches", "runqueue-global", "runqueue-cap4"}) {
			texts = append(texts, reduced(t, configText(t, name), gs, gs))
		}
	}
	texts = append(texts, reduced(t, configText(t, "runqueue-2p2"), 1, 6)) // head comes round
	for _, text := range texts {
		plain := newMachine(t, config(t, text))
		text = strings.Replace(text, "Bugs = {}", fmt.Sprintf("Bugs = {%q}", bug), 1)
		if level := tlctest.FirstDifference(newMachine(t, config(t, text)), plain, 0, 30_000); level > 0 {
			return text, level
		}
	}
	return "", 0
}

// reduced is a configuration of free calls, without symmetry and with a few Gs and puts.
func reduced(t *testing.T, text string, gs, puts int) string {
	t.Helper()
	names := regexp.MustCompile(`Gs = \{(.*)\}`).FindStringSubmatch(text)
	if names == nil || !strings.Contains(text, "MaxPuts = ") {
		t.Fatalf("expected Gs and MaxPuts, saw %s", text)
	}
	list := strings.Split(names[1], ", ")
	text = strings.Replace(text, names[0], "Gs = {"+strings.Join(list[:min(gs, len(list))], ", ")+"}", 1)
	text = strings.Replace(text, "SYMMETRY Names\n", "", 1)
	return regexp.MustCompile(`MaxPuts = \d`).ReplaceAllString(text, fmt.Sprint("MaxPuts = ", puts))
}

// compareGraphs compares the graphs of a configuration, or so many levels of them.
func compareGraphs(t *testing.T, tool *tlc.Tool, text string, levels int) {
	t.Attr("req", "RQ-LOST")
	m := newMachine(t, config(t, text))
	ours := tlctest.Graph(m, levels)
	if m.config.Calls { // one action with its history
		for i := range ours.Edges {
			ours.Edges[i].Action = "CallNext"
		}
	}
	files, err := variant.Family("RunQueue").Apply(os.DirFS(modules), nil, m.config.Bugs)
	if err != nil {
		t.Fatal(err)
	}
	if levels > 0 {
		text += "CONSTRAINT Near\n"
	}
	module := regexp.MustCompile(`module: (\w+)`).FindStringSubmatch(text)[1]
	// Nothing is asked: the graph would end where it falls.
	text = regexp.MustCompile(`(?m)^(INVARIANTS|PROPERTY) .*\n`).ReplaceAllString(text, "")
	job := tlc.Job{Files: tlctest.Cut(t, files, module, levels), Module: "Near", Config: text, Timeout: 2 * time.Minute}
	tlctest.SameGraph(t, tool, job, ours)
	if t.Failed() {
		t.Logf("%s\nto reproduce: TLA2TOOLS_JAR=... go test ./spec/runqueue -run '%s'", text, t.Name())
	}
}
