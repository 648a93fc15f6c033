package conformance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/designs"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// stack is a right queue but for its order, which is none of the profile fifo.
type stack struct {
	mu  sync.Mutex
	ids []record.ID
}

func (q *stack) Put(id record.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ids = append(q.ids, id)
	return true
}

func (q *stack) Get() (id record.ID, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.ids); n > 0 {
		id, q.ids = q.ids[n-1], q.ids[:n-1]
		return id, true
	}
	return 0, false
}

func (q *stack) Steal() (record.ID, bool) { return q.Get() }
func (q *stack) Empty() bool              { q.mu.Lock(); defer q.mu.Unlock(); return len(q.ids) == 0 }

func newStack() *stack         { return new(stack) }
func newFIFO() *designs.Locked { return new(designs.Locked) }

func stepped(what string, n int) record.Finding {
	x := &record.Execution{Steps: make([]record.Step, n)}
	return record.Finding{Requirement: "RQ-LOST", Fingerprint: "RQ-LOST/" + what, Expected: "id 7 once", Observed: what, Evidence: []record.Evidence{
		{Kind: record.Asked, Lines: []string{"two of them"}}, {Kind: record.Steps, Execution: x},
	}}
}

// decided is what the gate made of one requirement.
func decided(s suite.Standing, why string, found ...record.Finding) gate.Decision {
	d := gate.Decision{Row: &suite.Row{ID: "RQ-LOST", Standing: s, Reason: why}}
	for i := range found {
		d.Findings = append(d.Findings, suite.Event{Event: suite.FindingEvent, Check: "stress/x", Finding: &found[i]})
	}
	return d
}

func reported(exit int, decisions ...gate.Decision) func(*testing.T) {
	return func(t *testing.T) {
		report(t, &gate.Result{Exit: exit, Verdict: "the verdict", Reasons: []string{"the reason"}, Decisions: decisions})
	}
}

var (
	lost = record.Finding{Requirement: "RQ-LOST", Fingerprint: "RQ-LOST", Expected: "id 7 once", Observed: "id 7 never"}
	// The explorer's findings have steps.
	longer  = stepped("longer", 9)
	shorter = stepped("shorter", 2)
	order   = Only("^sequence/order$")
	env     = func(name, value string, then func(*testing.T)) func(*testing.T) {
		return func(t *testing.T) { t.Setenv(name, value); then(t) }
	}
	right = func(t *testing.T) { TestQueue(t, newFIFO, order) }
	// A target that does not offer what some MUST is about.
	partial = func(t *testing.T) { TestQueue(t, newFIFO, order, Profile(spec.GoRT)) }
)

