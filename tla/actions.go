package tla

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Unkilled are the actions that need no mutant which a property kills, each with the
// reason. Those of onlyWith need none either: they are there with a bug or a fix alone.
var Unkilled = map[string]string{
	"Sched!NetReady":       "no code: the world makes a G that waits in the poller runnable",
	"Sched!TimerDue":       "no code: the world lets time pass",
	"Sched!SysTick":        "it lets time pass",
	"Sched!SysTimeout":     "it lets time pass, and without it the same holds",
	"Sched!SysWake":        "a sysmon that was woken and does not wake is no state in which time passes; who forgets to wake it is asked (exit_no_sysmon, start_no_sysmon)",
	"Sched!SyscallLook":    "no property needs it while who takes an idle P wakes sysmon: syscall_no_sysmon is an equivalent",
	"Sched!SyscallWake":    "the same",
	"RunQueue!LenLoadNext": "it ends the call; what the call answers then is SaysLen, which len_no_next damages",
}

// families are the modules that have actions of their own.
var families = []string{"Sched", "RunQueue", "TwoLevel", "Slices"}

// actions holds each action against the mutants: a bug that changes it must make a property
// fall. Numbers of states say that something changed, and not that it is wrong. The rule
// reads text, as that of Subset does:
//
//   - A row counts that has one bug alone, and says which property falls.
//   - Its bug damages the definitions that its edits change. An edit that only adds, a guard or
//     a definition, so that its new text begins with the old, does not count.
//   - That damages the actions among them, and those that name one of the others.
func (a *audit) actions() {
	bugs := make(map[string]bool)
	for _, m := range a.mutants {
		if len(m.Bugs) == 1 && m.Violates != "" {
			bugs[m.Bugs[0]] = true
		}
	}
	known := make(map[string]bool)
	for _, module := range a.families {
		if a.all[module] == nil {
			continue
		}
		damaged := a.damaged(module, bugs)
		actions := actionsOf(a.all, module)
		for _, name := range slices.Sorted(maps.Keys(actions)) {
			full := module + "!" + name
			known[full] = true
			killed := damaged[name] || slices.ContainsFunc(word.FindAllString(actions[name], -1), func(w string) bool {
				return damaged[w] && actions[w] == ""
			})
			if reason := a.unkilled[full]; !killed && reason == "" && onlyWith[full] == "" {
				a.problem("%s: expected a mutant of this action that a property kills, saw none: tla/actions.go says which count", full)
			} else if killed && reason != "" {
				a.problem("%s: expected no mutant that a property kills, as tla.Unkilled says (%s), saw one", full, reason)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.unkilled)) {
		if module, _, _ := strings.Cut(name, "!"); a.all[module] != nil && !known[name] {
			a.problem("expected %s, which is in tla.Unkilled, to be an action; saw none of that name", name)
		}
	}
}

// damaged are the definitions of a family that these bugs damage.
func (a *audit) damaged(family string, bugs map[string]bool) map[string]bool {
	damaged := make(map[string]bool)
	for _, v := range a.edits(family) {
		for _, e := range slices.Concat(v.Alternatives...) {
			if v.Bug && bugs[v.Name] && !strings.HasPrefix(e.New, e.Old) {
				damaged[e.Definition] = true
			}
		}
	}
	return damaged
}

// says is what a definition has that is more than a choice between others.
var says = regexp.MustCompile(`/\\|['=\[]`)

// actionsOf returns the actions of a module, with their text: what its Next chooses from.
func actionsOf(all map[string]*source, module string) map[string]string {
	actions := make(map[string]string)
	seen := make(map[string]bool)
	var visit func(name string)
	visit = func(name string) {
		s := definer(all, module, name)
		if s == nil || seen[name] {
			return
		}
		seen[name] = true
		body := s.defs[name]
		if says.MatchString(body) {
			actions[name] = body
			return
		}
		for _, w := range word.FindAllString(body, -1) {
			visit(w)
		}
	}
	visit("Next")
	return actions
}
