package tlc

import (
	"fmt"
	"time"
)

// An Outcome says how a run ended.
type Outcome string

// The outcomes.
const (
	Holds       Outcome = "holds"       // everything was explored and nothing was violated
	Violated    Outcome = "violated"    // Result.Property says what
	Deadlock    Outcome = "deadlock"    // a state without a step, where that was asked
	Simulated   Outcome = "simulated"   // as many random runs as asked for, and nothing was violated
	Interrupted Outcome = "interrupted" // by the caller's context
	TimedOut    Outcome = "timed out"
	Limited     Outcome = "not ended" // a limit on states or memory ended it; Result.Detail says which
)

// A Result is what a run of TLC found. Of a run that was interrupted or that
// timed out, the counts are those of the last report of progress.
type Result struct {
	Outcome Outcome
	// Property is the name of what is violated, as the configuration has it.
	// TLC does not name a temporal property: it is "" where the configuration
	// has several, and Candidates are those.
	Property   string
	Candidates []string
	Temporal   bool   // a property of behaviours, not of states
	Detail     string // what TLC said of the violation, on one line; or the limit

	Generated, Distinct, Queue int64
	// Depth is the number of states on the longest of the shortest ways. It is
	// exact only with one worker.
	Depth int

	Trace []State // from an initial state to the violation
	// Back is the number of the state, from 1, that the last one goes back to,
	// for ever, by BackAction; or 0.
	Back       int
	BackAction string
	// Stutters says that nothing happens any more after the last state.
	Stutters bool

	Coverage []Coverage // by action, where it was asked for
	Workers  int
	Code     int // exit code of TLC
	Wall     time.Duration
}

// Ended reports whether the run came to its end: whether there is a verdict.
func (r *Result) Ended() bool {
	return r.Outcome != Interrupted && r.Outcome != TimedOut && r.Outcome != Limited
}

// A State is one state of a trace, with the step that led to it.
type State struct {
	Action string // "" for the initial one
	Where  string // "line 27, col 3 to line 29, col 35 of module Lock"
	Vars   []Var
}

// A Var is a variable with its value in canonical TLA+ syntax.
type Var struct{ Name, Value string }

// Get returns the value of the variable of that name, or "".
func (s *State) Get(name string) string {
	for _, v := range s.Vars {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// A Coverage says how often an action happened: steps, and steps to new states.
type Coverage struct {
	Action         string
	Module         string
	Fresh, Stepped int64
}

// Dead returns the actions that never happened.
func (r *Result) Dead() []string {
	var list []string
	for _, c := range r.Coverage {
		if c.Stepped == 0 {
			list = append(list, c.Action)
		}
	}
	return list
}

// String says on one line what was found.
func (r *Result) String() string {
	switch r.Outcome {
	case Violated:
		name := r.Property
		if name == "" {
			name = fmt.Sprintf("one of %v", r.Candidates)
		}
		return fmt.Sprintf("violates %s after %d states", name, len(r.Trace))
	case Limited:
		return fmt.Sprintf("not ended: %s", r.Detail)
	case Deadlock:
		return fmt.Sprintf("deadlock after %d states", len(r.Trace))
	}
	return string(r.Outcome)
}
