package runqueue

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
	"github.com/spindle-go/spindle/tla/variant"
)

// modules are the folder of the modules; the package does not import package tla, whose
// tables would then come with it.
const modules = "../../tla"

// configText is the file of a configuration.
func configText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(modules, "cfg", name+".cfg"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestNames compares the names of actions and bugs with the module's.
func TestNames(t *testing.T) {
	set := func(names []string) map[string]bool {
		all := make(map[string]bool)
		for _, name := range names {
			all[name] = true
		}
		return all
	}
	actions := make(map[string]bool)
	for file, def := range map[string]string{"RunQueue": "Step", "RunQueueDrain": "DrainStep"} {
		text, err := os.ReadFile(filepath.Join(modules, file+".tla"))
		if err != nil {
			t.Fatal(err)
		}
		_, body, ok := strings.Cut(string(text), "\n"+def+"(p) ==\n")
		if !ok {
			t.Fatalf("%s.tla: expected %s", file, def)
		}
		body, _, _ = strings.Cut(body, "\n\n")
		for _, found := range regexp.MustCompile(`\\/ (\w+)\(p\)`).FindAllStringSubmatch(body, -1) {
			actions[found[1]] = true
		}
	}
	delete(actions, "DrainStep")
	tlctest.Differ(t, "action", set(actionNames), actions)
	edits, err := variant.Family("RunQueue").Variants()
	if err != nil {
		t.Fatal(err)
	}
	bugs := make(map[string]bool)
	for i := range edits {
		bugs[edits[i].Name] = true
	}
	tlctest.Differ(t, "bug", set(bugNames), bugs)
}

// config is what a file, of this text, configures.
func config(t *testing.T, text string) Config {
	t.Helper()
	cfg, err := tlc.ParseConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := FromConstants(cfg.Constants, cfg.Specification == "CallSpec")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newMachine(t *testing.T, c Config) *Machine {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// walk explores c until an invariant falls.
func walk(t *testing.T, c Config) explore.Result {
	t.Helper()
	m := newMachine(t, c)
	r, err := explore.Explore(t.Context(), m, explore.Options[State]{Invariants: m.Invariants()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
