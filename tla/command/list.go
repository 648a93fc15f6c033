package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// listed prints the list, and then says what is missing in it: what a run would not begin
// with, or call a difference.
func (o *options) listed(out io.Writer, tasks []*tla.Task, problems []string) (int, error) {
	if err := o.print(out, tasks); err != nil {
		return exit.Error, err
	}
	if len(problems) == 0 {
		return exit.Pass, nil
	}
	slices.Sort(problems)
	problems = slices.Compact(problems) // mutants of one model have one problem
	return exit.Error, fmt.Errorf("not in the list:\n  %s", strings.Join(problems, "\n  "))
}

// print lists what there is and what is expected of it.
func (o *options) print(out io.Writer, tasks []*tla.Task) error {
	head := []string{"MODEL", "SET", "EXPECTED", "GENERATED", "DISTINCT", "DEPTH", "SECONDS", "QUESTION"}
	row := func(t *tla.Task) []string {
		count := func(n int64) string {
			if n == 0 {
				return "-"
			}
			return fmt.Sprint(n)
		}
		expected := t.Expected()
		if t.Violates == "" {
			expected += t.Bound() + t.Assumes()
		}
		seconds := fmt.Sprintf("%.0f", t.Seconds)
		if t.MachineAlone {
			seconds += ", Go machine alone"
		}
		return []string{t.Name, string(t.Set), expected, count(t.Generated), count(t.Distinct), count(int64(t.Depth)), seconds, t.Question}
	}
	if o.markdown {
		fmt.Fprintf(out, "| %s |\n|%s\n", strings.ToLower(strings.Join(head, " | ")), strings.Repeat("---|", len(head)))
		for _, t := range tasks {
			cells := row(t)
			for i := range cells {
				cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
			}
			fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
		}
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(head, "\t"))
	for _, t := range tasks {
		fmt.Fprintln(w, strings.Join(row(t), "\t"))
	}
	return w.Flush()
}

// measured prints what was found as it is to be written: a line of a configuration's
// head, or a row of the table of mutants.
func measured(w io.Writer, t *tla.Task, res *tlc.Result) {
	m, line := t.Mutant, t.Line(res)
	switch {
	case m == nil && line == "":
		fmt.Fprintf(w, "cfg/%s.cfg: %v\n", t.Name, res)
	case m == nil:
		fmt.Fprintf(w, "cfg/%s.cfg: %s (%.1f s)\n", t.Name, line, res.Wall.Seconds())
	case res.Outcome == tlc.Holds:
		fmt.Fprintf(w, "{Bugs: %#v, Model: %q, Generated: %d, Distinct: %d}, // %.1f s\n", m.Bugs, m.Model, res.Generated, res.Distinct, res.Wall.Seconds())
	case res.Property == "":
		fmt.Fprintf(w, "{Bugs: %#v, Model: %q, /* %s */}\n", m.Bugs, m.Model, res)
	default:
		fmt.Fprintf(w, "{Bugs: %#v, Model: %q, Violates: %q, Depth: %d}, // %.1f s\n", m.Bugs, m.Model, res.Property, tla.Depth(res), res.Wall.Seconds())
	}
}
