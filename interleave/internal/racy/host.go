package racy

// A Host runs the threads of a program. The interpreter calls it between the
// operations.
type Host interface {
	// Before is called before each operation that is not plain. The thread must end
	// if it returns false.
	Before(thread int) bool
	// Did is called behind each, with what it returned.
	Did(thread int, result int64)
	// Spawn returns the number of the thread that one is about to start, and Spawned
	// is called when it has.
	Spawn(thread int) int
	Spawned(thread, child int)
	Ended(thread int)
}

// A Step is an operation that was carried out.
type Step struct {
	Thread int
	Result int64
}

// Meets is the least result of two operations on a channel without a buffer that go on together. It is the same of both, and of no others.
const Meets = 1 << 20

// A Recorder is the Host of an exploration: it notes which thread did what.
type Recorder struct {
	Threads int
	Steps   []Step
	begun   [64]bool // no slice that package slices changes: what that does is an access
}

// Before implements Host.
func (r *Recorder) Before(t int) bool {
	r.begun[t] = true
	return true
}

// Did implements Host.
func (r *Recorder) Did(t int, result int64) {
	r.Steps = append(r.Steps, Step{t, result})
	r.begun[t] = false
}

// Run returns what was noted of the program of a seed.
func (r *Recorder) Run(seed uint64) Run {
	run := Run{Seed: seed, Steps: r.Steps}
	for t, is := range r.begun {
		if is {
			run.Begun = append(run.Begun, t)
		}
	}
	return run
}

// Spawn implements Host.
func (r *Recorder) Spawn(int) int { r.Threads++; return r.Threads - 1 }

// Spawned implements Host.
func (r *Recorder) Spawned(int, int) {}

// Ended implements Host.
func (r *Recorder) Ended(int) {}

// A Run is an execution of the program that Make makes of a seed.
type Run struct {
	Seed  uint64
	Steps []Step
	Begun []int // threads that were in an operation at the end
	Race  bool  // the explorer has reported one
}

// A Verdict is what the race detector says of a Run.
type Verdict struct {
	Race     bool
	Departed bool // a step had another result, or did not come: nothing can be said
}
