package tla

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spindle-go/spindle/tla/tlc"
)

// OnlyWith are the actions that happen with a bug or a fix alone, by its name. Every
// other action must happen in some model: one that never does is a comment.
var OnlyWith = map[string]string{
	"Sched!LatePut":         "wakep_first",
	"Sched!Flush":           "no_storeload",
	"Sched!WakepNeed":       "need_unlocked",
	"Sched!WakepAgain":      "reload",
	"Sched!WakeAnyway":      "wake_nonspinning",
	"Sched!ClearFirst":      "clear_first",
	"Sched!ClearLate":       "clear_after_scan",
	"Sched!ExitPut":         "exit_unlocked",
	"Sched!FlushDecrement":  "decrement_buffered",
	"Sched!Seek":            "wake_without_p",
	"Sched!RecheckExtraTry": "extra_unlocked",
	"Sched!StopStarting":    "start_preempted",
	"Sched!ExitLate":        "locked_read_late",
}

// Alive counts how often actions happen, over many runs.
type Alive struct {
	steps map[string]int64 // by family!action
}

// Count adds steps of an action, which is of module or of what that extends.
func (a *Alive) Count(module, action string, steps int64) {
	if a.steps == nil {
		a.steps = make(map[string]int64)
	}
	a.steps[Family(module)+"!"+action] += steps
}

// Add counts what was counted in a run that saw everything.
func (a *Alive) Add(r *tlc.Result) {
	if r.Outcome != tlc.Holds {
		return
	}
	for _, c := range r.Coverage {
		a.Count(c.Module, c.Action, c.Stepped)
	}
}

// Dead returns which actions never happened and are not in OnlyWith, and what is
// there and no action at all.
func (a *Alive) Dead() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(a.steps)) {
		if a.steps[name] == 0 && OnlyWith[name] == "" {
			list = append(list, fmt.Sprintf("expected %s to happen in some model, saw that it never does", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(OnlyWith)) {
		if _, ok := a.steps[name]; !ok && len(a.steps) > 0 {
			list = append(list, fmt.Sprintf("expected %s, which is in OnlyWith, to be an action; saw none of that name", name))
		}
	}
	return list
}
