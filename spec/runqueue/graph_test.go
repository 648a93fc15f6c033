package runqueue

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/sample"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

// scripted are the configurations of scripts.
var scripted = []string{
	"runqueue-script-steal", "runqueue-script-empty", "runqueue-script-overflow", "runqueue-script-kick",
	"runqueue-script-drain", "runqueue-script-global", "runqueue-script-batch", "runqueue-script-loot", "runqueue-script-room",
}

// free are configurations of free calls, and their modules.
var free = map[string]string{
	"runqueue-2p2": "MCRunQueue", "runqueue-drain": "MCRunQueue", "runqueue-length": "MCRunQueue",
	"runqueue-empty": "MCRunQueueCalls", "runqueue-drains": "MCRunQueueCalls",
}

// TestSameGraphAsTLC compares all states, all edges and the actions on them.
func TestSameGraphAsTLC(t *testing.T) {
	tool := tlctest.Find(t)
	for _, name := range sample.Of(t, slices.Concat(scripted, slices.Sorted(maps.Keys(free))), 3) {
		t.Run(name, func(t *testing.T) {
			if module := free[name]; module != "" {
				compareGraphs(t, tool, module, reduced(t, name))
			} else {
				compareGraphs(t, tool, "MCRunQueueScripts", configText(t, name))
			}
		})
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
	m := newMachine(t, config(t, text))
	ours, err := explore.GraphOf(t.Context(), m, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	if m.config.Calls { // one action with its history
		for i := range ours.Edges {
			ours.Edges[i].Action = "CallNext"
		}
	}
	tlctest.SameGraph(t, tool, tlc.Job{Files: os.DirFS(modules), Module: module, Config: text, Timeout: 2 * time.Minute}, ours)
	if t.Failed() {
		t.Logf("to reproduce: TLA2TOOLS_JAR=... go test ./spec/runqueue -run '%s'", t.Name())
	}
}
