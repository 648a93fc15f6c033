package mutants

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// print shows a matrix that is not what it should be.
func print(t *testing.T, m *Matrix) {
	t.Helper()
	var b strings.Builder
	m.Print(&b)
	t.Log("\n" + b.String())
}

// TestThree has the quickest witness judge three mutants.
func TestThree(t *testing.T) {
	tier.OnlyFull(t) // it builds the command four times
	m, err := Run(t.Context(), Options{Root: "..", IDs: []string{"G-1", "Q-21", "G-4"}, Witnesses: []spec.Witness{spec.Sequence}})
	if err != nil {
		t.Fatal(err)
	}
	if m.Exit() != 0 || len(m.Rows) != 3 || m.Counts()[Killed] != 2 || m.Counts()[NotJudged] != 1 {
		print(t, &m)
		t.Errorf("exit %d, expected two mutants killed and one not judged; to see it: go run ./cmd/spindle mutants -run sequence G-1 Q-21 G-4", m.Exit())
	}
	if c := m.Rows[0].Cells[0]; c.Fell["RQ-CAPACITY"] != 1 || c.Named != 1 || c.Median() <= 0 {
		t.Errorf("G-1: %+v, expected RQ-CAPACITY to fall", c)
	}
}

// TestWhole has every witness judge every mutant that it must see.
func TestWhole(t *testing.T) {
	tier.OnlyFull(t)
	m, err := Run(t.Context(), Options{Root: "..", OnlyNamed: true, Progress: func(s string) { t.Log(s) }})
	if err != nil {
		t.Fatal(err)
	}
	print(t, &m)
	if m.Exit() != 0 || len(m.Rows) != len(Catalogue()) {
		t.Errorf("exit %d, %d of %d mutants", m.Exit(), len(m.Rows), len(Catalogue()))
	}
}

func TestBroken(t *testing.T) {
	m, err := Run(t.Context(), Options{Root: "..", IDs: []string{"G-1"}, Command: "./mutants", Witnesses: []spec.Witness{spec.Sequence}})
	if err != nil {
		t.Fatal(err)
	}
	if m.Exit() != 4 || len(m.Rows) != 0 || len(m.Baseline) != 1 || m.Baseline[0].Error == "" {
		t.Errorf("a command that is none: exit %d, %+v", m.Exit(), m)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begin := time.Now()
	m, err := Run(ctx, Options{Root: "..", Witnesses: []spec.Witness{spec.Sequence}, Progress: func(string) { cancel() }})
	if err != nil {
		t.Fatal(err)
	}
	if m.Exit() != 130 || !m.Interrupted || len(m.Rows) > 0 {
		t.Errorf("exit %d, %+v", m.Exit(), m)
	}
	if d := time.Since(begin); d > 10*time.Second {
		t.Errorf("the interrupt took %v", d)
	}
}

func TestUsage(t *testing.T) {
	for _, o := range []Options{
		{Root: "..", IDs: []string{"G-99"}},
		{Root: "..", Witnesses: []spec.Witness{"guess"}},
		{Root: t.TempDir()},
	} {
		if _, err := Run(t.Context(), o); !errors.Is(err, ErrUsage) {
			t.Errorf("%+v: error %v, want ErrUsage", o, err)
		}
	}
}

// TestEquivalent has the explorer judge a mutant that is equivalent and one that
// only says so: a mark that nobody can refute would be worth nothing.
func TestEquivalent(t *testing.T) {
	tier.OnlyFull(t) // it explores twice, for seconds each
	r := &runner{Options: Options{Root: checkoutRoot(t), Seeds: []uint64{1}, Budget: 5 * time.Minute, Witnesses: []spec.Witness{spec.Interleave}}, dir: t.TempDir()}
	all, err := Select("E-1", "G-4")
	if err != nil {
		t.Fatal(err)
	}
	same, fake := all[0], all[1]
	fake.Witness, fake.Equivalent = spec.Interleave, "it only says so"
	if row := r.row(t.Context(), &same); row.Verdict != Unseen || row.Cells[0].Exhausted.Scenarios < 40 {
		t.Errorf("%+v, expected %s by all scenarios", row, Unseen)
	}
	if row := r.row(t.Context(), &fake); row.Verdict != Refuted {
		t.Errorf("%+v, expected %s", row, Refuted)
	}
}

func checkoutRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestExplored: what is not complete, and what was not explored at all, is an
// error and not a silence.
func TestExplored(t *testing.T) {
	var whole []suite.Event
	for _, c := range checks.Subject.Checks {
		if exhausts(&c) {
			whole = append(whole, suite.Event{Event: suite.CheckEvent, Check: c.Name, Result: &suite.Result{
				Outcome: suite.Outcome{Ended: suite.Completed, Complete: true, Scenarios: 3, Executions: 10},
			}})
		}
	}
	n := len(whole)
	res, err := explored(whole, output{})
	if err != nil || res.exhausted != (Scope{3 * n, 10 * n}) || n == 0 {
		t.Errorf("%+v, %v, expected %d scenarios in %d executions", res, err, 3*n, 10*n)
	}
	last := func(change func(*suite.Outcome)) []suite.Event {
		e := whole[n-1]
		r := *e.Result
		change(&r.Outcome)
		e.Result = &r
		return append(slices.Clone(whole[:n-1]), e)
	}
	for name, c := range map[string]struct {
		events []suite.Event
		want   string
	}{
		"nothing explored":   {nil, "saw none"},
		"one check is gone":  {whole[:n-1], whole[n-1].Check},
		"a bound":            {last(func(o *suite.Outcome) { o.Complete, o.Note = false, "not complete (1 of 5" }), "not complete (1 of 5"},
		"inconclusive":       {last(func(o *suite.Outcome) { o.Ended, o.Reason = suite.Inconclusive, "3 of 9 scenarios" }), "3 of 9 scenarios"},
		"skipped":            {last(func(o *suite.Outcome) { o.Ended = suite.Skipped }), "skipped"},
		"nothing in a check": {last(func(o *suite.Outcome) { o.Executions = 0 }), "0 executions"},
	} {
		if res, err := explored(c.events, output{text: "ok"}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, error %v, want one with %q", name, res, err, c.want)
		}
	}
	cut := last(func(o *suite.Outcome) { o.Ended, o.Reason = suite.Inconclusive, "the budget is used up" })
	for why, events := range map[string][]suite.Event{"named no requirement": whole, "the budget is used up": cut} {
		if res, err := explored(events, output{text: "--- FAIL: TestInterleavings", failed: true}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("failed and nothing fell: %+v, %v, expected an error that says %q", res, err, why)
		}
	}
	fell := append(slices.Clone(whole),
		suite.Event{Event: suite.FindingEvent, Check: "interleave/steal", Finding: &record.Finding{Requirement: "RQ-TWICE"}},
		suite.Event{Event: suite.FindingEvent, Check: "sequence/steal", Finding: &record.Finding{Requirement: "RQ-LOST"}})
	if res, err := explored(fell, output{failed: true}); err != nil || !slices.Equal(res.fell, []string{"RQ-TWICE"}) {
		t.Errorf("%+v, %v, expected RQ-TWICE to fall and nothing else", res, err)
	}
}
