package command

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// print lists what is in the tables.
func (o *options) print(out io.Writer, tasks []*tla.Task) error {
	head := []string{"MODEL", "SET", "EXPECTED", "GENERATED", "DISTINCT", "DEPTH", "SECONDS", "QUESTION"}
	row := func(t *tla.Task) []string {
		count := func(n int64) string {
			if n == 0 {
				return "-"
			}
			return fmt.Sprint(n)
		}
		return []string{t.Name, string(t.Set), t.Expected(), count(t.Generated), count(t.Distinct), count(int64(t.Depth)), fmt.Sprintf("%.0f", t.Seconds), t.Question}
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

// measured prints what was found as a row of the tables.
func measured(w io.Writer, t *tla.Task, res *tlc.Result) {
	found := ""
	if res.Outcome != tlc.Holds {
		found = fmt.Sprintf("Violates: %q, ", res.Property)
	}
	if res.Property == "" && res.Outcome != tlc.Holds {
		found = fmt.Sprintf("/* %s */ ", res)
	}
	if m := t.Mutant; m != nil {
		fmt.Fprintf(w, "{Bugs: %#v, Model: %q, %sDepth: %d}, // %.1f s, %d distinct\n", m.Bugs, m.Model, found, tla.Depth(res), res.Wall.Seconds(), res.Distinct)
		return
	}
	if res.Outcome == tlc.Holds {
		found = fmt.Sprintf("Generated: %d, Distinct: %d, ", res.Generated, res.Distinct)
	}
	fmt.Fprintf(w, "{Name: %q, Module: %q, Set: %q, %sDepth: %d, Seconds: %.1f},\n",
		t.Name, t.Module, t.Set, found, tla.Depth(res), res.Wall.Seconds())
}
