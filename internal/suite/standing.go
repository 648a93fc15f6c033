package suite

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/spec"
)

// A Standing says where a requirement stands for a target.
type Standing string

// The standings.
const (
	Kept       Standing = "kept"
	Broken     Standing = "broken"      // there is a finding
	Unknown    Standing = "unknown"     // a check of it did not carry out its plan, or judged no call
	NotOffered Standing = "not offered" // the target lacks what it is about
	Untestable Standing = "untestable"  // the catalogue says why nobody checks it
	NotRun     Standing = "not run"     // not selected, or checked elsewhere
)

// Judged is what a stream says of one target: all that standings follow from.
type Judged struct {
	Target      string
	Description *Description // nil: it could not be opened
	Error       string       // why not
	Ended       Ended        // the same, in a word
	Select      string       // of the header
	Checks      []string     // in the order of the stream
	Results     map[string]*Result
	Findings    []Event
	Rows        []*Row // as the stream has them
}

// Add takes over an event of the target.
func (j *Judged) Add(e Event) {
	switch e.Event {
	case TargetEvent:
		j.Target, j.Description, j.Error, j.Ended = e.Target, e.Description, e.Text, e.Ended
	case FindingEvent:
		j.Findings = append(j.Findings, e)
	case CheckEvent:
		if j.Results == nil {
			j.Results = make(map[string]*Result)
		}
		j.Checks = append(j.Checks, e.Check)
		j.Results[e.Check] = e.Result
	case RequirementEvent:
		j.Rows = append(j.Rows, e.Requirement)
	}
}

// Standings says where each requirement of the target's profile stands, and each
// other that has a finding.
func (j *Judged) Standings() []Row {
	if j.Description == nil {
		return nil
	}
	var rows []Row
	for i := range spec.Requirements {
		q := &spec.Requirements[i]
		broken := slices.ContainsFunc(j.Findings, func(e Event) bool { return e.Finding.Requirement == q.ID })
		if q.In(j.Description.Profile) || broken {
			rows = append(rows, j.row(q, broken))
		}
	}
	return rows
}

func (j *Judged) row(q *spec.Requirement, broken bool) Row {
	row := Row{ID: q.ID, Level: q.Level, Sentence: q.Sentence, Complete: true}
	skipped := j.Description.NotOffered[q.ID]
	unknown := ""
	for _, name := range j.Checks {
		res := j.Results[name]
		if !slices.Contains(res.Requirements, q.ID) {
			continue
		}
		if res.Ended == Skipped {
			if skipped == "" {
				skipped = res.Reason
			}
			continue
		}
		row.Checks = append(row.Checks, name)
		row.Judged += res.Judged[q.ID]
		row.Elapsed += res.Elapsed
		row.Complete = row.Complete && res.Complete && res.Ended == Completed
		why := ""
		switch {
		case res.Ended != Completed:
			why = cmp.Or(res.Reason, string(res.Ended))
		case res.Cut[q.ID] != "":
			why = res.Cut[q.ID]
		case res.Judged[q.ID] == 0:
			why = "nothing was judged that it is about"
		}
		if why != "" {
			row.Complete = false
			if unknown == "" {
				unknown = fmt.Sprintf("%s: %s", name, why)
			}
		}
	}
	row.Complete = row.Complete && len(row.Checks) > 0
	switch {
	case broken:
		row.Standing = Broken
	case unknown != "":
		row.Standing, row.Reason = Unknown, unknown
	case len(row.Checks) > 0:
		row.Standing = Kept
	case q.Untestable != "":
		row.Standing, row.Reason = Untestable, q.Untestable
	case skipped != "":
		row.Standing, row.Reason = NotOffered, skipped
	default:
		row.Standing, row.Reason = NotRun, j.notRun()
	}
	return row
}

// notRun says why no check ran although none was skipped.
func (j *Judged) notRun() string {
	if j.Select != "" {
		return "not selected"
	}
	if j.Description.Profile == spec.Protocol {
		return "judged by TLC: spindle tlc"
	}
	return "checked by go test, not here"
}
