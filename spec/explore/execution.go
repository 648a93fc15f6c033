package explore

import (
	"strings"

	"github.com/spindle-go/spindle/spec/record"
)

// Execution shows v as steps of m's actors: of each the action, and the variables
// that it changed, old → new. A table of it has a column for each actor.
func Execution[S comparable](m Machine[S], v *Violation) record.Execution {
	x := record.Execution{Threads: m.Actors()}
	actions := m.Actions()
	add := func(before, after *TraceState, note string) {
		text := actions[after.Step.Action]
		if changes := diff(before.Vars, after.Vars); len(changes) > 0 {
			text += ": " + strings.Join(changes, ", ")
		}
		x.Steps = append(x.Steps, record.Step{Thread: int(after.Step.Actor), Text: text, Switch: note})
	}
	for i := 1; i < len(v.Trace); i++ {
		add(&v.Trace[i-1], &v.Trace[i], "")
	}
	before, note := &v.Trace[len(v.Trace)-1], "from here on, again and again:"
	for i := range v.Cycle {
		add(before, &v.Cycle[i], note)
		before, note = &v.Cycle[i], ""
	}
	return x
}
