package record

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
	// Final is what was found by taking everything out once all threads had
	// stopped: each P by Get until it was empty, then the global queue.
	Final Contents `json:"final"`
}

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
}

// An Execution is the steps of a target in the order in which they took
// effect, with the schedule that replays them.
type Execution struct {
	Schedule string   `json:"schedule"`
	Threads  []string `json:"threads"` // names, by number
	Steps    []Step   `json:"steps"`
}

// A Finding is one broken requirement with its evidence.
type Finding struct {
	Requirement string `json:"requirement"` // an id of spec.Requirements
	Witness     string `json:"witness"`     // which witness saw it
	Expected    string `json:"expected"`
	Observed    string `json:"observed"`
	// Count and Of say how often: Count findings of this kind in Of tries.
	Count int `json:"count,omitempty"`
	Of    int `json:"of,omitempty"`
	// Ops are the calls that explain it, few enough to read.
	Ops []Op `json:"ops,omitempty"`
	// Final is what was left when all calls had returned, where that is part
	// of the evidence.
	Final *Contents `json:"final,omitempty"`
	// Execution is the run step by step, where the witness controls the threads.
	Execution *Execution `json:"execution,omitempty"`
	// History is the whole run, when it is worth keeping.
	History *History `json:"-"`
	// Replay is the one command that shows it again.
	Replay string `json:"replay,omitempty"`
}
