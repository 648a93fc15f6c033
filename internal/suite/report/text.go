// Package report turns the stream of events into something to read: text for a
// terminal or a log, JUnit for a CI system, Markdown and annotations for a pull
// request. Every report is a reader of that one stream, or of what the gate makes of
// it. Whatever it shows of a target is escaped: no text from outside may pass for the
// suite's own words.
//
//interleave:off
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/spec"
)

// The bounds of what is shown of one text, in characters.
const (
	maxName   = 120
	maxReason = 400
	maxLines  = 40 // of a list
)

// Text writes the report for people. Nothing in it depends on the terminal but the
// colour of a few words. Only lines of the report itself begin in the first column,
// and the last of them says the verdict: nothing else does so.
type Text struct {
	w       io.Writer
	color   bool
	verbose bool
	err     error

	gate   gate.Gate
	head   *suite.Header
	target *rowsOfTarget // the present one; nil: none, or it could not be opened
	last   suite.EventKind

	targets, checks  int
	findings, listed int // listed: those that are known
	controls, caught int
}

// NewText returns a report to w: what did not pass, and of the rest how much there is.
// With verbose it shows the contract, a row for each requirement, every check, every
// positive control, and every finding in full.
func NewText(w io.Writer, color, verbose bool) *Text {
	return &Text{w: w, color: color, verbose: verbose, head: new(suite.Header)}
}

// Err returns the first error of writing.
func (t *Text) Err() error { return t.err }

// Result returns what the gate makes of the events so far.
func (t *Text) Result() gate.Result { return t.gate.Result() }

func (t *Text) printf(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

// apart leaves a line free where lines of another kind begin.
func (t *Text) apart(kind suite.EventKind) {
	if t.last != "" && (kind != t.last || kind == suite.FindingEvent || kind == suite.TargetEvent) {
		t.printf("\n")
	}
	t.last = kind
}

// Event takes over the next event and writes what it has to say.
func (t *Text) Event(e suite.Event) {
	if e.Event == suite.ProgressEvent {
		return
	}
	t.gate.Event(e)
	switch e.Event {
	case suite.HeaderEvent:
		t.header(e.Header)
	case suite.TargetEvent:
		t.endTarget()
		t.beginTarget(e)
	case suite.FindingEvent:
		t.finding(e)
	case suite.CheckEvent:
		t.checks++
		t.check(e)
	case suite.ControlEvent:
		t.endTarget()
		t.control(e)
	case suite.FooterEvent:
		t.endTarget()
		t.end(e.Footer.Elapsed)
	}
}

func (t *Text) header(h *suite.Header) {
	t.apart(suite.HeaderEvent)
	t.head = h
	line := fmt.Sprintf("spindle %s, contract %s; %s %s/%s, %s; seed %v, budget %s a target",
		h.Suite, h.Contract, h.Go, h.OS, h.Arch, plural(h.CPUs, "CPU"), h.Seed, h.Budget)
	t.printf("%s\n", printable.Line(line, maxReason))
	if h.Select != "" {
		t.printf("selected: %s\n", printable.Line(h.Select, maxReason))
	}
	if h.Shard != "" {
		t.printf("shard: %s\n", printable.Line(h.Shard, maxName))
	}
}

func (t *Text) beginTarget(e suite.Event) {
	t.targets++
	t.apart(suite.TargetEvent)
	name := printable.Line(e.Target, maxName)
	if e.Description == nil {
		word := suite.Error
		if e.Ended == suite.Inconclusive {
			word = e.Ended
		}
		t.printf("target %s: %s\n", name, t.paint(string(word), 0))
		for line := range lines(e.Text) {
			t.printf("  %s\n", line)
		}
		return
	}
	d := e.Description
	t.target = newRowsOfTarget(e)
	version := ""
	if d.Version != "" {
		version = printable.Line(d.Version, maxName) + ", "
	}
	t.printf("target %s: %s%s, profile %s\n", name, version, printable.Line(d.Kind, maxName), printable.Line(string(d.Profile), maxName))
	if t.verbose {
		t.contract(d.Profile)
	}
	t.notes(d)
}

// contract says what a profile promises.
func (t *Text) contract(p spec.Profile) {
	if c, ok := p.Contract(); ok {
		t.printf("%s", show.Wrap(strings.Join(c.Sentences(), " "), "  contract: ", "            "))
	} else if note := spec.ProfileNotes[p]; note != "" {
		t.printf("%s", show.Wrap(note, "  profile: ", "           "))
	}
}

// notes shows the target's notes. Without verbose these are its limits, and those of a
// child process, whose author wants them to be read.
func (t *Text) notes(d *suite.Description) {
	list, size := d.Notes, maxReason
	if t.verbose {
		size *= 10
	} else if d.Kind != suite.Child {
		list = slices.DeleteFunc(slices.Clone(list), func(note string) bool { return !strings.HasPrefix(note, suite.Limit) })
	}
	for i, note := range list {
		if i == maxLines {
			t.printf("  note: and %d more\n", len(list)-i)
			break
		}
		head, margin := "  note: ", "        "
		if limit, ok := strings.CutPrefix(note, suite.Limit); ok {
			head, margin, note = "  "+suite.Limit, "         ", limit
		}
		t.printf("%s", show.Wrap(printable.Line(note, size), head, margin))
	}
}

// lines returns the lines of a text from outside, each as it may be shown.
func lines(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		n := 0
		for line := range strings.Lines(strings.TrimSpace(text)) {
			if n++; n > maxLines {
				yield("...")
				return
			}
			if !yield(printable.Line(strings.TrimRight(line, "\r\n"), maxReason)) {
				return
			}
		}
	}
}

