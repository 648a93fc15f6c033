package gate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// judge is a Result in the making.
type judge struct {
	Result
	used    []bool // of Known
	base    *Summary
	strict  bool
	whole   bool // the stream can be believed
	ran     bool // something was judged
	reasons map[Verdict][]string
}

// worse makes the verdict at least v.
func (j *judge) worse(v Verdict, format string, args ...any) {
	if slices.Index(verdicts, v) > slices.Index(verdicts, j.Verdict) {
		j.Verdict = v
	}
	text := printable.Line(fmt.Sprintf(format, args...), maxReason)
	if j.reasons == nil {
		j.reasons = make(map[Verdict][]string)
	}
	for _, graver := range verdicts[slices.Index(verdicts, v):] {
		if slices.Contains(j.reasons[graver], text) {
			return
		}
	}
	j.reasons[v] = append(j.reasons[v], text)
}

func (j *judge) done() Result {
	for i, k := range j.Known {
		if !j.used[i] {
			j.Unused = append(j.Unused, k)
		}
	}
	for _, v := range slices.Backward(verdicts) {
		j.Reasons = append(j.Reasons, j.reasons[v]...)
	}
	j.Exit = j.Verdict.Exit(j.strict)
	if j.Interrupted { // whatever it had found by then
		j.Exit = exit.Interrupted
	}
	return j.Result
}

// target rules on each requirement of one target.
func (j *judge) target(t *suite.Judged) {
	if t.Description == nil {
		v := Error
		if t.Ended == suite.Inconclusive {
			v = Inconclusive
		}
		j.worse(v, "%s: %s", t.Target, t.Error)
		for i, k := range j.Known {
			j.used[i] = j.used[i] || k.Target == t.Target // nobody knows
		}
		return
	}
	for _, doubt := range t.Description.Doubts {
		j.worse(Inconclusive, "%s: %s", t.Target, cmp.Or(doubt, "a blind spot without a reason"))
	}
	// Whatever a check broke or kept besides: if it did not come to its end, it may
	// have more to find, and no known failure covers that.
	for _, name := range t.Checks {
		switch res := t.Results[name]; res.Ended {
		case suite.Error:
			j.worse(Error, "%s: %s: %s", t.Target, name, res.Reason)
		case suite.Inconclusive:
			j.worse(Inconclusive, "%s: %s: %s", t.Target, name, res.Reason)
		}
	}
	judged := false
	for _, row := range t.Rows {
		d := Decision{Target: t.Target, Row: row}
		j.rule(t, &d)
		judged = judged || row.Standing == suite.Kept || row.Standing == suite.Broken || row.Standing == suite.Unknown
		j.Decisions = append(j.Decisions, d)
	}
	j.ran = j.ran || judged
	if !judged && j.Header.Shard == "" { // another shard may have its checks
		j.worse(Inconclusive, "%s: nothing ran", t.Target)
	}
}

func (j *judge) rule(t *suite.Judged, d *Decision) {
	row := d.Row
	for _, e := range t.Findings {
		if e.Finding.Requirement == row.ID {
			d.Findings = append(d.Findings, e)
		}
	}
	seen, unseen := j.listed(t.Description, row, d.Findings)
	switch row.Standing {
	case suite.Broken:
		j.broken(d, seen)
		if why := t.Description.NotOffered[row.ID]; why != "" { // a check of another requirement saw it
			j.missing(d, why)
		}
	case suite.Unknown:
		d.Ruling, d.Text = Unknown, row.Reason
		j.worse(Inconclusive, "%s: %s", t.Target, row.Reason)
	case suite.Kept:
		d.Ruling = OK
		if len(unseen) > 0 {
			d.Ruling, d.Text = NotSeen, fmt.Sprintf("not seen in %d %s (%s)", row.Judged, what(t.Description), unseen[0].URL)
		}
	case suite.NotOffered:
		d.Ruling, d.Text = Missing, row.Reason
		j.missing(d, row.Reason)
	default:
		d.Ruling, d.Text = None, row.Reason
	}
	// A selection may have left out the very check that sees it.
	whole := row.Standing == suite.Kept || j.Header.Select == "" && j.Header.Shard == ""
	unseen = slices.DeleteFunc(unseen, func(k suite.Known) bool {
		res := t.Results[k.Check]
		return k.Check != "" && (res == nil || res.Ended != suite.Completed) || k.Check == "" && !whole
	})
	if row.Complete && len(unseen) > 0 && d.Ruling != Broken {
		k := unseen[0]
		d.Ruling, d.Text = Unexpected, fmt.Sprintf("%s was not found, though it is listed as a known failure (%s): take it off the list", k.Fingerprint, k.URL)
		j.worse(Fail, "%s: %s: unexpected pass: %s", t.Target, row.ID, d.Text)
	}
}

// missing makes the run partial if the target lacks what a MUST is about.
func (j *judge) missing(d *Decision, why string) {
	if d.Row.Level == spec.Must {
		j.worse(Partial, "%s: %s is not offered: %s", d.Target, d.Row.ID, why)
	}
}

// broken rules on a requirement that has findings: they must be known, or as in
// the baseline, all of them.
func (j *judge) broken(d *Decision, known []suite.Known) {
	before := j.base.requirement(d.Target, d.Row.ID)
	for _, e := range d.Findings {
		f := e.Finding
		i := slices.IndexFunc(known, func(k suite.Known) bool { return f.Covers(k.Fingerprint) })
		switch {
		case i >= 0:
			d.known = append(d.known, f.Fingerprint)
			if d.Ruling == "" {
				d.Ruling, d.Text = Known, fmt.Sprintf("%s (%s)", known[i].Reason, known[i].URL)
			}
		case d.Ruling == Broken: // which is said already
		case before != nil && slices.Contains(before.Fingerprints, f.Fingerprint):
			d.Ruling, d.Text = AsBefore, f.Fingerprint
		default:
			newly := ""
			if j.base != nil {
				newly = "newly "
			}
			d.Ruling, d.Text = Broken, fmt.Sprintf("%s, seen by %s: expected %s, saw %s", f.Fingerprint, e.Check, f.Expected, f.Observed)
			j.worse(Fail, "%s: %s is %sbroken: %s", d.Target, d.Row.ID, newly, d.Text)
		}
	}
}

// caught holds the run to its positive controls: each witness that judged a
// subject must have caught what is wrong with its controls.
func (g *Gate) caught(j *judge) {
	for _, e := range g.controls {
		c := e.Control
		v := Inconclusive
		if c.Ended == suite.Error {
			v = Error
		}
		if c.Finding == nil || c.Ended != suite.Completed {
			j.worse(v, "positive control: %s did not catch %s: %s", e.Check, c.What, cmp.Or(c.Reason, "it found nothing"))
		}
	}
	for _, t := range g.targets {
		for _, name := range t.Checks {
			res := t.Results[name]
			if res.Ended != suite.Skipped && !slices.ContainsFunc(g.controls, func(e suite.Event) bool {
				return e.Target == t.Description.Subject && e.Control.Witness == res.Witness
			}) {
				j.worse(Inconclusive, "positive control: checker %s of subject %s was not seen to find a fault", res.Witness, t.Description.Subject)
			}
		}
	}
}

// what is judged of a target.
func what(d *suite.Description) string {
	if d.Kind == suite.Machine {
		return "states"
	}
	return "calls"
}
