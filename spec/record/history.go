package record

import (
	"fmt"
	"slices"
)

// A History is what a target did when it ran one scenario.
type History struct {
	Scenario Scenario `json:"scenario,omitzero"`  // left out where the reader knows it
	Capacity int      `json:"capacity,omitempty"` // of each ring as it was, 0 if unknown or unbounded
	// Clock says what the stamps are: ClockTime, ClockCounter or ClockOrder.
	Clock string `json:"clock"`
	// Moves says that the target reports what its calls move: Op.Moved is
	// then complete for every call.
	Moves bool `json:"moves,omitempty"`
	Ops   []Op `json:"ops"` // by Call, ties by thread
	// Made lists the calls as they were made, by Call, where a judge has narrowed the times of
	// Ops or left some out; nil: Ops are as they were made.
	Made []Op `json:"-"`
	// Final is what was found by taking everything out once all threads had
	// stopped: each P by Get until it was empty, then the global queue.
	Final Contents `json:"final"`
}

// Ended reports whether the run came to its end: whether there are final
// contents. Without them, calls may be missing.
func (h *History) Ended() bool { return len(h.Final.Ps) > 0 }

// The clocks of a history.
const (
	ClockTime    = "time"    // nanoseconds of the machine's monotonic clock
	ClockCounter = "counter" // one shared counter, fetched and added
	ClockOrder   = "order"   // the scenario ran in a fixed order; stamps count calls
)

// A Step is one action on shared memory: an atomic operation, or a section
// under a lock.
type Step struct {
	Thread int    `json:"t"`
	Text   string `json:"text"`             // what it did, with values: "p.head.Load = 3"
	Action string `json:"action,omitempty"` // the comment at the end of its line: a name of spec.Actions where the code has them
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Read   uint64 `json:"read,omitempty"`
	Write  uint64 `json:"write,omitempty"`
	Failed bool   `json:"failed,omitempty"` // a compare-and-swap that did not swap
	// Switch says why the thread of the step before did not go on, if it did not.
	Switch string `json:"switch,omitempty"`
	// Suite says that the step is one of the test's own program, and not of what is tested.
	Suite bool `json:"suite,omitempty"`
}

// A Note is what a thread has come to, in words, behind a step.
type Note struct {
	Behind int    `json:"behind"` // a step of any thread, -1 for before all
	Thread int    `json:"t"`
	Text   string `json:"text"`
}

// An Execution is the steps of a target in the order in which they took
// effect, with the schedule that replays them.
type Execution struct {
	Schedule string   `json:"schedule"`
	Threads  []string `json:"threads"` // names, by number
	Steps    []Step   `json:"steps"`
	Notes    []Note   `json:"notes,omitempty"` // in order
	// AtEnd says that what is wrong was seen when all threads had ended: no step shows it.
	AtEnd bool `json:"at_end,omitempty"`
}

// mostSteps bounds the steps that a finding carries: an execution that has no end, up to a bound, has tens of thousands.
const mostSteps = 1000

// Short returns the execution with its first 500 steps and its last 500 alone, if it is longer. A note says how many are left out.
func (x *Execution) Short() *Execution {
	if x == nil || len(x.Steps) <= mostSteps {
		return x
	}
	const half = mostSteps / 2
	left := len(x.Steps) - mostSteps
	short := *x
	short.Steps = slices.Concat(x.Steps[:half], x.Steps[half+left:])
	short.Notes = nil
	for _, n := range x.Notes {
		if n.Behind < half {
			short.Notes = append(short.Notes, n)
		}
	}
	short.Notes = append(short.Notes, Note{half - 1, short.Steps[half].Thread, fmt.Sprintf("... %d steps are left out here", left)})
	for _, n := range x.Notes {
		if n.Behind >= half+left {
			n.Behind -= left
			short.Notes = append(short.Notes, n)
		}
	}
	return &short
}
