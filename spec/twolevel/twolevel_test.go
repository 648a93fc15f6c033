package twolevel

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/explore/machinetest"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
	"github.com/spindle-go/spindle/tla/variant"
)

// modules is the folder of the modules; the package does not import package tla, whose
// tables would then come with it.
const modules = "../../tla"

// constantsOf are the constants of a small configuration, with one bug or none.
func constantsOf(ps string, bug string) map[string]string {
	if bug != "" {
		bug = fmt.Sprintf("%q", bug)
	}
	return map[string]string{
		"Ps": ps, "Ms": "{1, 2, 3}", "NoP": "0", "FirstM": "{1}", "FirstP": "{1}", "Gs": "2", "Bugs": "{" + bug + "}",
	}
}

func newMachine(t *testing.T, constants map[string]string) *Machine {
	t.Helper()
	c, err := FromConstants(constants)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSameGraphAsTLC compares the whole graph, and with each bug what of it is near.
func TestSameGraphAsTLC(t *testing.T) {
	tier.OnlyFull(t)
	tool := tlctest.Find(t)
	for _, bug := range append(Bugs(), "") {
		t.Run("bug="+bug, func(t *testing.T) {
			t.Attr("req", "DN-ONE-PLACE")
			constants, levels := constantsOf("{1}", bug), 0
			if bug != "" {
				levels = 40
			}
			m := newMachine(t, constants)
			files, err := variant.Family("TwoLevel").Apply(os.DirFS(modules), nil, m.config.Bugs)
			if err != nil {
				t.Fatal(err)
			}
			job := tlc.Job{Files: tlctest.Cut(t, files, "TwoLevel", levels), Module: "Near", Config: tlctest.Config(constants, levels)}
			tlctest.SameGraph(t, tool, job, tlctest.Graph(m, levels))
			if t.Failed() {
				t.Logf("to reproduce: TLA2TOOLS_JAR=... SPINDLE_TIER=full go test ./spec/twolevel -run '%s'", t.Name())
			}
		})
	}
}

// TestNames compares the names of bugs and places with the module's.
func TestNames(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(modules, "TwoLevel.tla"))
	if err != nil {
		t.Fatal(err)
	}
	edits, err := variant.Family("TwoLevel").Variants()
	if err != nil {
		t.Fatal(err)
	}
	ours, bugs, places := make(map[string]bool), make(map[string]bool), make(map[string]bool)
	for _, name := range bugNames {
		ours[name] = true
	}
	for _, v := range edits {
		bugs[v.Name] = true
		for _, e := range v.Alternatives[0] {
			text = append(text, e.New...)
		}
	}
	tlctest.Differ(t, "bug", ours, bugs)
	clear(ours)
	for _, name := range placeNames {
		ours[name] = true
	}
	for _, m := range regexp.MustCompile(`"([A-Za-z]*)"`).FindAllStringSubmatch(string(text), -1) {
		places[m[1]] = true
	}
	tlctest.Differ(t, "place", ours, places)
}

// TestMachine checks what the explorer takes the machine's word for, its symmetry too.
func TestMachine(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	if n := unsafe.Sizeof(State{}); n != 41 {
		t.Errorf("expected a state of 41 bytes, saw %d: padding would be part of its identity", n)
	}
	constants := constantsOf("{1, 2}", "")
	constants["FirstM"], constants["FirstP"] = "{1, 2, 3}", "{1, 2}"
	m := newMachine(t, constants)
	machinetest.Check(t, m.Symmetric(), 300_000, nil, m.Invariants()...)
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"Ps", "{1, 2, 3, 4, 5}", "expected 1 to 4 Ps, saw 5"},
		{"Gs", "16", "expected 1 to 15 Gs, saw 16"},
		{"FirstM", "{}", "no M or no P runs at the start"},
		{"Bugs", `{"rust"}`, `unknown bug: expected some of spawn_no_ensure`},
		{"Gs", "many", `constant Gs: expected a number, saw "many"`},
		{"Sysmon", "1", "expected no other constants, saw Sysmon"},
	} {
		constants := constantsOf("{1}", "")
		constants[c.name] = c.value
		config, err := FromConstants(constants)
		if err == nil {
			_, err = New(config)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %s: expected an error with %q, saw %v", c.name, c.value, c.want, err)
		}
	}
}
