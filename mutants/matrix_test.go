package mutants

import (
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/mutants/rows"
	"github.com/spindle-go/spindle/spec"
)

func cell(w spec.Witness, runs int, fell ...string) Cell {
	c := Cell{Witness: w, Runs: runs, Fell: make(map[string]int)}
	for _, id := range fell {
		c.Fell[id]++
	}
	if len(fell) > 0 {
		c.Kills, c.Times = 1, []time.Duration{20 * time.Millisecond}
	}
	return c
}

func TestVerdicts(t *testing.T) {
	m := Mutant{ID: "Q-0", Title: "a bug", Requirements: []string{"RQ-LOST", "RQ-TWICE"}, Witness: spec.Stress}
	same := m
	same.Equivalent, same.Witness = "it is the same", spec.Interleave
	named := func(c Cell) Cell { c.Named = c.Kills; return c }
	broken := cell(spec.Stress, 0)
	broken.Error = "no"
	quiet, exhausted := cell(spec.Sequence, 1), cell(spec.Interleave, 1)
	exhausted.Exhausted = Scope{Scenarios: 3, Executions: 1234}
	for _, c := range []struct {
		m     Mutant
		cells []Cell
		want  Verdict
		exit  int
	}{
		{m, []Cell{quiet, named(cell(spec.Stress, 2, "RQ-TWICE"))}, Killed, 0},
		{m, []Cell{quiet, cell(spec.Stress, 2)}, Survived, 1},
		{m, []Cell{named(cell(spec.Sequence, 1, "RQ-LOST")), cell(spec.Stress, 2)}, Survived, 1},
		{m, []Cell{quiet, cell(spec.Stress, 2, "RQ-LEN")}, Misnamed, 1},
		{m, []Cell{quiet}, NotJudged, 3},
		{m, []Cell{quiet, cell(spec.Stress, 0)}, NotJudged, 3},
		{m, []Cell{quiet, broken}, Broken, 4},
		{same, []Cell{quiet, exhausted}, Unseen, 0},
		{same, []Cell{quiet, cell(spec.Interleave, 1)}, Broken, 4},
		{same, []Cell{quiet}, NotJudged, 3},
		{same, []Cell{cell(spec.Sequence, 1, "RQ-LEN"), exhausted}, Refuted, 1},
		{same, []Cell{quiet, cell(spec.Interleave, 1, "RQ-LOST")}, Refuted, 1},
	} {
		r := Row{ID: c.m.ID, Requirements: c.m.Requirements, Witness: c.m.Witness, Cells: c.cells}
		r.judge(&c.m)
		if r.Verdict != c.want {
			t.Errorf("%+v: %s (%s), want %s", c.cells, r.Verdict, r.Reason, c.want)
		}
		matrix := Matrix{Rows: []Row{r}}
		if got := matrix.Exit(); got != c.exit {
			t.Errorf("%s: exit %d, want %d", r.Verdict, got, c.exit)
		}
	}
	if got := (&Matrix{}).Exit(); got != 3 {
		t.Errorf("nothing ran: exit %d, want 3", got)
	}
	if got := (&Matrix{Interrupted: true}).Exit(); got != 130 {
		t.Errorf("interrupted: exit %d, want 130", got)
	}
	if got := (&Matrix{Interrupted: true, Baseline: []Cell{broken}}).Exit(); got != 4 {
		t.Errorf("a witness that does not work: exit %d, want 4", got)
	}
}

