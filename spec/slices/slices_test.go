package slices

import (
	"fmt"
	"os"
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

const (
	both   = `{"global", "timer"}`
	global = `{"global"}`
	timer  = `{"timer"}`
)

// constantsOf are the constants of a small configuration, with one bug or none.
func constantsOf(sysmon, ways, bug string) map[string]string {
	if bug != "" {
		bug = fmt.Sprintf("%q", bug)
	}
	return map[string]string{"HaveSysmon": sysmon, "Ways": ways, "Tick": "3", "Most": "4", "Bugs": "{" + bug + "}"}
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

// A compared graph is of one configuration.
type compared struct{ sysmon, ways, bug string }

// graphs are those that are compared: each bug is in one.
func graphs() []compared {
	list := []compared{{"TRUE", both, ""}, {"TRUE", global, ""}, {"TRUE", timer, ""}, {"FALSE", both, ""}}
	for _, bug := range Bugs() {
		c := compared{"TRUE", both, bug}
		if bug == bugNames[runnextWithoutSysmon] {
			c.sysmon = "FALSE"
		}
		list = append(list, c)
	}
	return list
}

// levels is how much is compared of a graph with a bug: schedtick has no end in one.
const levels = 60

// TestSameGraphAsTLC compares the whole graph, and with each bug what of it is near.
func TestSameGraphAsTLC(t *testing.T) {
	tier.OnlyFull(t)
	tool := tlctest.Find(t)
	for _, c := range graphs() {
		t.Run(fmt.Sprintf("sysmon=%s/ways=%s/bug=%s", c.sysmon, strings.NewReplacer(`"`, "", " ", "").Replace(c.ways), c.bug), func(t *testing.T) {
			t.Attr("req", "DN-READY-LIVE")
			constants, levels := constantsOf(c.sysmon, c.ways, c.bug), levels
			if c.bug == "" {
				levels = 0
			}
			m := newMachine(t, constants)
			files, err := variant.Family("Slices").Apply(os.DirFS(modules), nil, m.config.Bugs)
			if err != nil {
				t.Fatal(err)
			}
			job := tlc.Job{Files: tlctest.Cut(t, files, "Slices", levels), Module: "Near", Config: tlctest.Config(constants, levels)}
			tlctest.SameGraph(t, tool, job, tlctest.Graph(m, levels))
			if t.Failed() {
				t.Logf("to reproduce: TLA2TOOLS_JAR=... SPINDLE_TIER=full go test ./spec/slices -run '%s'", t.Name())
			}
		})
	}
}

// TestEachBugDiffers: each bug changes a step in its graph.
func TestEachBugDiffers(t *testing.T) {
	for _, c := range graphs() {
		if c.bug == "" {
			continue
		}
		with, without := newMachine(t, constantsOf(c.sysmon, c.ways, c.bug)), newMachine(t, constantsOf(c.sysmon, c.ways, ""))
		if tlctest.FirstDifference(with, without, levels, 0) == 0 {
			t.Errorf("%+v: expected another step than without the bug, saw none", c)
		}
	}
}

// TestNames compares the names of bugs with the module's.
func TestNames(t *testing.T) {
	edits, err := variant.Family("Slices").Variants()
	if err != nil {
		t.Fatal(err)
	}
	ours, bugs := make(map[string]bool), make(map[string]bool)
	for _, name := range bugNames {
		ours[name] = true
	}
	for _, v := range edits {
		bugs[v.Name] = true
	}
	tlctest.Differ(t, "bug", ours, bugs)
}

// TestMachine checks what the explorer takes the machine's word for.
func TestMachine(t *testing.T) {
	t.Attr("req", "DN-READY-LIVE")
	if n := unsafe.Sizeof(State{}); n != 15 {
		t.Errorf("expected a state of 15 bytes, saw %d: padding would be part of its identity", n)
	}
	for _, c := range []struct {
		sysmon, ways string
		dead         []string
	}{
		{"TRUE", both, nil},
		{"TRUE", global, []string{"WakeTimer"}},
		{"FALSE", both, []string{"FindNext", "FindGlobal", "Gopreempt", "Retake", "Preemptone"}},
	} {
		m := newMachine(t, constantsOf(c.sysmon, c.ways, ""))
		machinetest.Check(t, m, 10_000, c.dead, m.Invariants()...)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"HaveSysmon", "true", `constant HaveSysmon: expected TRUE or FALSE, saw "true"`},
		{"Ways", `{"poller"}`, `constant Ways: expected some of "global", "timer", saw "poller"`},
		{"Tick", "0", "expected a Tick of 1 to 61, saw 0"},
		{"Tick", "many", `constant Tick: expected a number, saw "many"`},
		{"Most", "101", "expected a Most of 0 to 100, saw 101"},
		{"Bugs", `{"rust"}`, "unknown bug: expected some of runnext_without_sysmon"},
		{"Ps", "{1}", "expected no other constants, saw Ps"},
	} {
		constants := constantsOf("TRUE", both, "")
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
