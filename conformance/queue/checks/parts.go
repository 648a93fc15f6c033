package checks

import (
	"cmp"
	"slices"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/suite"
)

// Several processes explore at once, each a part of the scenarios. What they report is
// put together here: a check has ended as the worst of its parts has, and is complete if
// all are.

// A Certificate is what the explorer certifies of one check, or of a part of it.
type Certificate struct {
	Check string
	Sum   interleave.Certificate
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

// Whole puts the reports of all parts together, for target t: the events of each check,
// its findings once each and before its result.
func Whole(t Target, parts []Report) []suite.Event {
	var names []string
	for _, p := range parts {
		for _, e := range p.Events {
			if !slices.Contains(names, e.Check) {
				names = append(names, e.Check)
			}
		}
	}
	order := func(name string) int { return slices.IndexFunc(all, func(c check) bool { return c.name == name }) }
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(order(a), order(b)) })
	var events []suite.Event
	for _, name := range names {
		events = append(events, wholeCheck(t, name, parts)...)
	}
	return events
}

// wholeCheck puts the events of one check together.
func wholeCheck(t Target, name string, parts []Report) (events []suite.Event) {
	var results []*suite.Result
	found := make(map[string]bool)
	for _, p := range parts {
		for _, e := range p.Events {
			switch {
			case e.Check != name:
			case e.Finding != nil && !found[e.Finding.Fingerprint]:
				found[e.Finding.Fingerprint] = true
				events = append(events, e)
			case e.Result != nil:
				results = append(results, e.Result)
			}
		}
	}
	if len(results) == 0 {
		return events
	}
	whole := *results[0]
	for _, r := range results[1:] {
		whole.Join(r)
	}
	var sum interleave.Certificate
	for _, p := range parts {
		for i := range p.Certificates {
			if c := &p.Certificates[i]; c.Check == name {
				sum.Add(c.Sum)
			}
		}
	}
	if at := slices.IndexFunc(all, func(c check) bool { return c.name == name }); at >= 0 && len(results) > 1 {
		c := all[at].forTarget(factsOf(t))
		whole.Note = c.note(&sum, whole.Complete)
		if whole.Ended == suite.Completed && len(found) == 0 && sum.Steps == 0 {
			whole.Ended, whole.Complete, whole.Reason = suite.Inconclusive, false, noSteps()
		}
	}
	return append(events, suite.Event{Event: suite.CheckEvent, Check: name, Result: &whole})
}
