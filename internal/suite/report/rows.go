package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/show"
)

// rowsOfTarget is what the report has to know of the target that is being checked.
type rowsOfTarget struct {
	name  string
	desc  *suite.Description
	first map[string]bool     // requirements of which a finding was shown
	as    map[string]string   // by requirement: the fingerprint of that finding
	steps map[string]bool     // requirements of which the steps were shown
	by    map[string]string   // by check: the requirement of which it has shown a finding
	also  map[string][]string // by requirement: the checks that saw it besides
	ways  map[string][]string // by requirement: the fingerprints that were not shown
	table string              // of calls, of the last finding
}

func newRowsOfTarget(e suite.Event) *rowsOfTarget {
	return &rowsOfTarget{
		name: e.Target, desc: e.Description,
		first: make(map[string]bool), as: make(map[string]string), steps: make(map[string]bool), by: make(map[string]string),
		also: make(map[string][]string), ways: make(map[string][]string),
	}
}

// finding shows what broke. A requirement's second finding is mostly the same fault seen
// from elsewhere: the line of the requirement names the check, unless the finding is
// the first that has steps to show. Another requirement that the same check sees broken is
// mostly the same fault, too: it is a line.
func (t *Text) finding(e suite.Event) {
	t.findings++
	f, r := e.Finding, t.target
	if r == nil {
		return
	}
	word := string(suite.Broken)
	if gate.Match(t.head.Known, r.desc, f) != nil {
		t.listed++
		if word = string(gate.Known); !t.verbose {
			return
		}
	}
	steps := f.Execution() != nil && !r.steps[f.Requirement]
	again := ""
	if r.first[f.Requirement] {
		again = " again"
		if !steps && !t.verbose {
			r.seen(e)
			return
		}
	} else {
		r.first[f.Requirement], r.as[f.Requirement] = true, f.Fingerprint
	}
	if as := r.by[e.Check]; as != "" && as != f.Requirement && !t.verbose {
		if again != "" {
			r.seen(e)
			return
		}
		t.apart(suite.FindingEvent)
		t.printf("%s", show.Wrap(fmt.Sprintf("%s, seen by %s: %s; maybe of the same fault as %s, and in full with -v", printable.Line(f.Fingerprint, maxName),
			printable.Line(e.Check, maxName), printable.Line(f.Observed, maxName), printable.Line(as, maxName)), "  "+t.paint(word, 0)+" ", "    "))
		return
	}
	r.by[e.Check] = f.Requirement
	t.apart(suite.FindingEvent)
	t.printf("  %s %s%s, seen by %s\n", t.paint(word, 0), printable.Line(f.Fingerprint, maxName), again, printable.Line(e.Check, maxName))
	text, table := show.Finding(f, again != "" && !t.verbose, r.table)
	r.table = table
	r.steps[f.Requirement] = r.steps[f.Requirement] || steps
	for line := range strings.Lines(text) {
		t.printf("  %s", line)
	}
}

// seen notes which check saw a requirement broken besides, and in which way, if that is
// another one than that of the finding that was shown.
func (r *rowsOfTarget) seen(e suite.Event) {
	f := e.Finding
	add := func(to map[string][]string, text string) {
		if text = printable.Line(text, maxName); !slices.Contains(to[f.Requirement], text) {
			to[f.Requirement] = append(to[f.Requirement], text)
		}
	}
	add(r.also, e.Check)
	if f.Fingerprint != r.as[f.Requirement] {
		add(r.ways, f.Fingerprint)
	}
}

// endTarget shows the status of the target's requirements.
func (t *Text) endTarget() {
	r := t.target
	if t.target = nil; r == nil {
		return
	}
	decisions := t.gate.Decisions(r.name)
	if !t.verbose {
		t.summary(r, decisions)
		return
	}
	if len(decisions) > 0 {
		t.apart(suite.RequirementEvent)
	}
	for i := range decisions {
		d := &decisions[i]
		head := fmt.Sprintf("  %-17s %-6s %s", printable.Line(d.Row.ID, maxName), printable.Line(string(d.Row.Level), maxName), t.paint(word(d), wordWidth))
		text := r.text(d)
		if text == "" {
			t.printf("%s\n", strings.TrimRight(head, " "))
			continue
		}
		t.printf("%s", show.Wrap(printable.Line(text, maxReason), head+"  ", strings.Repeat(" ", 2+17+1+6+1+wordWidth+2)))
	}
}

// wordWidth is the width of the longest word of a row.
const wordWidth = len(gate.Unexpected)

// word is the status of a requirement: its standing, unless the gate knows better.
func word(d *gate.Decision) string {
	if d.Ruling == gate.OK || d.Ruling == gate.None {
		return d.Row.Standing.Word()
	}
	return string(d.Ruling)
}

// text is what a row says besides. Why something is unknown is said once, at the end.
func (r *rowsOfTarget) text(d *gate.Decision) string {
	switch d.Ruling {
	case gate.OK:
		what := "call"
		if r.desc.Kind == suite.Machine {
			what = "state"
		}
		return fmt.Sprintf("%s, %s", plural(len(d.Row.Checks), "check"), plural(d.Row.Judged, what))
	case gate.Broken:
		text := plural(len(d.Findings), "finding")
		if d.Row.Reason != "" {
			text += "; " + d.Row.Reason
		}
		return text
	case gate.Unknown:
		check, _, _ := strings.Cut(d.Row.Reason, ": ")
		return check + ": why is said at the end"
	}
	return d.Text
}

