package trace_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/mutants"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/runqueue"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

// A counterexample is a damage of the machine, and the mutant that is the same in the
// code.
type counterexample struct {
	bug, mutant string
	scenario    record.Scenario
	invariant   string
	model       string // of tla/cfg that has the same scripts, "" for none
}

func two(capacity int, owner, thief string) record.Scenario {
	return record.Scenario{Name: owner + "-" + thief, Ps: 2, Capacity: capacity, Threads: []record.Thread{{P: 0, Script: owner}, {P: 1, Script: thief}}}
}

// exactAtEnd asks for Exact when all calls have returned: a slot that is not written yet
// breaks it for a moment, and perhaps nobody looks.
const (
	atEnd      = " at the end"
	exactAtEnd = "Exact" + atEnd
)

var counterexamples = []counterexample{
	{"publish_first", "G-2", two(2, "ppgpg", "s0s0"), exactAtEnd, ""},
	{"get_noncas", "G-4", two(2, "ppgpg", "s0s0"), "Exact", "runqueue-script-steal"},
	{"copy_after_cas", "G-5", two(2, "ppgpg", "s0s0"), "Exact", "runqueue-script-steal"},
	{"put_next_noncas", "G-9a", two(2, "ppnn", "r0"), "Exact", "runqueue-script-kick"},
	{"steal_next_noncas", "G-9c", two(2, "ppnn", "r0"), "Exact", "runqueue-script-kick"},
	{"slow_noncas", "G-3", two(2, "ppp", "s0"), "Exact", ""},
	{"drain_noncas", "Q-5", two(4, "npd", "r0"), "Exact", "runqueue-script-drain"},
	{"empty_no_reload", "RQ-1", two(4, "nng", "e0"), "EmptyTrue", ""},
}

