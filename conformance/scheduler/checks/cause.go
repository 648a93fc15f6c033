package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec/record"
)

// A task that waits beside a worker that Close has ended looks like one that no worker takes, or steals. What is wrong then is Close.

// waitsForWorker reports whether a finding is of a task that waits for a worker.
func waitsForWorker(f *record.Finding) bool {
	return slices.Contains([]string{"SC-WORK", "SC-TOGETHER", "SC-STEAL", "SC-WAKE", "SY-RETURN", "TM-LOST", "TM-BESIDE"}, f.Requirement)
}

// newWait reports whether a finding is new of a task that waits for a worker.
func newWait(k *suite.Task, list []record.Finding) bool {
	return slices.ContainsFunc(list, func(f record.Finding) bool { return waitsForWorker(&f) && !k.Found(f.Fingerprint) })
}

const byCloseFingerprint = "SC-CLOSE-WAITS/ended"

// withoutClose returns the graph without Close, which then comes when all has ended.
func withoutClose(g record.TaskGraph) record.TaskGraph {
	g.Name += ", not closed meanwhile"
	g.Outside = slices.Clone(g.Outside)
	for i, script := range g.Outside {
		g.Outside[i] = strings.Join(strings.Fields(strings.ReplaceAll(script, "c", " ")), " ")
	}
	return g
}

// closeEnds names what Close breaks in place of what was found of tasks that wait for a worker.
func closeEnds(list []record.Finding) (named []record.Finding) {
	for _, f := range list {
		if waitsForWorker(&f) {
			f.Requirement, f.Fingerprint = "SC-CLOSE-WAITS", byCloseFingerprint
			f.Expected += ", and Close waits for it: no worker that it needs ends before"
			f.Observed = fmt.Sprintf("%s; without Close the same graph comes to its end", f.Observed)
			if slices.ContainsFunc(named, func(o record.Finding) bool { return o.Fingerprint == f.Fingerprint }) {
				continue
			}
		}
		named = append(named, f)
	}
	return named
}
