package mutants

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/hunt"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/mutants/operators"
)

func hunted(hit bool, digest, open string) *hunt.Line {
	l := &hunt.Line{Searched: suite.Searched{Digest: digest, Open: open, Executions: 7}}
	if hit {
		l.Hit = &suite.Hit{Requirement: "RQ-LOST", Witness: "sequence", Scenario: "a"}
	}
	return l
}

// TestOperatorVerdict holds what a result says beside that of the code as it was.
func TestOperatorVerdict(t *testing.T) {
	argued["argued"] = "why"
	defer delete(argued, "argued")
	for name, c := range map[string]struct {
		is, was *hunt.Line
		want    Verdict
	}{
		"argued, and nothing found":   {hunted(false, "", "too many"), hunted(false, "x", ""), Unseen},
		"argued, and killed":          {hunted(true, "", ""), hunted(false, "x", ""), Refuted},
		"a hit":                       {hunted(true, "", ""), hunted(false, "x", ""), Killed},
		"the same outcomes":           {hunted(false, "x", ""), hunted(false, "x", ""), SameOutcomes},
		"other outcomes":              {hunted(false, "y", ""), hunted(false, "x", ""), Open},
		"not exhausted":               {hunted(false, "", "too many"), hunted(false, "x", ""), Open},
		"neither of them is":          {hunted(false, "", "too many"), hunted(false, "", "too many"), Open},
		"a hit before the plan's end": {hunted(true, "", "too many"), hunted(false, "", "too many"), Killed},
	} {
		var r OperatorRow
		if strings.HasPrefix(name, "argued") {
			r.ID = "argued"
		}
		if r.judge(c.is, c.was); r.Verdict != c.want || r.Executions != 7 {
			t.Errorf("%s: expected %s, saw %+v", name, c.want, r)
		}
	}
}

// matrixOf makes rows: letters of verdicts, k killed, o open, s same outcomes, c same code, d duplicate, e equivalent, r refuted.
func matrixOf(design, verdicts string) (rows []OperatorRow) {
	for i, v := range verdicts {
		r := OperatorRow{Design: design, ID: design + "/" + string(rune('0'+i)), Operator: "x", Old: "old", New: "new", Line: i}
		r.Verdict = map[rune]Verdict{'k': Killed, 'o': Open, 's': SameOutcomes, 'c': SameCode, 'd': Duplicate, 'e': Unseen, 'r': Refuted}[v]
		if v == 'k' || v == 'r' {
			r.Hit = &suite.Hit{Requirement: "RQ-LOST", Witness: "sequence", Scenario: "a"}
		}
		rows = append(rows, r)
	}
	return rows
}

// TestKeptMatrix holds that what got worse is told, in a part of the mutants as in all, and
// that what is kept is read back as it was written.
func TestKeptMatrix(t *testing.T) {
	limits := map[string]suite.Limits{"a": {Executions: 1}, "b": {Executions: 2}}
	k := KeepOperators(matrixOf("a", "kkokcd"), limits)
	k.Others(KeepOperators(matrixOf("b", "kk"), limits))
	name := filepath.Join(t.TempDir(), "kept.json")
	if err := k.Write(name); err != nil {
		t.Fatal(err)
	}
	kept, err := ReadKept(name)
	if err != nil || !reflect.DeepEqual(kept, k) || len(kept.Rows) != 8 || kept.Rates["a"] != 0.75 || kept.Rates["b"] != 1 || !reflect.DeepEqual(kept.Limits, limits) {
		t.Fatalf("expected %+v, saw %+v, %v", k, kept, err)
	}
	for name, c := range map[string]struct {
		rows []OperatorRow
		all  bool
		want []string
	}{
		"as it was":                  {matrixOf("a", "kkokcd"), true, nil},
		"better":                     {matrixOf("a", "kkkkcd"), true, nil},
		"one is not killed any more": {matrixOf("a", "kookcd"), true, []string{"a/1: expected it killed by RQ-LOST", "a: expected a rate of 75.0%, saw 50.0%"}},
		"of a part":                  {matrixOf("a", "ko"), false, []string{"a/1: expected it killed"}},
		"it comes out as the code":   {matrixOf("a", "ksokcd"), true, []string{"a/1: expected it killed", "a: expected a rate of 75.0%, saw 66.7%"}},
		"a new one is open":          {matrixOf("a", "kkokcdo"), true, []string{"a: expected a rate of 75.0%, saw 60.0%"}},
		"one is the same code now":   {matrixOf("a", "kcokcd"), false, nil},
		"it is called equivalent":    {matrixOf("a", "kekk"), false, []string{"a/1: expected it killed"}},
		"what was is not":            {matrixOf("a", "kkrk"), false, []string{"a/2: expected it to be equivalent"}},
		"another design":             {matrixOf("c", "oo"), true, nil},
	} {
		got := kept.Worse(c.rows, c.all)
		ok := len(got) == len(c.want)
		for i := range c.want {
			ok = ok && strings.HasPrefix(got[i], c.want[i])
		}
		if !ok {
			t.Errorf("%s: expected %q, saw %q", name, c.want, got)
		}
	}
	if none, err := ReadKept(filepath.Join(t.TempDir(), "none")); err != nil || len(none.Rows) != 0 {
		t.Errorf("no file: expected nothing, saw %+v, %v", none, err)
	}
}