// TestCounterexamples turns counterexamples of the damaged machine, and of TLC where it
// is to be had, into schedules of code with the same damage, which must fail then, while
// the right code does not.
func TestCounterexamples(t *testing.T) {
	if len(planted) > 0 {
		for i := range counterexamples {
			c := &counterexamples[i]
			t.Run(c.mutant, func(t *testing.T) { c.follow(t, "the machine", c.byMachine) })
			if c.model != "" {
				t.Run(c.mutant+"-tlc", func(t *testing.T) { c.follow(t, "TLC", c.byTLC) })
			}
		}
		return
	}
	tier.OnlyFull(t) // it builds a copy of the queue for each mutant
	var ids []string
	for _, c := range counterexamples {
		ids = append(ids, c.mutant)
	}
	ms, err := mutants.Select(ids...)
	if err != nil {
		t.Fatal(err)
	}
	out, _ := withPlanted(t, ms)
	said := make(map[string]string)
	for _, m := range outcome.FindAllStringSubmatch(out, -1) {
		said[m[2]] = m[1]
	}
	for _, m := range found.FindAllString(out, -1) {
		t.Log(strings.TrimSpace(m))
	}
	for _, c := range counterexamples {
		for _, name := range []string{c.mutant, c.mutant + "-tlc"} {
			damaged, right := said[name+"/damaged"], said[name+"/right"]
			if damaged == "" && name != c.mutant && said[name] != "FAIL" {
				continue // without TLC
			}
			if damaged != "FAIL" || right != "PASS" {
				t.Errorf("%s with %s: expected that the damaged code fails by the schedule, and the right code does not; observed %q and %q", name, c.bug, damaged, right)
			}
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}

var (
	outcome = regexp.MustCompile(`(?m)^\s+--- (PASS|FAIL|SKIP): TestCounterexamples/(\S+) `)
	found   = regexp.MustCompile(`(?m)^\s+counterexample_test\.go:\d+: .* falls after .*$`)
)

// orderVar has the threads of a counterexample's steps for the instrumented binary.
const orderVar = "SPINDLE_INTERNAL_TIE_ORDER"

// byOrderVar has the schedule that has these steps.
const byOrderVar = "SPINDLE_INTERNAL_TIE_SCHEDULE"

// follow runs a schedule on the damaged code and on the right one. The subtests come here
// once more in their instrumented binaries, where all is known already.
func (c *counterexample) follow(t *testing.T, who string, find func(*testing.T) []int) {
	i := slices.IndexFunc(planted, func(d damaged) bool { return d.id == c.mutant })
	var order []int
	if os.Getenv(orderVar) == "" {
		text, err := json.Marshal(find(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(orderVar, string(text))
	}
	if err := json.Unmarshal([]byte(os.Getenv(orderVar)), &order); err != nil {
		t.Fatal(err)
	}
	if os.Getenv(byOrderVar) == "" {
		payload, err := harness.Remote(t, func() ([]byte, error) {
			schedule, err := trace.Schedule(planted[i].new, c.scenario, order)
			return []byte(schedule), err
		})
		if err != nil {
			t.Fatal(err)
		}
		if payload == nil {
			return
		}
		t.Logf("%s with %s: %s falls after %d steps of %s; here the schedule is %s", who, c.bug, c.invariant, len(order), c.scenario.Name, payload)
		t.Setenv(byOrderVar, string(payload))
	}
	schedule := interleave.Schedule(os.Getenv(byOrderVar))
	t.Run("damaged", func(t *testing.T) {
		conformance.Interleave(t, spec.GoRT, planted[i].new, c.scenario, schedule)
	})
	t.Run("right", func(t *testing.T) { conformance.Interleave(t, spec.GoRT, ref.New, c.scenario, schedule) })
}

// byMachine returns whose the steps of a shortest counterexample of the machine are.
func (c *counterexample) byMachine(t *testing.T) []int {
	config, _, err := runqueue.OfScenario(&c.scenario)
	if err != nil {
		t.Fatal(err)
	}
	config.Bugs, config.Calls = []string{c.bug}, true
	m, err := runqueue.New(config)
	if err != nil {
		t.Fatal(err)
	}
	checks, err := m.Checks([]string{strings.TrimSuffix(c.invariant, atEnd)})
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(c.invariant, atEnd) {
		holds := checks[0].Holds
		checks[0].Holds = func(s *runqueue.State) bool {
			_, done := m.Contents(s)
			return !done || holds(s)
		}
	}
	r, err := explore.Explore(t.Context(), m, explore.Options[runqueue.State]{Invariants: checks})
	if err != nil {
		t.Fatal(err)
	}
	if r.Violation == nil {
		t.Fatalf("%s: expected that %s falls; observed that it holds in %d states", c.bug, c.invariant, r.Distinct)
	}
	var order []int
	for _, s := range r.Violation.Trace[1:] {
		order = append(order, int(s.Step.Actor))
	}
	return order
}

// byTLC returns the same of TLC. It must be as long.
func (c *counterexample) byTLC(t *testing.T) []int {
	tool := tlctest.Find(t)
	base, err := tla.Find(tla.Files, c.model)
	if err != nil {
		t.Fatal(err)
	}
	task, err := (&tla.Mutant{Bugs: []string{c.bug}, Model: c.model, Violates: c.invariant}).Of(base, tla.Files)
	if err != nil {
		t.Fatal(err)
	}
	task.Config = invariantsLine.ReplaceAllString(task.Config, "INVARIANT "+c.invariant)
	job, err := task.Job(tla.Files, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tool.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != tlc.Violated || r.Property != c.invariant {
		t.Fatalf("%s: expected that %s falls; observed %v", task.Name, c.invariant, r)
	}
	var order []int
	for i := 1; i < len(r.Trace); i++ {
		actor, err := strconv.Atoi(tlc.Actor(&r.Trace[i-1], &r.Trace[i]))
		if err != nil {
			t.Fatalf("step %d, %s, is nobody's", i, r.Trace[i].Action)
		}
		order = append(order, actor-1)
	}
	if n := len(c.byMachine(t)); n != len(order) {
		t.Errorf("%s: expected the machine's counterexample as long as TLC's %d steps; observed %d", c.bug, len(order), n)
	}
	return order
}

var invariantsLine = regexp.MustCompile(`(?m)^INVARIANTS .*$`)