func TestPrint(t *testing.T) {
	killed := cell(spec.Stress, 10, "RQ-TWICE")
	explored := cell(spec.Interleave, 1)
	explored.Exhausted = Scope{Scenarios: 40, Executions: 27000}
	m := Matrix{
		Witnesses: []spec.Witness{spec.Sequence, spec.Stress, spec.Interleave}, Seeds: []uint64{1}, Budget: time.Second,
		Baseline: []Cell{cell(spec.Sequence, 1), cell(spec.Stress, 1), explored},
		Rows: []Row{
			{ID: "G-4", Title: "one", Witness: spec.Stress, Requirements: []string{"RQ-TWICE"}, Cells: []Cell{cell(spec.Sequence, 1), killed, {}}, Verdict: Killed},
			{ID: "Q-9", Title: "two", Witness: spec.Sequence, Cells: []Cell{cell(spec.Sequence, 1), {}, {}}, Verdict: Survived, Reason: "sequence saw nothing in 1 runs"},
		},
		Interrupted: true,
	}
	var b strings.Builder
	if err := m.Print(&b); err != nil {
		t.Fatal(err)
	}
	want := `mutant  sequence  stress       interleave  fell      verdict   what is wrong
none    -         -            -                               nothing: the code as it is
G-4     -         *0.02s 1/10              RQ-TWICE  killed    one
Q-9     *-                                           SURVIVED  two

* the witness that must see it
0.02s: from the start of a run to the first finding, the median; n/m: seen with n of m seeds; -: not seen; blank: not run
1 seed, budget 1s a run

none unseen by interleave: complete, 27,000 executions in 40 scenarios
Q-9 SURVIVED: sequence saw nothing in 1 runs

2 mutants: 1 killed, 1 SURVIVED; 0s
interrupted: the matrix is not whole
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestPrintRows holds that what is not killed is named in the last line, with the
// command that runs it again, and that no row is no pass.
func TestPrintRows(t *testing.T) {
	row := func(id string, v Verdict) RowResult { return RowResult{Row: rows.Row{ID: id}, Verdict: v} }
	for _, c := range []struct {
		results []RowResult
		ok      bool
		last    string
	}{
		{[]RowResult{row("J-1", Killed), row("J-2", Survived), row("J-3", Broken), row("J-4", Misnamed)}, false, "not killed: J-2 J-3 J-4; spindle mutants -rows J-2 J-3 J-4 runs them again"},
		{[]RowResult{row("J-1", Killed)}, true, "1 mutants by hand: 1 killed, 0 survived, 0 fell by another requirement, 0 not run"},
		{nil, false, "0 mutants by hand: 0 killed, 0 survived, 0 fell by another requirement, 0 not run"},
	} {
		var b strings.Builder
		ok, err := PrintRows(&b, c.results)
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if last := lines[len(lines)-1]; ok != c.ok || err != nil || last != c.last {
			t.Errorf("%v %v %q, want %v and %q", ok, err, last, c.ok, c.last)
		}
	}
}

// TestPrintCheckers: a package below its floor is red, a few mutants are held to none,
// and nothing run is no pass; a mutant that is the same program counts for nothing.
func TestPrintCheckers(t *testing.T) {
	result := func(floor, same, killed, alive, unreached int) CheckerResult {
		r := CheckerResult{Checker: Checker{Package: "./p", Floor: floor}, Places: 1000}
		for v, n := range map[Verdict]int{SameCode: same, Killed: killed, Alive: alive, Unreached: unreached} {
			for range n {
				r.Results = append(r.Results, CheckerRow{Verdict: v})
			}
		}
		return r
	}
	for _, c := range []struct {
		results []CheckerResult
		ok      bool
		want    string
	}{
		{[]CheckerResult{result(75, 50, 15, 3, 2)}, true, "p        1000    70     50         15      3      2            75 %"},
		{[]CheckerResult{result(76, 50, 15, 3, 2)}, false, ""},
		{[]CheckerResult{result(75, 0, 100, 0, 0), result(75, 50, 10, 10, 2)}, false, ""},
		{[]CheckerResult{result(75, 0, 0, 19, 0)}, true, ""}, // fewer than 20
		{[]CheckerResult{result(75, 9, 0, 0, 0)}, false, ""},
		{nil, false, ""},
	} {
		var b strings.Builder
		ok, err := PrintCheckers(&b, c.results)
		if err != nil || ok != c.ok || !strings.Contains(b.String(), c.want) {
			t.Errorf("expected %v and %q, saw %v, %v:\n%s", c.ok, c.want, ok, err, b.String())
		}
	}
}
