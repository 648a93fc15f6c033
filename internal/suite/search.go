package suite

import "errors"

// A search looks for the first fault of a target by what its subject enumerates, the small things first. It is no check: nothing
// is kept by it. Who damages targets on purpose counts by it what is found.

// Limits bound a search. They count, and know no time: a search does the same on every
// machine. 0 is none of the kind.
type Limits struct {
	Sequences int // of queues, calls in a fixed order: those of the length of which there are so many at most
	// Scenarios of several threads: of queues the first sizes of which there are so many at most
	// together, of schedulers the first task graphs. If those of queues with three threads are too many, those in which every
	// call changes a queue stand for them.
	Scenarios  int
	Each       int // executions of one scenario
	Executions int // in all
	// Without leaves out what the subject can leave out, to measure what it is worth.
	Without []string `json:",omitempty"`
	// Outcomes asks for a digest of the outcomes if nothing is found.
	Outcomes bool
	// Watch, if any, is told of each scenario before it is run, on a line: who bounds the time
	// from outside can say where it went.
	Watch func(string) `json:"-"`
}

// A Hit is the first fault that a search has found.
type Hit struct {
	Requirement string `json:"requirement"`
	Witness     string `json:"witness"`
	Scenario    string `json:"scenario"` // on a line
	Observed    string `json:"observed"`
}

// Searched is what a search came to.
type Searched struct {
	Hit        *Hit `json:"hit,omitempty"`
	Sequences  int  `json:"sequences"` // that were run
	Scenarios  int  `json:"scenarios"` // that were explored
	Executions int  `json:"executions"`
	// Open says why nothing found is not all that there is, or "": some scenario was not
	// explored to its end.
	Open string `json:"open,omitempty"`
	// Digest is the same for two targets if each scenario of the plan has the same
	// outcomes with both. It is empty unless it was asked for, nothing was found and the plan is exhausted.
	Digest string `json:"digest,omitempty"`
}

// ErrHangs is wrapped by the error of a search in which a call hangs: nothing ends it, and
// this process can explore nothing more.
var ErrHangs = errors.New("suite: a call does not return")
