package checks

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The drivers of all languages give the same verdicts on 200 graphs: of a pool without a fault, and of one that queues each 16th task of its process
// twice, so that it is known which of the graphs show it. It needs what children/run has built, and runs there.
func TestDriversAgree(t *testing.T) {
	const root, number, each = "../../..", 200, 16
	var list struct {
		Languages []struct{ Name, Child, Right string }
	}
	text, err := os.ReadFile(filepath.Join(root, "children/list.json"))
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	contract, err := spec.ParseSchedulerContract("pool,workers=exact,panics=isolated")
	if err != nil {
		t.Fatal(err)
	}
	// Only threads submit, and nothing is refused: so each run submits as many tasks as its graph has.
	s := scope{steps: 6, threads: 2, tasks: 3, workers: []int{1, 2, 3}, caps: scheduler.Capabilities{}, contract: contract, most: 10 * number}
	var graphs []*record.TaskProgram
	for list, _ := s.graphs(); len(list) > 0 && len(graphs) < number; list = list[1:] {
		p, err := list[0].Program()
		if err != nil {
			t.Fatal(err)
		}
		fits := true
		for who, s := range p.Steps() {
			fits = fits && s.Op != record.Close && (who < 0 || !s.Submits())
		}
		if fits {
			graphs = append(graphs, p)
		}
	}
	if len(graphs) != number {
		t.Fatalf("expected %d graphs, saw %d", number, len(graphs))
	}

	run := 0
	for _, l := range list.Languages {
		if l.Child == "" { // its targets are functions
			continue
		}
		t.Run(l.Name, func(t *testing.T) {
			words := strings.Fields(l.Child)
			for i, w := range words {
				if strings.HasPrefix(w, "children/") {
					if words[i], err = filepath.Abs(filepath.Join(root, w)); err != nil {
						t.Fatal(err)
					}
					if _, err := os.Stat(words[i]); err != nil {
						if tier.Required("children") {
							t.Fatalf("SPINDLE_REQUIRE asks for children: %v", err)
						}
						t.Skipf("it is not built: children/run -only %s", l.Name)
					}
				}
			}
			run++
			for _, pool := range []string{l.Right, "wrong-twice"} {
				q, sched, err := child.Open(t.Context(), func() *exec.Cmd { return exec.Command(words[0], append(words[1:], pool)...) }, child.Options{})
				if err != nil || q != nil {
					t.Fatalf("%s: expected a scheduler, saw %v", pool, err)
				}
				defer sched.Close()
				o := optionsOf(contract)
				o.Leaves = false // it runs a graph more than once
				submitted, twice := 0, 0
				for i, g := range graphs {
					run, err := sched.Run(t.Context(), g, o)
					if err != nil {
						t.Fatalf("%s: graph %d, %v: %v", pool, i, g.TaskGraph, err)
					}
					before := submitted / each
					submitted += len(g.Tasks)
					expected := pool != l.Right && submitted/each > before
					v := judge(run, contract)
					saw := slices.ContainsFunc(v.findings, func(f record.Finding) bool { return f.Requirement == "SC-TWICE" })
					if saw != expected || !expected && len(v.findings) > 0 {
						t.Errorf("%s: graph %d, %v: expected SC-TWICE: %v, saw %v", pool, i, g.TaskGraph, expected, v.findings)
					}
					if saw {
						twice++
					}
				}
				t.Logf("%s: %d graphs, of which %d show SC-TWICE", pool, len(graphs), twice)
			}
		})
	}
	t.Logf("%d drivers", run)
}