// TestOperatorsExit holds that what is worse fails a run, and that nothing run is no pass.
func TestOperatorsExit(t *testing.T) {
	for name, c := range map[string]struct {
		verdicts string
		worse    []string
		failed   error
		want     int
	}{
		"all well":               {"kkoscd", nil, nil, exit.Pass},
		"worse":                  {"kkoscd", []string{"a"}, nil, exit.Fail},
		"nothing":                {"", nil, nil, exit.Inconclusive},
		"nothing but comparison": {"cccd", nil, nil, exit.Inconclusive},
		"an error":               {"kk", []string{"a"}, errors.New("x"), exit.Error},
		"an error and nothing":   {"", nil, errors.New("x"), exit.Error},
	} {
		if got := OperatorsExit(matrixOf("a", c.verdicts), c.worse, c.failed); got != c.want {
			t.Errorf("%s: expected exit %d, saw %d", name, c.want, got)
		}
	}
}

// TestPrintOperators holds that the table counts, and shows what nobody saw.
func TestPrintOperators(t *testing.T) {
	var b strings.Builder
	if err := PrintOperators(&b, append(matrixOf("a", "kkoscd"), matrixOf("b", "s")...)); err != nil {
		t.Fatal(err)
	}
	fields := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{"a 6 2 1 1 1 0 1 66.7% 50.0%", "b 1 0 0 0 1 0 0 - -", "all 7 2 1 1 2 0 1 66.7% 40.0%", "open a/2, line 2, after 0 executions - old + new", "same outcomes b/0, line 0"} {
		if !strings.Contains(fields, want) {
			t.Errorf("expected %q in\n%s", want, b.String())
		}
	}
	if n := Hunted(matrixOf("a", "ccdd")); n != 0 {
		t.Errorf("what was only compared was not run: expected 0, saw %d", n)
	}
}

// TestArgued holds that what is said to be equivalent is there, with a reason.
func TestArgued(t *testing.T) {
	made := make(map[string]bool)
	for _, d := range hunt.Designs() {
		if d.Crash != "SC-CALLS" {
			continue // of queues nothing is argued
		}
		ms, err := operators.Generate(filepath.Join("..", filepath.FromSlash(d.Dir)), d.Files)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ms.Mutants() {
			made[m.ID] = true
		}
	}
	for id, why := range argued {
		if !made[id] || why == "" {
			t.Errorf("expected a mutant and a reason, saw %q %q", id, why)
		}
	}
}

// TestRunOperators runs a few mutants of a design: one that is killed, and one that is the
// function as it was.
func TestRunOperators(t *testing.T) {
	tier.OnlyFull(t)
	rows, err := RunOperators(t.Context(), OperatorOptions{
		Root: "..", Designs: []string{"locked"}, Sample: 6, Seed: 3,
		Limits: suite.Limits{Sequences: 50, Scenarios: 200, Each: 500, Executions: 5000, Outcomes: true},
	})
	if err != nil || len(rows) != 6 {
		t.Fatalf("expected six rows, saw %d, %v", len(rows), err)
	}
	for i := range rows {
		r := &rows[i]
		if r.Verdict == "" || (r.Verdict == Killed) != (r.Hit != nil) || !strings.HasPrefix(r.ID, "designs.Locked.") {
			t.Errorf("expected a verdict that fits, saw %+v %+v", r, r.Hit)
		}
		t.Logf("%s %s: %s => %s", r.Verdict, r.ID, r.Old, r.New)
	}
	for _, o := range []OperatorOptions{{Root: "..", Designs: []string{"none"}}, {Root: "..", Designs: []string{"locked"}, IDs: []string{"none"}}} {
		if _, err := RunOperators(t.Context(), o); err == nil || !strings.Contains(err.Error(), `saw "none"`) {
			t.Errorf("expected an error about %q, saw %v", "none", err)
		}
	}
}

// TestLines holds that a line is called the same only if it is.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		operator, old, new string
		same               bool
	}{
		{"reread", "p.mu.Lock()", "w.pool.mu.Lock()", true},
		{"reread", "if p.ctl.CompareAndSwap(c, c|own) {", "if p.ctl.CompareAndSwap(c, w.pool.ctl.Load()|own) {", false},
		{"other-word", "p.mu.Lock()", "w.pool.mu.Lock()", false},
		{"swap-neighbours", "q.mu.Lock(); defer q.mu.Unlock()", "defer q.mu.Unlock(); q.mu.Lock()", true},
		{"swap-neighbours", "defer q.mu.Unlock(); q.n++", "q.n++; defer q.mu.Unlock()", true},
		{"swap-neighbours", "defer q.mu.Unlock(); return q.n", "return q.n; defer q.mu.Unlock()", false},
		{"swap-neighbours", "defer q.mu.Unlock(); if q.n > 0 { ... }", "if q.n > 0 { ... }; defer q.mu.Unlock()", false},
		{"swap-neighbours", "q.mu.Lock(); q.n++", "q.n++; q.mu.Lock()", false},
		{"lock", "return t", "given up and taken again before return t", true},
		{"lock", "return q.n", "given up and taken again before return q.n", false},
	} {
		if got := argument(&OperatorRow{Operator: c.operator, Old: c.old, New: c.new}) != ""; got != c.same {
			t.Errorf("%s of %q to %q: expected the same: %v, saw %v", c.operator, c.old, c.new, c.same, got)
		}
	}
}
