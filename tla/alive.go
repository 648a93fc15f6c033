package tla

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/variant"
)

// onlyWith are the actions that happen with a bug alone, or with a fix that is none of the
// mends, by its name. Every other action must happen in some model: one that never does is
// a comment.
var onlyWith = func() map[string]string {
	list := make(map[string]string)
	all, _ := variant.Sched.Variants() // Audit says what is wrong with it
	for i := range all {
		if v := &all[i]; v.Bug || !slices.Contains(variant.Mended(), v.Name) {
			for _, name := range v.Adds() {
				list["Sched!"+name] = v.Name
			}
		}
	}
	return list
}()

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

// Dead returns which actions never happened and are not in onlyWith, and what is
// there and no action at all.
func (a *Alive) Dead() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(a.steps)) {
		if a.steps[name] == 0 && onlyWith[name] == "" {
			list = append(list, fmt.Sprintf("expected %s to happen in some model, saw that it never does", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(onlyWith)) {
		if _, ok := a.steps[name]; !ok && len(a.steps) > 0 {
			list = append(list, fmt.Sprintf("expected %s, which is in onlyWith, to be an action; saw none of that name", name))
		}
	}
	return list
}
