package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
)

// A Severity says what a difference does to the verdict.
type Severity string

// The severities.
const (
	Note Severity = "note" // nothing
	Red  Severity = "red"  // Fail: it got worse
)

// A Change is a kind of difference.
type Change string

// The changes.
const (
	NewlyBroken     Change = "newly broken" // or in a way that is new
	NewlyKept       Change = "newly passed"
	NewlyUnknown    Change = "newly unknown" // the run is inconclusive by itself
	NewlyNotRun     Change = "newly not run"
	NewlyNotOffered Change = "newly not offered"
	NewlySampled    Change = "newly not complete" // all there is before, a sample now
	Disappeared     Change = "disappeared"
	Appeared        Change = "new"
	CounterChanged  Change = "changed"
)

// A Difference is what a run has otherwise than its baseline.
type Difference struct {
	Severity Severity
	Change   Change
	Target   string
	What     string // a requirement, a check, or "": the target
	Text     string // more about it
}

// String returns one line.
func (d Difference) String() string {
	what := d.Target
	if d.What != "" {
		what += ": " + d.What
	}
	text := fmt.Sprintf("%s: %s", what, d.Change)
	if d.Text != "" {
		text += ": " + d.Text
	}
	return printable.Line(text, maxReason)
}

// Compare returns what head has otherwise than base, in the order of base. An error
// says why there is no comparing; nothing follows then.
func Compare(base, head *Summary) ([]Difference, error) {
	differ := func(what, b, h string) error {
		return fmt.Errorf("gate: there is no comparing: expected %s %q, as the baseline has, saw %q", what, b, h)
	}
	if base.Schema != head.Schema {
		return nil, differ("schema", fmt.Sprint(base.Schema), fmt.Sprint(head.Schema))
	}
	if base.Contract != head.Contract {
		return nil, differ("contract", base.Contract, head.Contract)
	}
	if err := base.says(); err != nil {
		return nil, err
	}
	c := new(comparison)
	for i := range head.Targets {
		t := &head.Targets[i]
		b := base.target(t.Name)
		switch {
		case b == nil: // judged by itself: nothing of it can have got worse
			c.add(Note, Appeared, t.Name, "", "")
		case b.Profile != t.Profile:
			return nil, differ("profile of "+t.Name, string(b.Profile), string(t.Profile))
		case b.Select != t.Select:
			return nil, differ("selection of "+t.Name, b.Select, t.Select)
		}
	}
	for i := range base.Targets {
		b := &base.Targets[i]
		if h := head.target(b.Name); h == nil {
			c.add(Red, Disappeared, b.Name, "", "")
		} else {
			c.target(b, h)
		}
	}
	return c.list, nil
}

// comparison collects differences.
type comparison struct{ list []Difference }

func (c *comparison) add(s Severity, change Change, target, what, text string) {
	c.list = append(c.list, Difference{s, change, target, what, text})
}

func (c *comparison) target(b, h *TargetSummary) {
	for i := range b.Requirements {
		q := &b.Requirements[i]
		if n := h.requirement(q.ID); n != nil {
			c.requirement(b.Name, q, n)
		} else if q.asked() {
			c.add(Red, Disappeared, b.Name, q.ID, stood(q.Standing))
		}
	}
	for i := range h.Requirements {
		if n := &h.Requirements[i]; b.requirement(n.ID) == nil {
			c.requirement(b.Name, &RequirementSummary{ID: n.ID, Standing: suite.NotRun}, n)
		}
	}
	for i := range b.Checks {
		k := &b.Checks[i]
		if n := h.check(k.Name); n != nil {
			c.check(b.Name, k, n)
		} else {
			c.add(Red, Disappeared, b.Name, k.Name, "it "+ended[k.Ended])
		}
	}
	for i := range h.Checks {
		if n := &h.Checks[i]; b.check(n.Name) == nil {
			c.add(Note, Appeared, b.Name, n.Name, "it "+ended[n.Ended])
		}
	}
}

// ended says how a check ended, as a verb.
var ended = map[suite.Ended]string{
	suite.Completed: "completed", suite.Inconclusive: "was inconclusive", suite.Skipped: "was skipped", suite.Error: "was in error",
}

// stood says what the status of a requirement was, as a sentence.
func stood(s suite.Standing) string {
	if s == suite.Kept {
		return "it " + s.Word()
	}
	return "it was " + s.Word()
}

// requirement compares the status that a requirement had with the one that it has.
func (c *comparison) requirement(target string, b, h *RequirementSummary) {
	was := stood(b.Standing)
	switch {
	case h.Standing == suite.Broken:
		var fresh, listed []string
		for _, f := range h.Fingerprints {
			switch {
			case slices.Contains(b.Fingerprints, f):
			case slices.Contains(h.Known, f):
				listed = append(listed, f)
			default:
				fresh = append(fresh, f)
			}
		}
		if len(fresh) > 0 {
			c.add(Red, NewlyBroken, target, h.ID, strings.Join(fresh, ", ")+"; "+was)
		}
		if len(listed) > 0 {
			c.add(Note, NewlyBroken, target, h.ID, strings.Join(listed, ", ")+", as the list of known failures has it; "+was)
		}
		return
	case b.Standing == h.Standing:
	case h.Standing == suite.Kept:
		c.add(Note, NewlyKept, target, h.ID, was)
	case !b.asked(): // one way of not being judged is no worse than another
		if h.asked() {
			c.add(Note, NewlyUnknown, target, h.ID, was)
		}
	case h.Standing == suite.Unknown:
		c.add(Note, NewlyUnknown, target, h.ID, was)
	case h.Standing == suite.NotOffered:
		c.add(Red, NewlyNotOffered, target, h.ID, was)
	default:
		c.add(Red, NewlyNotRun, target, h.ID, was)
	}
}

// check compares how a check ended, and its counters.
func (c *comparison) check(target string, b, h *CheckSummary) {
	switch {
	case b.Ended != suite.Skipped && h.Ended == suite.Skipped:
		c.add(Red, NewlyNotRun, target, h.Name, "it is skipped; it "+ended[b.Ended])
	case b.Complete && h.Ended == suite.Completed && !h.Complete:
		c.add(Red, NewlySampled, target, h.Name, "the baseline's plan was all there is")
	}
	if !b.Complete || !h.Complete {
		return
	}
	for _, n := range []struct {
		name string
		b, h int64
	}{
		{"executions", int64(b.Executions), int64(h.Executions)},
		{"states", b.States, h.States},
		{"scenarios", int64(b.Scenarios), int64(h.Scenarios)},
	} {
		if n.b != n.h {
			c.add(Note, CounterChanged, target, h.Name, fmt.Sprintf("%d %s, %d before", n.h, n.name, n.b))
		}
	}
}

// compare holds the run against the baseline. Where it does not, the verdict is no
// pass for another reason.
func (j *judge) compare() {
	notOpen := slices.ContainsFunc(j.Targets, func(t *suite.Judged) bool { return t.Description == nil })
	if j.base == nil || j.Interrupted || notOpen {
		return
	}
	if shard := j.Header.Shard; shard != "" {
		j.worse(Error, "expected a whole run to compare with the baseline, saw shard %s: merge first", shard)
		return
	}
	var err error
	if j.Differences, err = Compare(j.base, j.summary()); err != nil {
		j.worse(Error, "%v", err)
	}
	for _, d := range j.Differences {
		// What is newly broken has its reason already, with what was seen.
		if d.Severity == Red && d.Change != NewlyBroken {
			j.worse(Fail, "%s", d)
		}
	}
}
