package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// again is the command that shows a task's counterexample again.
func (o *tlcOptions) again(t *tla.Task) string {
	text := "spindle " + o.command + " -v"
	if o.dir != "" {
		text += " -dir " + suite.Quote(o.dir)
	}
	if o.simulate > 0 {
		text += fmt.Sprintf(" -simulate %d -depth %d -seed %d", o.simulate, o.depth, o.seed)
	}
	name := t.Name
	if _, err := tla.Find(t.Name); err != nil && t.Mutant == nil {
		name = t.Module + ":" + t.Name
	}
	return text + " " + suite.Quote(name)
}

// showTrace writes a counterexample: which requirements turned red, and the steps
// with a column for each thread. Ids are those of the property. One that the table expects is said to be so.
func showTrace(w io.Writer, t *tla.Task, res *tlc.Result, ids []string, expected bool, again string) {
	if len(ids) == 0 {
		ids = []string{""}
	}
	for i, id := range ids {
		head := cmp.Or(id, "no requirement is named") + ", by " + cmp.Or(res.Property, string(res.Outcome))
		if expected {
			head = "as expected: " + head
		} else {
			head = "FAIL " + head
		}
		fmt.Fprintln(w, "  "+head)
		var steps *record.Execution
		if i == len(ids)-1 { // the steps once, at the end
			steps = res.Execution(tla.Family(t.Module), tla.Thread(t.Module))
		}
		f := res.Finding(id, steps)
		f.Again = []record.Again{{Kind: record.RunAgain, Command: again}}
		if steps == nil {
			text, _ := show.Finding(&f, false, "")
			before, _, _ := strings.Cut(text, "  expected")
			io.WriteString(w, indent(before))
			continue
		}
		text, _ := show.Finding(&f, false, "")
		text = strings.Replace(text, "  steps\n", show.Wrap(initial(&res.Trace[0]), "  begins with  ", strings.Repeat(" ", 15))+"  steps\n", 1)
		io.WriteString(w, indent(text))
	}
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  " + line)
	}
	return b.String()
}

func initial(s *tlc.State) string {
	var list []string
	for _, v := range s.Vars {
		list = append(list, v.Name+" = "+v.Value)
	}
	return strings.Join(list, "; ")
}

// print lists what is in the tables.
func (o *tlcOptions) print(out io.Writer, tasks []*tla.Task) error {
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
