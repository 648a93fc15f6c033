// Package report turns the stream of events into something to read. Every
// report is a reader of that one stream.
//
//interleave:off
package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/show"
	"github.com/spindle-go/spindle/spec"
)

// Text writes the report for people. Nothing in it depends on the terminal but
// the colour of verdicts.
type Text struct {
	w       io.Writer
	color   bool
	verbose bool
	err     error

	shown map[string]bool // requirements of this target that have been shown broken in full
	table string          // of the last finding
	last  conformance.EventKind
}

// NewText returns a report to w. With verbose it names every check, and shows
// every finding in full, where else the first of each requirement is.
func NewText(w io.Writer, color, verbose bool) *Text {
	return &Text{w: w, color: color, verbose: verbose}
}

// Err returns the first error of writing.
func (t *Text) Err() error { return t.err }

func (t *Text) printf(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

// Event writes what e has to say. Findings stand apart, and so does each block
// of lines of one kind.
func (t *Text) Event(e conformance.Event) {
	if e.Event == conformance.ProgressEvent || e.Event == conformance.CheckEvent && t.quiet(e.Result) {
		return
	}
	if t.last != "" && (e.Event != t.last || e.Event == conformance.FindingEvent || e.Event == conformance.TargetEvent) {
		t.printf("\n")
	}
	t.last = e.Event
	switch e.Event {
	case conformance.HeaderEvent:
		h := e.Header
		t.printf("spindle %s, contract %s; %s %s/%s, %s; seed %#x, budget %s a target; recording costs %d ns a call\n",
			h.Suite, h.Spec, h.Go, h.OS, h.Arch, plural(h.CPUs, "CPU"), h.Seed, h.Budget, h.RecorderNs)
		if h.Select != "" {
			t.printf("selected: %s\n", h.Select)
		}
	case conformance.TargetEvent:
		t.target(e)
	case conformance.CheckEvent:
		t.check(e)
	case conformance.FindingEvent:
		t.finding(e)
	case conformance.RequirementEvent:
		t.requirement(e.Requirement)
	case conformance.ControlEvent:
		t.control(e)
	case conformance.FooterEvent:
		t.footer(e.Footer)
	}
}

func (t *Text) target(e conformance.Event) {
	t.shown = nil
	if e.Description == nil {
		t.printf("%s: %s\n", e.Target, t.paint(conformance.Error, 0))
		for line := range strings.Lines(strings.TrimSpace(e.Text)) {
			t.printf("  %s\n", strings.TrimRight(line, "\n"))
		}
		return
	}
	d := e.Description
	t.printf("%s: %s, %s, profile %s\n", d.Name, d.Version, d.Kind, d.Profile)
	t.printf("%s", show.Wrap(spec.ProfileNotes[d.Profile], "  profile: ", "           "))
	for _, n := range d.Notes {
		t.printf("%s", show.Wrap(n, "  note: ", "        "))
	}
}

// quiet reports whether there is nothing to say of a check but that it passed.
func (t *Text) quiet(r *conformance.CheckResult) bool {
	return !t.verbose && (r.Verdict == conformance.Pass || r.Verdict == conformance.Skipped)
}

// check says how a check ended.
func (t *Text) check(e conformance.Event) {
	r := e.Result
	head := fmt.Sprintf("  %-24s %s  ", e.Check, t.paint(r.Verdict, verdictWidth))
	text := fmt.Sprintf("%s, %s", plural(r.Scenarios, "scenario"), plural(r.Calls, "call"))
	if r.States > 0 {
		text = plural(int(r.States), "state")
	}
	if r.Verdict == conformance.Fail {
		text = "ended by its finding, after " + text
	}
	if t.verbose {
		text += fmt.Sprintf(", %v; plan: %s", r.Elapsed.Round(time.Millisecond), r.Plan)
	}
	if r.Reason != "" {
		text += "; " + r.Reason
	}
	t.printf("%s", show.Wrap(text, head, strings.Repeat(" ", 2+24+1+verdictWidth+2)))
}

// verdictWidth is the width of the longest verdict of a requirement.
const verdictWidth = len("inconclusive")

func (t *Text) requirement(r *conformance.RequirementRow) {
	what := r.Reason
	if r.Verdict == conformance.Pass {
		what = fmt.Sprintf("%s, %s", plural(len(r.Checks), "check"), plural(r.Calls, "call"))
		if r.States > 0 {
			what = fmt.Sprintf("%s, %s", plural(len(r.Checks), "check"), plural(int(r.States), "state"))
		}
	}
	head := fmt.Sprintf("  %-17s %-6s %s", r.ID, r.Level, t.paint(r.Verdict, verdictWidth))
	if what == "" {
		t.printf("%s\n", strings.TrimRight(head, " "))
		return
	}
	t.printf("%s", show.Wrap(what, head+"  ", strings.Repeat(" ", 2+17+1+6+1+verdictWidth+2)))
}

func (t *Text) control(e conformance.Event) {
	if e.Finding != nil {
		t.printf("positive control: %s caught %s: %s\n", e.Check, e.Text, e.Finding.Requirement)
		return
	}
	t.printf("positive control: %s %s to catch %s\n", e.Check, t.paint(conformance.Fail, 0)+"ED", e.Text)
}

func (t *Text) footer(f *conformance.Footer) {
	for _, r := range f.Reasons {
		t.printf("%s", show.Wrap(r, "because ", "        "))
	}
	t.printf("%s: exit %d; %s, %s, %s; %v\n", t.paint(f.Verdict, 0), f.Exit,
		plural(f.Targets, "target"), plural(f.Checks, "check"), plural(f.Findings, "finding"), f.Elapsed.Round(100*time.Millisecond))
	t.printf("%s\n", counts(f))
}

// counts lists the verdicts on the requirements, the gravest first.
func counts(f *conformance.Footer) string {
	var parts []string
	for v := conformance.Error; v >= conformance.NotRun; v-- {
		if n := f.Counts[v.String()]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", n, v))
		}
	}
	s := plural(f.Requirements, "requirement")
	if f.Targets > 1 {
		s += " over all targets"
	}
	if len(parts) == 0 {
		return s
	}
	return s + ": " + strings.Join(parts, " + ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

const (
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

// paint shows v in at least width columns, in colour if there is colour.
func (t *Text) paint(v conformance.Verdict, width int) string {
	s := v.String()
	pad := strings.Repeat(" ", max(0, width-len(s)))
	if !t.color {
		return s + pad
	}
	color := yellow
	switch v {
	case conformance.Pass:
		color = green
	case conformance.Fail, conformance.Error:
		color = red
	}
	return color + s + reset + pad
}
