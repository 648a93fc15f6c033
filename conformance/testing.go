package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/show"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Queue is what TestQueue judges: see package queue for the optional
// interfaces by which a queue is judged further.
type Queue = queue.Queue

// A TestOption changes how TestQueue and TestSet judge.
type TestOption func(*testOptions)

type testOptions struct {
	profile spec.Profile
	Options
}

// Profile holds the queue to p instead of spec.FIFO (TestQueue) or spec.GoRT
// (TestSet).
func Profile(p spec.Profile) TestOption { return func(o *testOptions) { o.profile = p } }

// Only judges by the checks whose names match the expression, or that are about the
// requirements named (Options.Select), unless SPINDLE_RUN says otherwise.
func Only(checks string) TestOption {
	return func(o *testOptions) {
		if o.Select == "" {
			o.Select = checks
		}
	}
}

// Budget bounds the judging; what is not done by then fails the test as
// inconclusive. The default is DefaultBudget.
func Budget(d time.Duration) TestOption { return func(o *testOptions) { o.Budget = d } }

// TestQueue judges the queues that newQueue makes: nothing lost, nothing taken
// twice, first in first out, emptiness never lies. Each requirement is a
// subtest that carries its id as the attribute "req".
//
// A failure names the requirement and prints the calls that show it, and the
// command that shows it again. SPINDLE_SEED sets the seed, which is otherwise
// drawn, and SPINDLE_RUN the checks to run (Options.Select). SPINDLE_TEST_FILE=x_test.go
// asks for a Go test of what the explorer has found.
func TestQueue[Q Queue](t *testing.T, newQueue func() Q, opts ...TestOption) {
	t.Helper()
	testSet(t, queue.Single(newQueue), append([]TestOption{Profile(spec.FIFO)}, opts...))
}

// TestSet judges sets of queues that work together: batch steals from one
// queue to another, a global queue behind them.
func TestSet(t *testing.T, f queue.Factory, opts ...TestOption) {
	t.Helper()
	testSet(t, f, append([]TestOption{Profile(spec.GoRT)}, opts...))
}

func testSet(t *testing.T, f queue.Factory, opts []TestOption) {
	t.Helper()
	o := testOptions{Options: Options{Seed: rand.Uint64(), Select: os.Getenv("SPINDLE_RUN")}}
	if s := os.Getenv("SPINDLE_SEED"); s != "" {
		seed, err := strconv.ParseUint(s, 0, 64)
		if err != nil {
			t.Fatalf("conformance: SPINDLE_SEED is %q, want a number", s)
		}
		o.Seed = seed
	}
	for _, opt := range opts {
		opt(&o)
	}
	target, err := InProcess(t.Name(), o.profile, f)
	if err != nil {
		t.Fatalf("conformance: %v", err)
	}
	if err := target.(*inProcess).exploreIn(t, o.Options); err != nil {
		t.Fatal(err)
	}
	name := strings.ReplaceAll(t.Name(), "/", "$/^")
	o.Again = func(_ Description, check string, seed uint64) string {
		return fmt.Sprintf("SPINDLE_SEED=%#x SPINDLE_RUN='^%s$' go test -count=1 -run '^%s$' .", seed, check, name)
	}
	o.Keep = func(_, check string, h *record.History) string {
		return Keep(os.TempDir(), t.Name(), check, h)
	}
	var findings []Event
	var rows []*RequirementRow
	o.Sink = func(e Event) {
		switch e.Event {
		case CheckEvent:
			if e.Result.Note != "" {
				t.Logf("%s: %s", e.Check, e.Result.Note)
			}
		case FindingEvent:
			findings = append(findings, e)
		case RequirementEvent:
			rows = append(rows, e.Requirement)
		}
	}
	_, file, line, _ := runtime.Caller(2)
	footer, err := Run(context.Background(), o.Options, Opened(target))
	if err != nil {
		t.Fatal(err)
	}
	if name := os.Getenv(TestFileVar); name != "" {
		for _, e := range findings {
			if e.Finding.Execution == nil {
				continue
			}
			test := "TestSchedule" + strings.ReplaceAll(strings.TrimPrefix(e.Finding.Requirement, "RQ-"), "-", "")
			if err := (caller{file, line}).writeTest(name, test, o.profile, e.Finding.History.Scenario, e.Finding); err != nil {
				t.Error(err)
			} else {
				t.Logf("%s is in %s", test, name)
			}
			break
		}
	}
	for _, row := range rows {
		t.Run(row.ID, func(t *testing.T) {
			t.Helper()
			t.Attr("req", row.ID)
			showRow(t, row, findings)
		})
	}
	if !t.Failed() && footer.Exit != ExitPass {
		t.Errorf("conformance: %v: %s", footer.Verdict, strings.Join(footer.Reasons, "; "))
	}
}

// exploreIn has an instrumented binary of the test explore the target's code. In
// that binary it does not return.
func (t *inProcess) exploreIn(tb *testing.T, o Options) error {
	tb.Helper()
	checks, err := Select(o.Select)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(checks, func(c Check) bool { return c.Witness == spec.Interleave && c.fits(t.desc.Profile) }) {
		return nil
	}
	payload, err := harness.Remote(tb, func() ([]byte, error) {
		ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(o.Budget, DefaultBudget)/2)
		defer cancel()
		return json.Marshal(explore(ctx, t.desc, t.factory, checks))
	})
	if err != nil {
		t.why = err.Error()
		return nil
	}
	var all []Exploration
	if err := json.Unmarshal(payload, &all); err != nil {
		return fmt.Errorf("conformance: what the explorer sent cannot be read: %w", err)
	}
	t.take(all)
	return nil
}

// take makes the target one that was explored.
func (t *inProcess) take(all []Exploration) {
	t.explored = make(map[string]*Exploration)
	for i := range all {
		t.explored[all[i].Check] = &all[i]
	}
}

func showRow(t *testing.T, row *RequirementRow, findings []Event) {
	t.Helper()
	switch row.Verdict {
	case Skipped, Untestable, NotRun:
		t.Skipf("%v: %s", row.Verdict, row.Reason)
	case Inconclusive, Error:
		t.Errorf("%v: %s", row.Verdict, row.Reason)
	case Fail:
		for _, e := range findings {
			if e.Finding.Requirement == row.ID {
				text, _ := show.Finding(e.Finding, false, "")
				t.Errorf("%s, seen by %s\n%s", row.ID, e.Check, text)
			}
		}
		if row.Reason != "" {
			t.Error(row.Reason)
		}
	}
}

// Keep writes h into dir, in a file of its own, and returns its path, or "" if
// that failed: a history that cannot be kept does not change the verdict.
func Keep(dir, target, check string, h *record.History) string {
	name := strings.NewReplacer("/", "-", " ", "-").Replace("spindle-" + target + "-" + check + "-*.json")
	f, err := os.CreateTemp(dir, name)
	if err != nil {
		return ""
	}
	err = json.NewEncoder(f).Encode(h)
	if err2 := f.Close(); err != nil || err2 != nil {
		os.Remove(f.Name())
		return ""
	}
	return f.Name()
}
