// Package gate says what to make of a run: its verdict and its exit code. They
// are a function of the stream of events, so that they can be computed again
// tomorrow from the same file, with another list of known failures or against
// another baseline.
//
//interleave:off
package gate

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// A Verdict is what is said of a run.
type Verdict string

// The verdicts, from the best to the gravest.
const (
	Pass         Verdict = "pass"         // every requirement of the profile is kept, or broken as is known
	Partial      Verdict = "partial"      // the same, but a MUST is not offered by a target
	Inconclusive Verdict = "inconclusive" // something is unknown, or nothing ran
	Fail         Verdict = "fail"         // something is broken, or passes though it is listed as known
	Error        Verdict = "error"        // the suite, or a target's harness, did not work
)

var verdicts = []Verdict{Pass, Partial, Inconclusive, Fail, Error}

// A Ruling is what the gate makes of one requirement of one target.
type Ruling string

// The rulings.
const (
	OK         Ruling = "ok"
	Known      Ruling = "known"           // broken, as the list of known failures says
	NotSeen    Ruling = "known, not seen" // listed, kept by samples: it may still be there
	Unexpected Ruling = "unexpected pass" // listed, and kept by checks that are complete
	Broken     Ruling = "broken"
	Unknown    Ruling = "unknown"
	Missing    Ruling = "not offered" // a MUST that the target does not offer
	None       Ruling = "none"        // nothing was asked of it
)

// A Decision is the ruling on one requirement of one target.
type Decision struct {
	Target string
	Row    *suite.Row
	Ruling Ruling
	Text   string
	// Findings are those behind a requirement that is broken.
	Findings []suite.Event
}

// A Result is what the gate makes of a stream.
type Result struct {
	Verdict     Verdict
	Exit        int
	Interrupted bool
	Decisions   []Decision
	// Reasons say why the verdict is not a pass, the gravest first, each cause once.
	Reasons []string
	Unused  []suite.Known // entries of the list that fit nothing in the stream
	Targets []*suite.Judged
	// Controls are those of the stream, as events.
	Controls []suite.Event
	Header   *suite.Header
	Footer   *suite.Footer
}

// Count returns how many requirements have the ruling.
func (r *Result) Count(ruling Ruling) int {
	n := 0
	for i := range r.Decisions {
		if r.Decisions[i].Ruling == ruling {
			n++
		}
	}
	return n
}

// A Gate reads a stream. Its zero value is ready.
type Gate struct {
	header   *suite.Header
	footer   *suite.Footer
	targets  []*suite.Judged
	controls []suite.Event
}

// Event takes over the next event of the stream.
func (g *Gate) Event(e suite.Event) {
	switch e.Event {
	case suite.HeaderEvent:
		g.header = e.Header
	case suite.FooterEvent:
		g.footer = e.Footer
	case suite.ControlEvent:
		g.controls = append(g.controls, e)
	case suite.TargetEvent:
		g.targets = append(g.targets, new(suite.Judged))
		fallthrough
	case suite.FindingEvent, suite.CheckEvent, suite.RequirementEvent:
		if len(g.targets) > 0 {
			g.targets[len(g.targets)-1].Add(e)
		}
	}
}

// Result judges what was read. A stream without header, footer or target is an
// error: nothing is concluded from what is missing.
func (g *Gate) Result() Result {
	j := &judge{Result: Result{Verdict: Pass, Targets: g.targets, Controls: g.controls, Header: g.header, Footer: g.footer}}
	if g.header == nil || g.footer == nil {
		j.worse(Error, "the stream is not whole: expected a header and a footer")
		return j.done()
	}
	j.Interrupted = g.footer.Interrupted
	j.used = make([]bool, len(g.header.Known))
	if len(g.targets) == 0 {
		j.worse(Inconclusive, "nothing ran: there is no target")
	}
	for _, t := range g.targets {
		j.target(t)
	}
	g.caught(j)
	for i, k := range g.header.Known {
		if !j.used[i] {
			j.Unused = append(j.Unused, k)
		}
	}
	return j.done()
}

// judge is a Result in the making.
type judge struct {
	Result
	used    []bool // of header.Known
	reasons map[Verdict][]string
}

// worse makes the verdict at least v.
func (j *judge) worse(v Verdict, format string, args ...any) {
	if slices.Index(verdicts, v) > slices.Index(verdicts, j.Verdict) {
		j.Verdict = v
	}
	text := fmt.Sprintf(format, args...)
	if j.reasons == nil {
		j.reasons = make(map[Verdict][]string)
	}
	if !slices.Contains(j.reasons[v], text) {
		j.reasons[v] = append(j.reasons[v], text)
	}
}