// verdicts are tests that people may have, and what becomes of them.
var verdicts = []struct {
	name string
	run  func(*testing.T)
	want string // the verdict of go test
	says string // a regular expression
}{
	// A verdict that is given.
	{"kept", reported(0, decided(suite.Kept, "")), "PASS", `--- PASS: \S+/kept/RQ-LOST`},
	{"unknown", reported(3, decided(suite.Unknown, "the budget ended")), "FAIL", `not decided, which is no failure that was seen: the budget ended(.|\n)*--- FAIL: \S+/unknown/RQ-LOST`},
	{"unknown, though the run passes", reported(0, decided(suite.Unknown, "the budget ended")), "FAIL", `--- FAIL: \S+/RQ-LOST(.|\n)*`},
	{"one cause of two", reported(3, decided(suite.Unknown, "the budget ended"), decided(suite.Unknown, "the budget ended")), "FAIL", `not decided \(RQ-LOST, RQ-LOST\), which is no failure that was seen: the budget ended(.|\n)*not decided: as RQ-LOST`},
	{"broken", reported(1, decided(suite.Broken, "", lost)), "FAIL", `RQ-LOST, seen by stress/x\n(.|\n)*id 7 never(.|\n)*--- FAIL: \S+/broken/RQ-LOST`},
	{"broken, seen in three ways", reported(1, decided(suite.Broken, "", lost, longer, shorter)), "FAIL",
		`^(.|\n){0,200}RQ-LOST, seen by stress/x\n +requirement(.|\n)* +observed +shorter\n +scenario\n +two of them(.|\n)*also seen 2 times\n +stress/x: RQ-LOST/longer: longer\n +stress/x: RQ-LOST: id 7 never\n`},
	{"broken without a finding", reported(1, decided(suite.Broken, "")), "FAIL", `the verdict: the reason`},
	{"broken, though the run passes", reported(0, decided(suite.Broken, "", lost)), "FAIL", `error of the suite`},
	{"unknown beside what is broken", reported(1, decided(suite.Unknown, "the budget ended"), decided(suite.Broken, "", lost)), "FAIL", `not decided, which is no failure that was seen: the budget ended(.|\n)*--- FAIL: \S+/RQ-LOST(.|\n)*--- SKIP: \S+/RQ-LOST#01`},
	{"not offered", reported(0, decided(suite.NotOffered, "it has none")), "PASS", `not offered: it has none(.|\n)*--- SKIP: \S+/RQ-LOST`},
	{"not run", reported(0, decided(suite.NotRun, "not selected")), "PASS", `--- SKIP: \S+/RQ-LOST`},
	{"a control that was missed", reported(3, decided(suite.Kept, "")), "FAIL", `the verdict: the reason`},
	{"an error of the harness", reported(4, decided(suite.Kept, "")), "FAIL", `the verdict: the reason`},
	{"nothing ran", reported(3), "FAIL", `the verdict: the reason`},
	{"an interrupt", reported(130, decided(suite.Kept, "")), "FAIL", `the verdict: the reason`},

	// Queues.
	{"a right queue", right, "PASS", `--- PASS: \S+/a_right_queue/RQ-FIFO`},
	{"a wrong queue", func(t *testing.T) { TestQueue(t, newStack, order) }, "FAIL", `SPINDLE_SEED=\S+ SPINDLE_RUN='\^sequence/order\$' go test(.|\n)*--- FAIL: \S+/a_wrong_queue/RQ-FIFO`},
	{"a name (of a test) that is no expression", func(t *testing.T) { TestQueue(t, newStack, order) }, "FAIL", `go test -count=1 -run '\S+/\^a_name_\\\(of_a_test\\\)_that_is_no_expression\$' \.`},
	{"no wrong queue by its own profile", func(t *testing.T) { TestQueue(t, newStack, order, Profile(spec.Core)) }, "PASS", ``},
	{"no time", func(t *testing.T) { TestQueue(t, newFIFO, order, Budget(time.Nanosecond)) }, "FAIL", `not decided \(RQ-\S+, .*budget`},
	{"partial", partial, "PASS", `not offered`},
	{"partial and strict", func(t *testing.T) { TestQueue(t, newFIFO, order, Profile(spec.GoRT), Strict()) }, "FAIL", ``},
	{"a check that nobody knows", func(t *testing.T) { TestQueue(t, newFIFO, Only("^none$")) }, "FAIL", `chooses no check`},
	{"a queue that cannot be made", func(t *testing.T) { TestQueue(t, func() *designs.Locked { panic("no queue today") }, order) }, "FAIL", `no queue today`},

	// The environment.
	{"SPINDLE_STRICT", env("SPINDLE_STRICT", "1", partial), "FAIL", ``},
	{"SPINDLE_STRICT=0", env("SPINDLE_STRICT", "0", partial), "PASS", ``},
	{"SPINDLE_STRICT=yes", env("SPINDLE_STRICT", "yes", right), "FAIL", `expected 0 or 1, saw "yes"`},
	{"SPINDLE_UNEXPLORED=1", env("SPINDLE_UNEXPLORED", "1", right), "FAIL", `expected allow, saw "1"`},
	{"SPINDLE_KEPT=no", env("SPINDLE_KEPT", "no", right), "FAIL", `expected off, saw "no"`},
	{"SPINDLE_SEED=x", env("SPINDLE_SEED", "x", right), "FAIL", `SPINDLE_SEED`},
	{"SPINDLE_RUN", env("SPINDLE_RUN", "^sequence/emptiness$", func(t *testing.T) { TestQueue(t, newFIFO, Only("^sequence/")) }), "PASS", `--- SKIP: \S+/SPINDLE_RUN/RQ-FIFO`},
	{"SPINDLE_RUN of another check", env("SPINDLE_RUN", "^sequence/emptiness$", right), "FAIL", `chooses no check`},
	{"SPINDLE_EVENTS=x", env("SPINDLE_EVENTS", "x", right), "FAIL", `expected the absolute path of a folder`},
	{"SPINDLE_EVENTS", func(t *testing.T) {
		dir := t.TempDir()
		t.Setenv("SPINDLE_EVENTS", dir)
		right(t)
		files, _ := filepath.Glob(filepath.Join(dir, "*.ndjson"))
		if len(files) != 1 {
			t.Fatalf("expected one file, saw %v", files)
		}
		f, err := os.Open(files[0])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := suite.ReadEvents(f, func(suite.Event) {}); err != nil {
			t.Error(err)
		}
	}, "PASS", ``},

	// One scenario.
	{"explored", func(t *testing.T) {
		(&explored1{Outcome: suite.Outcome{Ended: suite.Completed, Note: "all of it"}}).report(t)
	}, "PASS", `all of it`},
	{"explored and found", func(t *testing.T) {
		(&explored1{Outcome: suite.Outcome{Ended: suite.Completed}, Findings: []record.Finding{lost}}).report(t)
	}, "FAIL", `id 7 never`},
	{"given up", func(t *testing.T) {
		(&explored1{Outcome: suite.Outcome{Ended: suite.Inconclusive, Reason: "nobody saw it"}}).report(t)
	}, "FAIL", `inconclusive: nobody saw it`},
	{"no outcome", func(t *testing.T) { new(explored1).report(t) }, "FAIL", ``},
}

