package tlc

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Finding is what r's counterexample means for a requirement, without its steps;
// again is the command that shows it again.
func (r *Result) Finding(requirement, again string) record.Finding {
	observed := r.Detail
	if r.Outcome == Deadlock {
		observed = "no step is possible"
	}
	observed = fmt.Sprintf("%s; %d states", strings.TrimSuffix(observed, "."), len(r.Trace))
	switch {
	case r.Stutters:
		observed += "; after the last one nothing happens any more"
	case r.Back > 0:
		observed += fmt.Sprintf("; the steps from %d on happen again and again", r.Back-1)
	}
	f := record.Finding{Requirement: requirement, Witness: string(spec.Model), Expected: r.Property + " in every state that can be reached", Observed: observed, Replay: again}
	if r.Temporal {
		f.Expected = r.Property + " in every behaviour"
	}
	return f
}
