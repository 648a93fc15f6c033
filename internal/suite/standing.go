package suite

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/spec"
)

// A Standing is the status of a requirement for a target.
type Standing string

// The standings.
const (
	Kept       Standing = "kept"        // it passed: every check of it carried out its plan, and found nothing
	Broken     Standing = "broken"      // there is a finding
	Unknown    Standing = "unknown"     // a check of it did not carry out its plan, or judged no call
	NotOffered Standing = "not offered" // the target lacks what it is about, or never does it and need not
	NotRun     Standing = "not run"     // not selected, or checked elsewhere
)

// Word returns the standing as people read it. The values are those of the stream,
// which does not change with the words of a report.
func (s Standing) Word() string {
	if s == Kept {
		return "passed"
	}
	return string(s)
}

// Judged is what a stream says of one target: all that standings follow from.
type Judged struct {
	Target      string
	Description *Description // nil: it could not be opened
	Error       string       // why not
	Ended       Ended        // the same, in a word
	Select      string       // of the header
	Shard       string       // of the header
	Planned     []string     // the checks that its event announces
	Checks      []string     // in the order of the stream
	Results     map[string]*Result
	Findings    []Event
	Rows        []*Row // as the stream has them
}

// Add takes over an event of the target.
func (j *Judged) Add(e Event) {
	switch e.Event {
	case TargetEvent:
		j.Target, j.Description, j.Error, j.Ended, j.Planned = e.Target, e.Description, e.Text, e.Ended, e.Checks
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
	seen := make(map[string][]string) // fingerprints
	for _, e := range j.Findings {
		seen[e.Finding.Requirement] = append(seen[e.Finding.Requirement], e.Finding.Fingerprint)
	}
	var rows []Row
	for i := range spec.Requirements {
		q := &spec.Requirements[i]
		fingerprints := slices.Compact(slices.Sorted(slices.Values(seen[q.ID])))
		if j.Description.asked(q) || len(fingerprints) > 0 {
			rows = append(rows, j.row(q, fingerprints))
		}
	}
	return rows
}

func (j *Judged) row(q *spec.Requirement, fingerprints []string) Row {
	row := Row{ID: q.ID, Level: q.Level, Sentence: q.Sentence, Complete: true, Fingerprints: fingerprints}
	skipped := j.Description.NotOffered[q.ID]
	var unfinished, unknown []string // checks, with the reason
	for _, name := range j.Checks {
		res := j.Results[name]
		if !slices.Contains(res.Requirements, q.ID) {
			continue
		}
		if res.Ended == Skipped {
			if skipped == "" {
				skipped = cmp.Or(res.Reason, unsaid)
			}
			continue
		}
		cut, isCut := res.Cut[q.ID]
		if res.Again && res.Ended == Completed && !isCut {
			continue // what it found is among the findings
		}
		if why := res.Absent[q.ID]; why != "" && res.Ended == Completed && !isCut && res.Judged[q.ID] == 0 {
			skipped = cmp.Or(skipped, why)
			continue
		}
		row.Checks = append(row.Checks, name)
		row.Judged += res.Judged[q.ID]
		row.Elapsed += res.Elapsed
		row.Complete = row.Complete && res.Complete
		switch {
		case res.Ended != Completed:
			unfinished = append(unfinished, fmt.Sprintf("%s: %s", name, cmp.Or(res.Reason, unsaid)))
			unknown = append(unknown, unfinished[len(unfinished)-1])
		case isCut:
			unknown = append(unknown, fmt.Sprintf("%s: %s", name, cmp.Or(cut, unsaid)))
		case res.Judged[q.ID] <= 0:
			unknown = append(unknown, fmt.Sprintf("%s: nothing was judged: what did not come about is %s. Look what the target did instead: whether it refused, or accepted all, or waited, or had no time", name, spec.Matter(q.ID)))
		}
	}
	row.Complete = row.Complete && len(row.Checks) > 0 && len(unknown) == 0
	switch {
	case len(fingerprints) > 0:
		row.Standing = Broken
		if len(unfinished) > 0 {
			row.Reason = unfinished[0]
		}
	case len(unknown) > 0:
		row.Standing, row.Reason = Unknown, unknown[0]
	case len(row.Checks) > 0:
		row.Standing = Kept
	case skipped != "":
		row.Standing, row.Reason = NotOffered, skipped
	default:
		row.Standing, row.Reason = NotRun, j.notRun()
	}
	return row
}

// unsaid stands for a reason that is missing: nothing may follow from that.
const unsaid = "no reason was given"

// notRun says why no check ran although none was skipped.
func (j *Judged) notRun() string {
	switch {
	case j.Select != "":
		return "not selected"
	case j.Shard != "":
		return "not in shard " + j.Shard
	case j.Description.Profile == spec.Protocol:
		return "judged by TLC: spindle tlc"
	}
	return "checked by go test, not here"
}
