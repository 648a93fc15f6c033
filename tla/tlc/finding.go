package tlc

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
)

// Finding is a counterexample as a finding that breaks the requirement. Steps, if
// any, are its trace.
func (r *Result) Finding(requirement string, steps *record.Execution) record.Finding {
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
	f := record.Finding{
		Requirement: requirement, Witness: "model", Fingerprint: requirement + "/" + r.Property,
		Expected: r.Property + " in every state that can be reached", Observed: observed,
	}
	if r.Temporal {
		f.Expected = r.Property + " in every behaviour"
	}
	if steps != nil {
		f.Evidence = []record.Evidence{{Kind: record.Steps, Execution: steps}}
	}
	return f
}
