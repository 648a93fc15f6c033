package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/show"
)

// A group is what the gate decided on one target.
type group struct {
	name      string
	judged    *suite.Judged // nil: it is not in the stream
	decisions []*gate.Decision
}

// groups returns the decisions by target, in the order of the stream; those on targets
// that are not in it come last.
func groups(r *gate.Result) []*group {
	var list []*group
	at := make(map[string]*group)
	add := func(name string, j *suite.Judged) *group {
		if at[name] == nil {
			at[name] = &group{name: name, judged: j}
			list = append(list, at[name])
		}
		return at[name]
	}
	for _, j := range r.Targets {
		add(j.Target, j)
	}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		g := add(d.Target, nil)
		g.decisions = append(g.decisions, d)
	}
	return list
}

// opened reports whether the target could be judged at all.
func (g *group) opened() bool { return g.judged == nil || g.judged.Description != nil }

// failed returns the names of checks that did not work.
func (g *group) failed() []string {
	if g.judged == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(g.judged.Checks), func(name string) bool { return g.judged.Results[name].Ended != suite.Error })
}

// why says what a decision rests on: its text, and the findings behind it.
func why(d *gate.Decision) string {
	var b strings.Builder
	calls := ""
	for i, e := range d.Findings {
		if i == maxLines {
			fmt.Fprintf(&b, "and %s more\n", plural(len(d.Findings)-i, "finding"))
			break
		}
		fmt.Fprintf(&b, "%s, seen by %s\n", printable.Line(e.Finding.Fingerprint, maxName), printable.Line(e.Check, maxName))
		var text string
		text, calls = show.Finding(e.Finding, i > 0, calls)
		b.WriteString(text)
	}
	if b.Len() == 0 {
		return printable.Line(d.Text, 4*maxReason)
	}
	return b.String()
}

// short is a decision's text in one line of a report.
func short(d *gate.Decision) string { return printable.Line(d.Text, maxReason) }

// ended is the run's verdict in one word: what was interrupted has no better one.
func ended(r *gate.Result) string {
	if r.Interrupted {
		return "interrupted"
	}
	return string(r.Verdict)
}
