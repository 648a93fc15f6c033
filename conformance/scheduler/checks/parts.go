package checks

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
)

// Whole puts together what several processes report that explore at once, each a part of the graphs: the events of each of the
// checks, its findings once each and before its result. A check that not every part of it has a result of is
// inconclusive.
func Whole(checks []suite.Check, parts [][]suite.Event) (events []suite.Event) {
	for i := range checks {
		c := &checks[i]
		whole := suite.Result{Witness: c.Witness, Requirements: c.Requirements}
		found, results := make(map[string]bool), 0
		var notes []string
		for p, part := range parts {
			for _, e := range part {
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
					if e.Result.Note != "" {
						notes = append(notes, fmt.Sprintf("part %d of %d: %s", p+1, len(parts), e.Result.Note))
					}
				}
			}
		}
		whole.Note = strings.Join(notes, "; ")
		if results < len(parts) {
			whole.Join(&suite.Result{Outcome: suite.Outcome{
				Ended: suite.Inconclusive, Reason: fmt.Sprintf("of %d processes that explored it, %d reported no result", len(parts), len(parts)-results),
			}})
		}
		events = append(events, suite.Event{Event: suite.CheckEvent, Check: c.Name, Result: &whole})
	}
	return events
}
