// Package show renders findings for people to read, without colour: for the
// command's report, and for the messages of go test.
//
//interleave:off
package show

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/interleave/table"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Finding returns the lines that explain f: the requirement, what was expected
// and observed, the calls, the commands that show it again. Brief leaves out what a finding
// of the same requirement has said already. A table of calls that equals above
// is not repeated; the table is returned for the next finding.
func Finding(f *record.Finding, brief bool, above string) (text, calls string) {
	var b strings.Builder
	row := func(name, text string) {
		b.WriteString(Wrap(text, fmt.Sprintf("  %-13s", name), strings.Repeat(" ", 15)))
	}
	if r, err := spec.Lookup(f.Requirement); err == nil && !brief {
		row("requirement", fmt.Sprintf("%s: %s", r.Level, r.Sentence))
		row("look at", r.Intent)
	}
	row("expected", f.Expected)
	observed := f.Observed
	if f.Of > 1 {
		observed += fmt.Sprintf(" (%d of %d)", f.Count, f.Of)
	}
	row("observed", observed)
	switch calls = Table(f.Ops, "    "); {
	case calls == "" || brief:
		calls = above
	case calls == above:
		row("calls", "as above")
	default:
		b.WriteString("  calls\n" + calls)
	}
	if e := f.Execution; e != nil && !brief {
		b.WriteString("  steps\n")
		var steps strings.Builder
		table.Write(&steps, e)
		for line := range strings.Lines(steps.String()) {
			b.WriteString("    " + line)
		}
		row("schedule", e.Schedule)
	}
	if f.Final != nil && !brief {
		row("at the end", contents(f.Final))
	}
	for line := range strings.Lines(f.Replay) {
		name := "see again"
		if strings.HasPrefix(line, "spindle replay ") {
			name = "judge again"
		}
		if line = strings.TrimSpace(line); line != "" { // not wrapped: it is to be copied
			fmt.Fprintf(&b, "  %-12s %s\n", name, line)
		}
	}
	return b.String(), calls
}

// contents shows what waits where.
func contents(c *record.Contents) string {
	var parts []string
	for i, p := range c.Ps {
		if p.Runnext != 0 {
			parts = append(parts, fmt.Sprintf("P%d.runnext %d", i, p.Runnext))
		}
		if len(p.Ring) > 0 {
			parts = append(parts, fmt.Sprintf("P%d.ring %v", i, p.Ring))
		}
	}
	if len(c.Global) > 0 {
		parts = append(parts, fmt.Sprintf("global %v", c.Global))
	}
	if len(parts) == 0 {
		return "nothing was left"
	}
	return strings.Join(parts, ", ")
}
