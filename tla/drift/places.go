package drift

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/tla/variant"
)

// A Place is a statement of the runtime that actions of the model stand for.
type Place struct {
	Function string // one of Functions
	// Find finds the statement in the modelled version: its kind and what it mentions,
	// identifiers and literals, "lock()" for a call of lock, in any order; "#2" is the second of those that match.
	// Without a number there must be one alone. The kinds are if, else, for, range,
	// switch, case, call, assign, count (++ and --), return, goto, continue, break,
	// declare, label and end.
	Find    string
	Says    string // what the statement does, in a few words
	Actions string // "Sched!WakepCAS RunQueue!PutLoadNext", as the code names them
}

// List are the actions one by one.
func (p Place) List() []string { return strings.Fields(p.Actions) }

// Places are all of them. To tie an action to the source, add a row to places_sched.go
// or places_runqueue.go, and run SPINDLE_UPDATE=1 go test ./tla/drift -run TestDigests.
var Places = slices.Concat(schedPlaces, runqueuePlaces)

// NoCode are the actions that stand for no statement of the runtime, by module and
// action, with the reason. Those that a fix or a bug adds to the model are among them.
var NoCode = func() map[string]string {
	all, _ := variant.Sched.Variants() // package tla says what is wrong with it
	for i := range all {
		for _, name := range all[i].Adds() {
			noCode["Sched!"+name] = "variant " + all[i].Name + ": " + all[i].About
		}
	}
	return noCode
}()

var noCode = map[string]string{
	"Sched!NetReady": "the world: a descriptor becomes ready",
	"Sched!TimerDue": "the world: time passes",

	"RunQueue!LenLoadNext": "the length that the suite asks for counts runnext; schedtrace does not",
}

// locate finds the one statement that find describes.
func locate(all []statement, find string) (int, error) {
	words := strings.Fields(find)
	nth := 0
	if last := words[len(words)-1]; strings.HasPrefix(last, "#") {
		n, err := strconv.Atoi(last[1:])
		if err != nil || n < 1 {
			return 0, fmt.Errorf("pattern %q: expected a number from 1 after #, saw %q", find, last)
		}
		nth, words = n, words[:len(words)-1]
	}
	var found []int
	for i, s := range all {
		if s.kind == words[0] && !slices.ContainsFunc(words[1:], func(name string) bool { return !s.names[name] }) {
			found = append(found, i)
		}
	}
	switch {
	case nth == 0 && len(found) == 1:
		return found[0], nil
	case nth > 0 && nth <= len(found):
		return found[nth-1], nil
	}
	return 0, fmt.Errorf("pattern %q: expected %s, saw %d", find, map[bool]string{true: "one statement", false: fmt.Sprintf("at least %d statements", nth)}[nth == 0], len(found))
}
