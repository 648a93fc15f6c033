package interleave

import "github.com/spindle-go/spindle/interleave/internal/engine"

// A Failure is a wrong execution.
type Failure struct {
	Kind     FailureKind
	Thread   string // the one whose operation showed it, or "the body", "Finally"; may be empty
	Message  string // what is wrong, on a line
	Stack    string // of a panic; otherwise empty
	Schedule string // replays it: see the option of that name
	Switches int    // how often another thread than that of the step before went on
	Steps    int    // operations of all threads
}

// A FailureKind says in which way an execution is wrong.
type FailureKind string

// The kinds of failures.
const (
	Assertion FailureKind = "assertion"  // Fatalf, Errorf or FailNow of the Exec
	Panic     FailureKind = "panic"      // of a thread, the body or Finally
	Deadlock  FailureKind = "deadlock"   // nobody can go on, and somebody should
	Livelock  FailureKind = "livelock"   // all who can go on repeat themselves for ever
	StepBound FailureKind = "step bound" // a thread has no end in sight: see Steps
	DataRace  FailureKind = "data race"  // two accesses that nothing orders, one of them plain and one a write
	Leak      FailureKind = "leak"       // goroutines are left at the end: see Exec.NoLeaks
)

// failure is f without what only the engine needs.
func failure(f *engine.Failure) *Failure {
	return &Failure{Kind: FailureKind(f.Kind), Thread: f.Thread, Message: f.Message, Stack: f.Stack, Schedule: f.Schedule, Switches: f.Switches, Steps: f.Steps}
}
