package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/spec"
)

// The short report of a target is a line that says how many of its requirements passed
// and what was not run, and lines for all that is neither: nothing of that is left out.

// mostNamed bounds how many requirements that were not run are named.
const mostNamed = 4

// summary writes the short report of a target.
func (t *Text) summary(r *rowsOfTarget, decisions []gate.Decision) {
	if t.last == suite.FindingEvent {
		t.apart(suite.RequirementEvent)
	}
	passed := 0
	var notRun, lines grouped
	for i := range decisions {
		d := &decisions[i]
		id := printable.Line(d.Row.ID, maxName)
		switch d.Ruling {
		case gate.OK:
			passed++
		case gate.None:
			notRun.add(printable.Line(d.Text, maxReason), "", id)
		default:
			if d.Row.Level != spec.Must {
				id += fmt.Sprintf(" (%s)", printable.Line(string(d.Row.Level), maxName))
			}
			lines.add(word(d), r.brief(d), id)
		}
	}
	text := fmt.Sprintf("%d of %s passed", passed, plural(len(decisions), "requirement"))
	switch {
	case t.head.Select != "" && t.head.Shard != "":
		text += " the selected checks of this shard"
	case t.head.Select != "":
		text += " the selected checks"
	case t.head.Shard != "":
		text += " the checks of this shard"
	}
	for i, g := range notRun {
		what := strings.Join(g.ids, ", ")
		if len(g.ids) > mostNamed {
			what = fmt.Sprint(len(g.ids))
		}
		sep := ", "
		if i == 0 {
			sep = "; " + string(suite.NotRun) + ": "
		}
		text += sep + fmt.Sprintf("%s (%s)", what, g.word)
	}
	t.printf("%s", show.Wrap(text, "  ", "    "))
	lines = lines.shorter()
	slices.SortStableFunc(lines, func(a, b statusLine) int { return slices.Index(gravity, a.word) - slices.Index(gravity, b.word) })
	width := 0
	for _, g := range lines {
		width = max(width, len(printable.Line(g.word, maxName)))
	}
	for _, g := range lines {
		text := strings.Join(g.ids, ", ")
		if g.text != "" {
			text += ": " + g.text
		}
		t.printf("%s", show.Wrap(text, "  "+t.paint(g.word, width)+"  ", strings.Repeat(" ", 2+width+2)))
	}
}

// brief is what the short report says of a requirement that did not pass. Why
// something is unknown, or why a MUST is not offered, is said once, at the end.
func (r *rowsOfTarget) brief(d *gate.Decision) string {
	switch d.Ruling {
	case gate.Broken:
		text := plural(len(d.Findings), "finding")
		if also := r.also[d.Row.ID]; len(also) > 0 {
			text += ", " + show.Also(also, r.ways[d.Row.ID])
		}
		return text
	case gate.Unknown:
		check, _, _ := strings.Cut(d.Row.Reason, ": ")
		return "because of " + printable.Line(check, maxName)
	case gate.Missing:
		if d.Row.Level == spec.Must {
			return ""
		}
	case gate.Unexpected:
		return ""
	}
	return printable.Line(d.Text, maxReason)
}

// shorter puts many known failures, each with a reason of its own, together by the page
// that has them.
func (g grouped) shorter() grouped {
	known := 0
	for _, line := range g {
		if line.word == string(gate.Known) {
			known++
		}
	}
	if known <= mostNamed {
		return g
	}
	var list grouped
	for _, line := range g {
		text := line.text
		if at := strings.LastIndex(text, " ("); at >= 0 && line.word == string(gate.Known) {
			text = strings.TrimSuffix(text[at+2:], ")")
		}
		for _, id := range line.ids {
			list.add(line.word, text, id)
		}
	}
	return list
}

// grouped are requirements of one word and one text, in the order of the first of each.
type grouped []statusLine

// A statusLine is a line of the short report.
type statusLine struct {
	word, text string
	ids        []string
}

func (g *grouped) add(word, text, id string) {
	i := slices.IndexFunc(*g, func(o statusLine) bool { return o.word == word && o.text == text })
	if i < 0 {
		i, *g = len(*g), append(*g, statusLine{word: word, text: text})
	}
	(*g)[i].ids = append((*g)[i].ids, id)
}
