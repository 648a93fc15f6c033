package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/suite"
)

// Several processes explore at once, each a part of the scenarios. What they report is
// put together here: a check has ended as the worst of its parts has, and is complete if
// all are.

// A Certificate is what the explorer certifies of one check, or of a part of it.
type Certificate struct {
	Check string
	Which string // the scenarios of an enumeration, in words
	Sum   interleave.Certificate
	Some  bool // of some executions not all orders of the calls were checked
}

// note is the certificate in words, for a check that was explored completely or not.
func (c *Certificate) note(complete bool) string {
	note := c.Sum.String()
	switch {
	case c.Which == "":
	case !complete && c.Sum.Complete():
		// What was explored is complete, and not all of it was explored.
		note = "of " + strings.TrimPrefix(c.Which, "all ") + ", not all: " + note
	default:
		note = c.Which + ": " + note
	}
	if c.Some {
		note += "; of some executions not all orders of the calls were checked"
	}
	return note
}

// add makes c the certificate of both parts.
func (c *Certificate) add(part *Certificate) {
	c.Which = part.Which
	c.Sum.Add(part.Sum)
	c.Some = c.Some || part.Some
}

// A Report is what one process reports: the findings and results of its checks.
type Report struct {
	Events       []suite.Event
	Certificates []Certificate
}

// ReportOf returns the report of a target that was explored, with its events.
func ReportOf(t Target, events []suite.Event) Report {
	in := t.(*inProcess)
	return Report{events, in.certificates}
}

// Whole puts the reports of all parts together: the events of each of the checks, its
// findings once each and before its result. A check that not every part of it has a result
// of is inconclusive.
func Whole(checks []suite.Check, parts []Report) (events []suite.Event) {
	for i := range checks {
		events = append(events, wholeCheck(&checks[i], parts)...)
	}
	return events
}

// wholeCheck puts the events of one check together.
func wholeCheck(c *suite.Check, parts []Report) (events []suite.Event) {
	whole := suite.Result{Witness: c.Witness, Requirements: c.Requirements}
	sum := Certificate{Check: c.Name}
	found, results := make(map[string]bool), 0
	for _, p := range parts {
		for _, e := range p.Events {
			switch {
			case e.Check != c.Name:
			case e.Finding != nil && !found[e.Finding.Fingerprint]:
				found[e.Finding.Fingerprint] = true
				events = append(events, e)
			case e.Result != nil:
				if results++; results == 1 {
					whole = *e.Result
				} else {
					whole.Join(e.Result)
				}
			}
		}
		for i := range p.Certificates {
			if part := &p.Certificates[i]; part.Check == c.Name {
				sum.add(part)
			}
		}
	}
	shared := slices.ContainsFunc(all, func(a check) bool { return a.name == c.Name && a.enumerates != nil })
	asked := 1 // one process has all of it
	if shared {
		asked = len(parts)
	}
	if results < asked {
		whole.Join(&suite.Result{Outcome: suite.Outcome{
			Ended: suite.Inconclusive, Reason: fmt.Sprintf("of %d processes that explored it, %d reported no result", asked, asked-results),
		}})
	}
	if shared && sum.Which != "" { // and not skipped
		if whole.Ended == suite.Completed && len(found) == 0 && sum.Sum.Steps == 0 {
			whole.Ended, whole.Complete, whole.Reason = suite.Inconclusive, false, noSteps()
		}
		whole.Note = sum.note(whole.Complete)
	}
	return append(events, suite.Event{Event: suite.CheckEvent, Check: c.Name, Result: &whole})
}
