package conformance

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/spec"
)

// requirements merges the checks' verdicts into one for each requirement of
// the profile, and those into the target's.
func (j *judging) requirements() {
	target := NotRun
	for i := range spec.Requirements {
		q := &spec.Requirements[i]
		broken := slices.Contains(j.broken, q.ID)
		if !q.In(j.desc.Profile) && !broken {
			continue
		}
		row := RequirementRow{ID: q.ID, Level: string(q.Level)}
		complete := true
		skipped := notOffered(q.ID, j.desc.Capabilities)
		for _, name := range j.names {
			res := j.results[name]
			if !slices.Contains(res.Requirements, q.ID) {
				continue
			}
			if res.Verdict == Skipped {
				skipped = res.Reason
				continue
			}
			v := res.Verdict
			if v == Fail {
				v = Pass // whose finding it was is settled by broken
				complete = false
			}
			row.Verdict = Merge(row.Verdict, v)
			row.Checks = append(row.Checks, name)
			row.Calls += res.Calls
			row.States += res.States
			complete = complete && res.Complete
			if v != Pass && row.Reason == "" {
				row.Reason = name + ": " + res.Reason
			}
		}
		counted := row.Verdict
		switch {
		case broken:
			row.Verdict, counted = Fail, Fail
		case len(row.Checks) == 0 && q.Untestable != "":
			row.Verdict, row.Reason, counted = Untestable, q.Untestable, Pass
		case len(row.Checks) == 0 && skipped != "":
			row.Verdict, row.Reason, counted = Skipped, skipped, Pass
			if q.Level == spec.Must {
				counted = Partial
				j.because("%s: %s skipped: %s", j.desc.Name, q.ID, skipped)
			}
		case len(row.Checks) == 0:
			row.Reason = j.unrun(q)
		}
		if k, ok := covers(j.Known, j.desc, q.ID); ok && len(row.Checks) > 0 {
			switch {
			case broken:
				row.Verdict, counted = Known, Known
				row.Reason = fmt.Sprintf("known: %s (%s)", k.Reason, k.URL)
			case row.Verdict == Pass && complete:
				row.Verdict, counted = Fail, Fail
				row.Reason = fmt.Sprintf("passes, though listed as a known failure (%s): take it off the list", k.URL)
			case row.Verdict == Pass:
				row.Verdict, counted = Known, Known
				row.Reason = fmt.Sprintf("known, not seen in %d calls (%s)", row.Calls, k.URL)
			}
		}
		if counted == Untestable || len(row.Checks) == 0 && counted == Pass {
			counted = NotRun // what nobody ran says nothing about the target
		}
		target = Merge(target, counted)
		j.counts[row.Verdict.String()]++
		j.Sink(Event{Event: RequirementEvent, Target: j.desc.Name, Requirement: &row})
	}
	ran := false
	for _, name := range j.names {
		res := j.results[name]
		ran = ran || res.Verdict != Skipped
		if res.Verdict == Error || res.Verdict == Inconclusive {
			target = Merge(target, res.Verdict)
			j.because("%s: %s: %s", j.desc.Name, name, res.Reason)
		}
	}
	if !ran || target == NotRun {
		j.because("%s: nothing ran", j.desc.Name)
		target = Merge(target, Inconclusive)
	}
	j.verdict = Merge(j.verdict, target)
}

// unrun says why no check of q ran although none was skipped.
func (j *judging) unrun(q *spec.Requirement) string {
	if j.Select != "" {
		return "not selected"
	}
	if j.desc.Profile == spec.Protocol {
		return "judged by TLC: spindle tlc"
	}
	return "checked by go test, not here"
}
