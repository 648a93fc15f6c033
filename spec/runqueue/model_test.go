package runqueue

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla/tlc"
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