// end says what the run comes to. The last line is the verdict.
func (t *Text) end(elapsed time.Duration) {
	r := t.Result()
	t.last = ""
	t.printf("\n")
	if t.controls > 0 {
		t.printf("positive controls: %d of %d caught what is wrong on purpose\n", t.caught, t.controls)
	}
	for i, k := range r.Unused {
		if i == maxLines {
			t.printf("known failures: %d more entries of the list fit nothing\n", len(r.Unused)-i)
			break
		}
		t.printf("%s", show.Wrap(printable.Line(fmt.Sprintf("%s of %s fits nothing in this run: %s (%s)", k.Fingerprint, k.Target, k.Reason, k.URL), maxReason),
			"known failures: ", "        "))
	}
	reasons := foldReasons(said(&r))
	for i, reason := range reasons {
		if i == maxLines {
			t.printf("because of %s more\n", plural(len(reasons)-i, "reason"))
			break
		}
		t.printf("%s", show.Wrap(printable.Line(reason, maxReason), "because ", "        "))
	}
	if t.verbose || t.targets > 1 {
		t.printf("%s\n", counts(&r))
	}
	t.printf("%s\n", t.verdict(&r, elapsed))
}

// verdict is the last line of a run. What was interrupted has no better word.
func (t *Text) verdict(r *gate.Result, elapsed time.Duration) string {
	word := string(r.Verdict)
	if r.Interrupted {
		word = "interrupted"
	}
	known := ""
	if t.listed > 0 {
		known = fmt.Sprintf(" (%d known)", t.listed)
	}
	return fmt.Sprintf("%s: exit %d; %s, %s, %s%s, %s", t.paint(word, 0), r.Exit,
		plural(t.targets, "target"), plural(t.checks, "check"), plural(t.findings, "finding"), known, span(elapsed))
}

// said returns the reasons as they are after a report that has shown the findings: what
// was expected and seen is not told again.
func said(r *gate.Result) []string {
	list := slices.Clone(r.Reasons)
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if d.Ruling != gate.Broken || d.Text == "" {
			continue
		}
		head := printable.Line(fmt.Sprintf("%s: %s", d.Target, d.Row.ID), maxReason)
		for j, reason := range list {
			if strings.HasPrefix(reason, head+" is broken: ") {
				list[j] = head + isBroken + ": shown above"
			}
		}
	}
	return list
}

// How reasons end that are about a requirement.
const (
	isBroken     = " is broken"
	isNotOffered = " is not offered"
)

// gravity lists the words of rows, the gravest first. One that is not here is graver.
var gravity = []string{
	string(suite.Broken), string(gate.Unexpected), string(suite.Unknown), string(suite.NotOffered), string(gate.Known), string(gate.NotSeen),
	suite.Kept.Word(), string(suite.NotRun),
}

// counts says how many requirements stand how, the gravest first.
func counts(r *gate.Result) string {
	count := make(map[string]int)
	for i := range r.Decisions {
		count[word(&r.Decisions[i])]++
	}
	words := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Index(gravity, a), slices.Index(gravity, b)), strings.Compare(a, b))
	})
	for i, w := range words {
		words[i] = fmt.Sprintf("%d %s", count[w], printable.Line(w, maxName))
	}
	s := plural(len(r.Decisions), "requirement")
	if len(r.Targets) > 1 {
		s += " over all targets"
	}
	if len(words) == 0 {
		return s
	}
	return s + ": " + strings.Join(words, " + ")
}

// foldReasons joins reasons "TARGET: WHAT: WHY" that differ in what alone: a budget
// that ends is one cause, though twenty checks suffer from it. Of a reason of several
// lines the first is kept.
func foldReasons(reasons []string) []string {
	type cause struct{ target, why string }
	whats := make(map[cause][]string)
	var order []cause
	for _, reason := range reasons {
		if first, _, several := strings.Cut(reason, "\n"); several {
			reason = first + " ..."
		}
		target, rest, _ := strings.Cut(reason, ": ")
		what, why, ok := strings.Cut(rest, ": ")
		if !ok {
			target, what = "", reason
		}
		c := cause{target, why}
		if whats[c] == nil {
			order = append(order, c)
		}
		if !slices.Contains(whats[c], what) {
			whats[c] = append(whats[c], what)
		}
	}
	var folded []string
	for _, c := range order {
		list := whats[c]
		if c.target == "" {
			folded = append(folded, list...)
			continue
		}
		what := ""
		for _, end := range []string{isBroken, isNotOffered} {
			if len(list) > 1 && !slices.ContainsFunc(list, func(what string) bool { return !strings.HasSuffix(what, end) }) {
				for i := range list {
					list[i] = strings.TrimSuffix(list[i], end)
				}
				what = strings.Replace(end, " is ", " are ", 1)
			}
		}
		if len(list) > 3 {
			what = fmt.Sprintf(" and %d more", len(list)-3) + what
		}
		what = strings.Join(list[:min(len(list), 3)], ", ") + what
		folded = append(folded, fmt.Sprintf("%s: %s: %s", c.target, what, c.why))
	}
	return folded
}