// check says how a check ended, to who asked for every check: what is not well is in
// the rows, and said again at the end.
func (t *Text) check(e suite.Event) {
	if !t.verbose {
		return
	}
	t.apart(suite.CheckEvent)
	r := e.Result
	head := fmt.Sprintf("  %-24s %s  ", printable.Line(e.Check, maxName), t.paint(string(r.Ended), len(suite.Inconclusive)))
	var parts []string
	for _, n := range []struct {
		n    int64
		what string
	}{{int64(r.Scenarios), "scenario"}, {int64(r.Calls), "call"}, {int64(r.Executions), "execution"}, {r.States, "state"}} {
		if n.n > 0 {
			parts = append(parts, plural(n.n, n.what))
		}
	}
	parts = append(parts, span(r.Elapsed))
	text := fmt.Sprintf("%s; plan: %s", strings.Join(parts, ", "), r.Plan)
	for _, more := range []string{r.Reason, r.Note} {
		if more != "" {
			text += "; " + more
		}
	}
	t.printf("%s", show.Wrap(printable.Line(text, 4*maxReason), head, strings.Repeat(" ", 2+24+1+len(suite.Inconclusive)+2)))
}

func (t *Text) control(e suite.Event) {
	t.controls++
	if e.Control.Finding != nil {
		t.caught++
	}
	if !t.verbose {
		return
	}
	t.apart(suite.ControlEvent)
	what := printable.Line(e.Control.What, maxReason)
	if f := e.Control.Finding; f != nil {
		t.printf("positive control: %s caught %s: %s\n", printable.Line(e.Check, maxName), what, printable.Line(f.Requirement, maxName))
		return
	}
	t.printf("positive control: %s %s to catch %s\n", printable.Line(e.Check, maxName), t.paint("failed", 0), what)
}

func plural[N int | int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// span shows how long something took, as exactly as a person wants it.
func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second && d%time.Second != 0:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

const (
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

// colors are those of the words for a status; the others are yellow.
var colors = map[string]string{
	suite.Kept.Word(): green, string(suite.Completed): green, string(gate.Pass): green,
	string(suite.Broken): red, string(gate.Unexpected): red, string(gate.Fail): red, string(gate.Error): red, "failed": red,
}

// paint shows a word in at least width columns, in colour if there is colour.
func (t *Text) paint(word string, width int) string {
	word = printable.Line(word, maxName)
	pad := strings.Repeat(" ", max(0, width-len(word)))
	if !t.color {
		return word + pad
	}
	color := colors[word]
	if color == "" {
		color = yellow
	}
	return color + word + reset + pad
}
