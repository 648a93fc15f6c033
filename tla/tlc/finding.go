package tlc

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Finding is what r's counterexample means for a requirement; again is the command
// that shows it again, and steps its trace, or nil.
func (r *Result) Finding(requirement, again string, steps *record.Execution) record.Finding {
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
		Requirement: requirement, Witness: string(spec.Model), Fingerprint: requirement + "/" + r.Property,
		Expected: r.Property + " in every state that can be reached", Observed: observed,
		Again: []record.Again{{Kind: record.RunAgain, Command: again}},
	}
	if r.Temporal {
		f.Expected = r.Property + " in every behaviour"
	}
	if steps != nil {
		f.Evidence = []record.Evidence{{Kind: record.Steps, Execution: steps}}
	}
	return f
}