func (j *judge) done() Result {
	for _, v := range slices.Backward(verdicts) {
		j.Reasons = append(j.Reasons, j.reasons[v]...)
	}
	strict := j.Header != nil && j.Header.Strict
	j.Exit = exitOf(j.Verdict, strict)
	if j.Interrupted {
		j.Exit = 130
	}
	return j.Result
}

func exitOf(v Verdict, strict bool) int {
	switch {
	case v == Pass, v == Partial && !strict:
		return 0
	case v == Fail:
		return 1
	case v == Error:
		return 4
	}
	return 3
}

// target rules on each requirement of one target.
func (j *judge) target(t *suite.Judged) {
	if t.Description == nil {
		v := Error
		if t.Ended == suite.Inconclusive {
			v = Inconclusive
		}
		j.worse(v, "%s: %s", t.Target, t.Error)
		return
	}
	for _, name := range t.Checks {
		if res := t.Results[name]; res.Ended == suite.Error {
			j.worse(Error, "%s: %s: %s", t.Target, name, res.Reason)
		}
	}
	judged := false
	for _, row := range t.Rows {
		d := Decision{Target: t.Target, Row: row}
		j.rule(t, &d)
		judged = judged || row.Standing == suite.Kept || row.Standing == suite.Broken || row.Standing == suite.Unknown
		j.Decisions = append(j.Decisions, d)
	}
	if !judged {
		j.worse(Inconclusive, "%s: nothing ran", t.Target)
	}
}

func (j *judge) rule(t *suite.Judged, d *Decision) {
	row := d.Row
	listed, url := j.listed(t.Description, row.ID)
	switch row.Standing {
	case suite.Broken:
		for _, e := range t.Findings {
			if e.Finding.Requirement == row.ID {
				d.Findings = append(d.Findings, e)
			}
		}
		d.Ruling, d.Text = j.broken(t.Description, d.Findings)
		if d.Ruling == Broken {
			j.worse(Fail, "%s: %s is broken: %s", t.Target, row.ID, d.Text)
		}
	case suite.Unknown:
		d.Ruling, d.Text = Unknown, row.Reason
		j.worse(Inconclusive, "%s: %s", t.Target, row.Reason)
	case suite.Kept:
		switch {
		case listed && row.Complete:
			d.Ruling, d.Text = Unexpected, fmt.Sprintf("kept, though listed as a known failure (%s): take it off the list", url)
			j.worse(Fail, "%s: %s: %s", t.Target, row.ID, d.Text)
		case listed:
			d.Ruling, d.Text = NotSeen, fmt.Sprintf("not seen in %d calls (%s)", row.Judged, url)
		default:
			d.Ruling = OK
		}
	case suite.NotOffered:
		d.Ruling, d.Text = Missing, row.Reason
		if row.Level == spec.Must {
			j.worse(Partial, "%s: %s is not offered: %s", t.Target, row.ID, row.Reason)
		}
	default:
		d.Ruling, d.Text = None, row.Reason
	}
}

// broken rules on findings: known if the list has every one of them.
func (j *judge) broken(d *suite.Description, findings []suite.Event) (Ruling, string) {
	text := ""
	for _, e := range findings {
		known := false
		for i, k := range j.Header.Known {
			if applies(k, d) && e.Finding.Covers(k.Fingerprint) {
				known, j.used[i] = true, true
				text = fmt.Sprintf("%s (%s)", k.Reason, k.URL)
			}
		}
		if !known {
			return Broken, fmt.Sprintf("%s, seen by %s: %s", e.Finding.Fingerprint, e.Check, e.Finding.Observed)
		}
	}
	return Known, text
}

// listed reports whether the list has a failure of the requirement.
func (j *judge) listed(d *suite.Description, id string) (found bool, url string) {
	for i, k := range j.Header.Known {
		if applies(k, d) && requirement(k) == id {
			found, url, j.used[i] = true, k.URL, true
		}
	}
	return found, url
}

// caught holds the run to its positive controls: each witness that judged a
// subject must have caught what is wrong with its control.
func (g *Gate) caught(j *judge) {
	for _, e := range g.controls {
		if c := e.Control; c.Finding == nil {
			v := Inconclusive
			if c.Ended == suite.Error {
				v = Error
			}
			j.worse(v, "positive control: %s did not catch %s: %s", e.Check, c.What, c.Reason)
		}
	}
	for _, t := range g.targets {
		if t.Description == nil {
			continue // it is no pass already
		}
		for _, name := range t.Checks {
			res := t.Results[name]
			if res.Ended != suite.Skipped && !slices.ContainsFunc(g.controls, func(e suite.Event) bool {
				return e.Target == t.Description.Subject && e.Control.Witness == res.Witness
			}) {
				j.worse(Inconclusive, "positive control: witness %s of subject %s was not seen to find a fault", res.Witness, t.Description.Subject)
			}
		}
	}
}
