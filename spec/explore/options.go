package explore

import "time"

// Options say what to look for and when to stop. The zero value visits all
// states on one processor.
type Options[S comparable] struct {
	Invariants []Invariant[S]
	// Refines are what each step must be allowed by. With symmetry they must not
	// tell names apart.
	Refines []Refinement[S]
	// Deadlock asks that every state has a step.
	Deadlock bool
	// NoSymmetry leaves the states of a Symmetric machine as they are.
	NoSymmetry bool
	// MaxStates ends the search when more distinct states than that are found, of
	// which so many are counted; 0 is no limit.
	MaxStates int
	// MaxMemory ends the search when it has or needs more bytes than that, as far as it
	// counts them (Result.Memory); 0 is no limit. It looks now and then, so that a few
	// states more or less are found with other Workers.
	MaxMemory int
	// Workers is how many processors to use; 0 is one. The result does not
	// depend on it, but for the times.
	Workers int
	// Spare, if not nil, has a value for each processor that may be used besides. The
	// search takes what comes, and puts it back at its end, when there must be room.
	Spare chan struct{}
	// Seed chooses the hash function. The result does not depend on it, unless
	// two states had the same fingerprint.
	Seed uint64
	// Progress, if not nil, is called about once a second, on the caller's
	// goroutine.
	Progress func(Progress)
}

// Progress says how far a search is.
type Progress struct {
	Distinct  int
	Generated int
	Waiting   int     // found and not yet expanded
	Depth     int     // of the states that are being expanded
	Rate      float64 // distinct states per second, since the last call
	Elapsed   time.Duration
	Memory    int // bytes, as in Result
}

// A Result says what a search saw.
type Result struct {
	// Distinct counts states; with symmetry, those that are no renaming of
	// another.
	Distinct int
	// Generated counts as TLC's "states generated": the initial states and every
	// step from every state, repeats included.
	Generated int
	// Edges is the steps alone.
	Edges int
	// Depth is the number of states on the longest of the shortest ways to a
	// state: 1 where there are only initial states. Of a search that ended early
	// it is that of the states that were being expanded.
	Depth int
	// Actions counts the edges of each action, in the machine's order.
	Actions []ActionCount
	// Violation is nil where none was found.
	Violation *Violation
	// Fallen, of a survey, are the nearest violation of each property that has one.
	Fallen []*Violation
	// Complete says that every reachable state was visited and judged.
	Complete bool
	// Stopped says why a search without a violation is not complete; Limited, that it
	// was a limit and not the caller's context.
	Stopped string
	Limited bool
	// Collision is the chance that two of the states had the same fingerprint, so
	// that one of them was taken for the other.
	Collision float64
	// Memory is the bytes of what the search kept: states, fingerprints, parents and, of
	// Lively, steps. The process has some more.
	Memory  int
	Elapsed time.Duration
	CPU     time.Duration // of the whole process; 0 where that is unknown
}

// Holds reports whether all was visited and nothing was violated.
func (r *Result) Holds() bool { return r.Complete && r.Violation == nil && len(r.Fallen) == 0 }

// An ActionCount says how often an action was taken, and how often that led to a
// state not seen before. An action never taken is a dead one.
type ActionCount struct {
	Name       string
	Taken, New int
}

// A Violation is a state, or a step at the end, that must not be, and a shortest
// way to it.
type Violation struct {
	// Invariant is the name of the invariant or refinement, or Deadlock.
	Invariant   string
	Requirement string
	Trace       []TraceState
	// Cycle, of a liveness property, follows Trace and leads back to its last
	// state, again and again. It is empty where the machine may stay in that
	// state for ever.
	Cycle []TraceState
}

// Deadlock is the name of the violation of Options.Deadlock.
const Deadlock = "Deadlock"

// A TraceState is a state of a behaviour, and the step that led to it, which
// means nothing in the first one.
type TraceState struct {
	Step  Step
	Vars  []Var
	State any // the S
}
