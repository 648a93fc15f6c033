package mutants

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
)

// An OperatorCount counts verdicts.
type OperatorCount map[Verdict]int

// Rate is how many mutants are killed of those that are another program, in parts of 1.
// Duplicates do not count, nor do those that came out as the code as it was, or are said to be equivalent.
func (c OperatorCount) Rate() float64 { return c.part(c[Open]) }

// Least is the same if all that was not killed is another program but what the compiler says is none.
func (c OperatorCount) Least() float64 { return c.part(c[Open] + c[SameOutcomes] + c[Unseen]) }

func (c OperatorCount) part(alive int) float64 {
	killed := c[Killed] + c[Refuted]
	return float64(killed) / float64(max(1, killed+alive))
}

func (c OperatorCount) all() (n int) {
	for _, k := range c {
		n += k
	}
	return n
}

// countOperators counts by a key of a row.
func countOperators(rows []OperatorRow, key func(*OperatorRow) string) (keys []string, by map[string]OperatorCount) {
	by = make(map[string]OperatorCount)
	for i := range rows {
		k := key(&rows[i])
		if by[k] == nil {
			by[k] = make(OperatorCount)
			keys = append(keys, k)
		}
		by[k][rows[i].Verdict]++
	}
	return keys, by
}

// PrintOperators prints the counts by design and by operator, and then each mutant that
// nobody saw.
func PrintOperators(w io.Writer, rows []OperatorRow) error {
	var b strings.Builder
	for _, table := range []struct {
		name string
		key  func(*OperatorRow) string
	}{
		{"design", func(r *OperatorRow) string { return r.Design }},
		{"operator", func(r *OperatorRow) string { return r.Operator }},
	} {
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintf(t, "%s\tmutants\tkilled\tsame code\tduplicate\tsame outcomes\tequivalent\topen\trate\tat least\n", table.name)
		keys, by := countOperators(rows, table.key)
		total := make(OperatorCount)
		line := func(name string, c OperatorCount) {
			rate, least := "-", "-"
			if killed := c[Killed] + c[Refuted]; killed+c[Open] > 0 {
				rate, least = fmt.Sprintf("%.1f%%", 100*c.Rate()), fmt.Sprintf("%.1f%%", 100*c.Least())
			}
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", name, c.all(), c[Killed]+c[Refuted], c[SameCode], c[Duplicate], c[SameOutcomes], c[Unseen], c[Open], rate, least)
		}
		if table.name == "operator" {
			slices.Sort(keys)
		}
		for _, k := range keys {
			line(k, by[k])
			for v, n := range by[k] {
				total[v] += n
			}
		}
		line("all", total)
		t.Flush()
		b.WriteByte('\n')
	}
	for _, v := range []Verdict{SameOutcomes, Unseen, Refuted, Open} {
		for i := range rows {
			if r := &rows[i]; r.Verdict == v {
				why := r.Open
				if v != Open {
					why = argument(r)
				}
				fmt.Fprintf(&b, "%s %s, line %d, after %d executions%s\n\t- %s\n\t+ %s\n", v, r.ID, r.Line, r.Executions, because(why), r.Old, r.New)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func because(open string) string {
	if open == "" {
		return ""
	}
	return ": " + open
}

// A KeptMatrix is a result that later ones are held against.
type KeptMatrix struct {
	Limits map[string]suite.Limits `json:"limits"` // by design
	Rates  map[string]float64      `json:"rates"`  // by design: no later run of all of it may be below
	Rows   []KeptOperator          `json:"mutants"`
}

// A KeptOperator is what is kept of a row.
type KeptOperator struct {
	Design      string  `json:"design"`
	ID          string  `json:"id"`
	Verdict     Verdict `json:"verdict"`
	Requirement string  `json:"requirement,omitempty"`
	Witness     string  `json:"witness,omitempty"`
	Scenario    string  `json:"scenario,omitempty"`
	Executions  int     `json:"executions,omitempty"`
}

// KeepOperators makes what is kept of rows.
func KeepOperators(rows []OperatorRow, limits map[string]suite.Limits) KeptMatrix {
	k := KeptMatrix{Limits: make(map[string]suite.Limits), Rates: make(map[string]float64)}
	names, by := countOperators(rows, func(r *OperatorRow) string { return r.Design })
	for _, n := range names {
		k.Limits[n], k.Rates[n] = limits[n], by[n].Rate()
	}
	for i := range rows {
		r := &rows[i]
		one := KeptOperator{Design: r.Design, ID: r.ID, Verdict: r.Verdict, Executions: r.Executions}
		if r.Hit != nil {
			one.Requirement, one.Witness, one.Scenario = r.Hit.Requirement, r.Hit.Witness, r.Hit.Scenario
		}
		k.Rows = append(k.Rows, one)
	}
	return k
}

// Hunted counts the rows that were run, not only compared.
func Hunted(rows []OperatorRow) (n int) {
	for i := range rows {
		if v := rows[i].Verdict; v != SameCode && v != Duplicate {
			n++
		}
	}
	return n
}

// OperatorsExit returns the exit code of a run that was not interrupted: what was worse
// than before fails it, and a run in which no mutant was hunted shows nothing.
func OperatorsExit(rows []OperatorRow, worse []string, failed error) int {
	codes := exit.Codes{exit.Pass}
	codes.If(failed != nil, exit.Error)
	codes.If(len(worse) > 0, exit.Fail)
	codes.If(Hunted(rows) == 0, exit.Inconclusive)
	return exit.Gravest(codes...)
}

// Others takes over what was kept of designs of which k has nothing.
func (k *KeptMatrix) Others(was KeptMatrix) {
	for name, rate := range was.Rates {
		if _, ok := k.Rates[name]; !ok {
			k.Limits[name], k.Rates[name] = was.Limits[name], rate
			for _, r := range was.Rows {
				if r.Design == name {
					k.Rows = append(k.Rows, r)
				}
			}
		}
	}
	slices.SortStableFunc(k.Rows, func(a, b KeptOperator) int { return strings.Compare(a.Design, b.Design) })
}

// Write writes what is kept, a mutant on each line.
func (k *KeptMatrix) Write(name string) error {
	head, err := json.Marshal(struct {
		Limits map[string]suite.Limits `json:"limits"`
		Rates  map[string]float64      `json:"rates"`
	}{k.Limits, k.Rates})
	var b strings.Builder
	fmt.Fprintf(&b, "%s,\n\"mutants\":[", strings.TrimSuffix(string(head), "}"))
	for i := range k.Rows {
		if i > 0 {
			b.WriteByte(',')
		}
		var line []byte
		if err == nil {
			line, err = json.Marshal(&k.Rows[i])
		}
		fmt.Fprintf(&b, "\n%s", line)
	}
	b.WriteString("\n]}\n")
	if err == nil {
		err = os.WriteFile(name, []byte(b.String()), 0o666)
	}
	if err != nil {
		return fmt.Errorf("mutants: %w", err)
	}
	return nil
}

// Open returns the mutants that nobody saw.
func (k *KeptMatrix) Open() (ids []string) {
	for i := range k.Rows {
		if k.Rows[i].Verdict == Open {
			ids = append(ids, k.Rows[i].ID)
		}
	}
	return ids
}

// ReadKept reads what was kept. If there is no file, nothing was.
func ReadKept(name string) (KeptMatrix, error) {
	var k KeptMatrix
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err != nil {
		return k, fmt.Errorf("mutants: %s: %w", name, err)
	}
	return k, nil
}

// Worse says what is worse in rows than what is kept: a mutant that was killed and is
// not, and, if all mutants were run, a rate. One that is not there any more is not worse:
// its code has changed.
func (k *KeptMatrix) Worse(rows []OperatorRow, all bool) []string {
	var list []string
	was := make(map[string]*KeptOperator)
	for i := range k.Rows {
		was[k.Rows[i].ID] = &k.Rows[i]
	}
	for i := range rows {
		r := &rows[i]
		if r.Verdict == Refuted {
			list = append(list, fmt.Sprintf("%s: expected it to be equivalent (%s); saw %s broken: %s", r.ID, argument(r), r.Hit.Requirement, r.Hit.Scenario))
		}
		if w := was[r.ID]; w != nil && w.Verdict == Killed && (r.Verdict == Open || r.Verdict == SameOutcomes || r.Verdict == Unseen) {
			list = append(list, fmt.Sprintf("%s: expected it killed by %s (%s), as it was; saw it %s", r.ID, w.Requirement, w.Scenario, r.Verdict))
		}
	}
	if !all {
		return list
	}
	names, by := countOperators(rows, func(r *OperatorRow) string { return r.Design })
	for _, n := range names {
		if rate, ok := k.Rates[n]; ok && by[n].Rate() < rate {
			list = append(list, fmt.Sprintf("%s: expected a rate of %.1f%%, saw %.1f%%", n, 100*rate, 100*by[n].Rate()))
		}
	}
	return list
}
