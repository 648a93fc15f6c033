// Package show renders findings for people to read, without colour: for the
// command's reports, and for the messages of go test. It knows no queue: it shows
// lines of text and steps. What it shows may come from outside, and is escaped.
//
//interleave:off
package show

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave/table"
	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The bounds of what is shown of one text, in characters.
const (
	maxText    = 2000
	maxCommand = 4000 // it is to be copied: it is not wrapped
)

// InALine returns what f is, and what was observed, on a line.
func InALine(f *record.Finding) string {
	return printable.Line(f.Fingerprint, 200) + ": " + printable.Line(f.Observed, 200)
}

// Also names the checks that saw a requirement broken besides the one that is shown, and the
// fingerprints that were not shown.
func Also(checks, fingerprints []string) string {
	text := "also seen by " + strings.Join(checks, ", ")
	if len(fingerprints) > 0 {
		text += "; also as " + strings.Join(fingerprints, ", ")
	}
	return printable.Line(text, maxText/4)
}

// Finding returns the lines that explain f: first what broke (the requirement, what was
// expected and observed), then where (the evidence), then the commands that show it
// again, at last where to look. Brief leaves out what a finding of the same requirement
// has said already, and all evidence but steps. A table of calls that equals above is not
// repeated; the table, without its marks, is returned for the next finding.
func Finding(f *record.Finding, brief bool, above string) (text, calls string) {
	var b strings.Builder
	row := func(name, text string) {
		b.WriteString(Wrap(printable.Line(text, maxText), fmt.Sprintf("  %-13s", name), strings.Repeat(" ", 15)))
	}
	i := slices.IndexFunc(spec.Requirements, func(r spec.Requirement) bool { return r.ID == f.Requirement })
	if i >= 0 && !brief {
		row("requirement", fmt.Sprintf("%s: %s", spec.Requirements[i].Level, spec.Requirements[i].Sentence))
	}
	row("expected", f.Expected)
	row("observed", f.Observed)
	calls = above
	for i := range f.Evidence {
		e := &f.Evidence[i]
		switch {
		case e.Kind == record.Steps && e.Execution != nil:
			b.WriteString("  steps\n" + steps(e.Execution))
			fmt.Fprintf(&b, "  %-12s %s\n", "schedule", printable.Line(e.Execution.Schedule, maxCommand))
		case brief:
		case e.Kind == record.Sights && noted(f): // the steps say it
		case e.Kind == record.Left:
			row("at the end", strings.Join(e.Lines, ", "))
		case e.Kind == record.Calls:
			if c := Calls(e.Lines, "    ", nil); c != "" && c == above {
				row("calls", "as above")
			} else if c != "" {
				b.WriteString("  calls\n" + Calls(e.Lines, "    ", e.Marks, f.Observed))
				calls = c
			}
		default:
			b.WriteString("  " + printable.Line(string(e.Kind), 40) + "\n" + plain(e.Lines, "    "))
		}
	}
	for _, a := range f.Again {
		name := "see again"
		if a.Kind == record.JudgeAgain {
			name = "replay"
		}
		if a.Command != "" { // not wrapped: it is to be copied
			fmt.Fprintf(&b, "  %-12s %s\n", name, printable.Line(a.String(), maxCommand))
		}
	}
	if i >= 0 && !brief {
		row("look at", spec.Requirements[i].Intent)
	}
	return b.String(), calls
}

// noted reports whether the steps of f say what threads have come to.
func noted(f *record.Finding) bool {
	x := f.Execution()
	return x != nil && len(x.Notes) > 0
}

// The bounds of an execution that is shown.
const (
	maxSteps = 1 << 16
	maxStep  = 200 // characters
)

// steps shows an execution as a table with a column for each thread, in which > marks
// the last step, if that shows what is wrong. Steps of the suite are left out. One that contradicts itself comes from a damaged file: that is said in
// place of it.
func steps(e *record.Execution) string {
	clean := record.Execution{Threads: make([]string, len(e.Threads)), Steps: make([]record.Step, len(e.Steps))}
	if len(e.Steps) > maxSteps || len(e.Threads) > maxSteps {
		return fmt.Sprintf("    expected at most %d steps, saw %d\n", maxSteps, max(len(e.Steps), len(e.Threads)))
	}
	used, left := make(map[int]bool), 0
	for i, name := range e.Threads {
		clean.Threads[i] = printable.Line(name, maxStep)
	}
	for i, s := range e.Steps {
		if s.Suite && !whole() {
			left++
		}
		if s.Thread < 0 || s.Thread >= len(e.Threads) {
			return fmt.Sprintf("    expected a thread below %d in step %d, saw %d\n", len(e.Threads), i, s.Thread)
		}
		used[s.Thread] = true
		s.Text, s.Action = printable.Line(s.Text, maxStep), printable.Line(s.Action, maxStep)
		s.File, s.Switch = printable.Line(s.File, maxStep), printable.Line(s.Switch, maxStep)
		s.Suite = s.Suite && !whole()
		clean.Steps[i] = s
	}
	for _, n := range e.Notes {
		if n.Thread < 0 || n.Thread >= len(e.Threads) {
			return fmt.Sprintf("    expected a thread below %d in a note, saw %d\n", len(e.Threads), n.Thread)
		}
		used[n.Thread] = true
		n.Text = printable.Line(n.Text, maxStep)
		clean.Notes = append(clean.Notes, n)
	}
	if len(used) > maxThreads {
		return fmt.Sprintf("    expected at most %d threads, saw %d\n", maxThreads, len(used))
	}
	var text, b strings.Builder
	table.Write(&text, &clean)
	lines := strings.SplitAfter(strings.TrimSuffix(text.String(), "\n"), "\n")
	last := len(lines) - 1 // the last step
	for last > 0 && !step.MatchString(lines[last]) {
		last--
	}
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, " "); ok && i == last && len(e.Steps) > 0 && !e.AtEnd {
			line = ">" + rest
		}
		b.WriteString("    " + line)
	}
	b.WriteString("\n")
	if left > 0 {
		fmt.Fprintf(&b, "    %d steps of the suite itself are left out; %s=all shows them\n", left, wholeVariable)
	}
	return b.String()
}

var step = regexp.MustCompile("^ *[0-9]+ ")

// wholeVariable names the environment variable that has all steps shown, of the suite, too.
const wholeVariable = "SPINDLE_STEPS"

func whole() bool { return os.Getenv(wholeVariable) == "all" }