// there is set where the tests of verdicts are run.
const there = "SPINDLE_INTERNAL_VERDICTS"

func TestVerdictsThere(t *testing.T) {
	if os.Getenv(there) == "" {
		t.Skip("run by TestVerdicts, in a process of its own: most of these fail")
	}
	for _, v := range verdicts {
		t.Run(v.name, v.run)
	}
}

// TestVerdicts holds that a user's test is green if and only if the run is, whatever
// the verdict is made of.
func TestVerdicts(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestVerdictsThere$", "-test.v", "-test.count=1")
	cmd.Dir = t.TempDir() // what fails there is kept there
	cmd.Env = append(os.Environ(), there+"=1", "SPINDLE_EVENTS=", "SPINDLE_RUN=", "SPINDLE_STRICT=", "SPINDLE_SEED=1")
	out, err := cmd.CombinedOutput()
	if !errors.As(err, new(*exec.ExitError)) {
		t.Fatalf("expected it to fail, saw %v: %s", err, out)
	}
	for i, v := range verdicts {
		name := "TestVerdictsThere/" + strings.ReplaceAll(v.name, " ", "_")
		_, text, begun := strings.Cut(string(out), "=== RUN   "+name+"\n")
		if i+1 < len(verdicts) {
			text, _, _ = strings.Cut(text, "=== RUN   TestVerdictsThere/"+strings.ReplaceAll(verdicts[i+1].name, " ", "_")+"\n")
		}
		// The verdicts of subtests stand behind all tests.
		rest := regexp.MustCompile(`(?m)^ +--- (PASS|FAIL|SKIP): `+regexp.QuoteMeta(name)+`(/\S+)? .*$`).FindAllString(string(out), -1)
		text += strings.Join(rest, "\n")
		if !begun || !strings.Contains(text, fmt.Sprintf("--- %s: %s (", v.want, name)) || !regexp.MustCompile(v.says).MatchString(text) {
			t.Errorf("%s: expected %s with %q, saw\n%s", v.name, v.want, v.says, text)
		}
	}
}
