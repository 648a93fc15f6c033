package mutants

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// Print writes the matrix as a table, what is wrong with it, and counts.
func (m *Matrix) Print(w io.Writer) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "mutant")
	for _, w := range m.Witnesses {
		fmt.Fprintf(t, "\t%s", w)
	}
	fmt.Fprint(t, "\tfell\tverdict\twhat is wrong\n")
	fmt.Fprint(t, "none")
	for i := range m.Witnesses {
		c := Cell{}
		if i < len(m.Baseline) { // else interrupted
			c = m.Baseline[i]
		}
		fmt.Fprintf(t, "\t%s", c.text(false))
	}
	fmt.Fprint(t, "\t\t\tnothing: the code as it is\n")
	for _, r := range m.Rows {
		fmt.Fprint(t, r.ID)
		fell := ""
		for i := range r.Cells {
			c := &r.Cells[i]
			fmt.Fprintf(t, "\t%s", c.text(c.Witness == r.Witness))
			if id := c.Chief(r.Requirements); id != "" && (fell == "" || c.Witness == r.Witness) {
				fell = id
			}
		}
		fmt.Fprintf(t, "\t%s\t%s\t%s\n", fell, r.Verdict, r.Title)
	}
	t.Flush()
	plural := "s"
	if len(m.Seeds) == 1 {
		plural = ""
	}
	fmt.Fprintf(&b, `
* the witness that must see it
0.02s: from the start of a run to the first finding, the median; n/m: seen with n of m seeds; -: not seen; blank: not run
%d seed%s, budget %v a run

`, len(m.Seeds), plural, m.Budget)
	reasons := b.Len()
	for _, c := range m.Baseline {
		if c.Error != "" {
			fmt.Fprintf(&b, "ERROR without any mutant: %s: %s\n", c.Witness, c.Error)
		}
		if c.Exhausted != (Scope{}) {
			fmt.Fprintf(&b, "none unseen by %s: %v\n", c.Witness, c.Exhausted)
		}
	}
	for _, v := range Verdicts() {
		for _, r := range m.Rows {
			if r.Verdict == v && r.Reason != "" {
				fmt.Fprintf(&b, "%s %s: %s\n", r.ID, v, r.Reason)
			}
		}
	}
	if b.Len() > reasons {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%d mutants:", len(m.Rows))
	n := m.Counts()
	sep := " "
	for _, v := range Verdicts() {
		if n[v] > 0 {
			fmt.Fprintf(&b, "%s%d %s", sep, n[v], v)
			sep = ", "
		}
	}
	fmt.Fprintf(&b, "; %v\n", m.Elapsed.Round(time.Second))
	if m.Interrupted {
		fmt.Fprintln(&b, "interrupted: the matrix is not whole")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// text is the cell in the table.
func (c *Cell) text(named bool) string {
	s := ""
	switch {
	case c.Error != "":
		s = "ERROR"
	case c.Runs == 0:
		return ""
	case c.Kills == 0:
		s = "-"
	default:
		s = fmt.Sprintf("%.2fs", c.Median().Seconds())
		n := c.Kills
		if named && c.Named > 0 {
			n = c.Named // what else fell does not count for the one that must see it
		}
		if c.Runs > 1 {
			s += fmt.Sprintf(" %d/%d", n, c.Runs)
		}
	}
	if named {
		s = "*" + s
	}
	return s
}
