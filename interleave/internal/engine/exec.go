package engine

import (
	"fmt"
	"strconv"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// An Exec is one execution as the body of a test sees it.
type Exec struct {
	spawned bool // the body has started threads by go statements
	s       *scheduler
	made    []newThread
	started bool
	over    bool
}

type newThread struct {
	name     string
	daemon   bool
	f        func()
	stray    any // whose goroutine there is already, or nil
	stranger bool
	from     Site // the go statement, or 0
}

// Go adds a thread. Threads start when the body has returned. Go may be called
// by the body only; a thread starts others by a go statement.
func (x *Exec) Go(name string, f func()) { x.add("Go", newThread{name: name, f: f}) }

// Daemon adds a thread that need not end: when all others have ended and no
// daemon can go on, the execution is over. Threads that it starts are daemons, too.
func (x *Exec) Daemon(name string, f func()) {
	x.add("Daemon", newThread{name: name, daemon: true, f: f})
}

func (x *Exec) add(what string, t newThread) {
	if x.started {
		panic("interleave: " + what + " called after the body has returned; a thread starts another by a go statement")
	}
	if t.f == nil {
		panic("interleave: " + what + " of a nil function")
	}
	if t.name == "" {
		t.name = "T" + strconv.Itoa(len(x.made)) // not by fmt, whose pools draw at random, and ask where they are called for that
	}
	x.made = append(x.made, t)
}

// Finally has f called when all threads have ended: to look at what is left, and
// to call Fatalf if it is wrong. It is not called for executions that are broken
// off.
func (x *Exec) Finally(f func()) {
	if x.started {
		panic("interleave: Finally called after the body has returned")
	}
	x.s.finally = append(x.s.finally, f)
}

// Strict has the exploration be red if it ends in doubt.
func (x *Exec) Strict() {
	if x.over || x.started {
		panic("interleave: Strict called after the body has returned")
	}
	x.s.strict = true
}

// OneStep says of which packages the operations are no steps.
func (x *Exec) OneStep(packages ...string) {
	if x.over || x.started {
		panic("interleave: OneStep called after the body has returned")
	}
	for _, path := range packages {
		if place.Explored(path) && x.s.sorry == nil {
			x.s.sorry = fmt.Errorf("%w: OneStep of package %s, which is explored itself: say //interleave:off in its files, before the package clause", ErrRefused, path)
		}
		if !list.Contains(x.s.oneStep, path) {
			x.s.oneStep = append(x.s.oneStep, path)
		}
	}
}

// LateClock lets the clock move at any step: see clock.go.
func (x *Exec) LateClock() {
	if x.over || x.started {
		panic("interleave: LateClock called after the body has returned")
	}
	x.s.late = true
}

// AnyChoice has all be tried that the documentation leaves open: see rules.go.
func (x *Exec) AnyChoice() {
	if x.over || x.started {
		panic("interleave: AnyChoice called after the body has returned")
	}
	x.s.any = true
}

// NoLeaks has this execution be wrong if a thread is left at its end that was started in code
// that is not rewritten.
func (x *Exec) NoLeaks() {
	if x.started {
		panic("interleave: NoLeaks called after the body has returned")
	}
	x.s.leaks = true
}

// Fatalf says that this execution is wrong, and ends it. Called by the body, a
// thread or a function given to Finally.
func (x *Exec) Fatalf(format string, args ...any) {
	x.Errorf(format, args...)
	panic(giveUp{})
}

// Errorf says that this execution is wrong. The thread goes on to its next
// operation, and there the execution ends.
func (x *Exec) Errorf(format string, args ...any) {
	name := "the body"
	if x.over {
		name = "Finally"
	} else if r := x.s.running; r != nil {
		name = r.name
	}
	x.s.fail(&Failure{Kind: Assertion, Thread: name, Message: fmt.Sprintf(format, args...)})
}

// Steps returns how many operations the calling thread has carried out, 0 outside
// of a thread.
func (x *Exec) Steps() int {
	if r := x.s.running; r != nil {
		return int(r.Count)
	}
	return 0
}

// Here returns the number of the calling thread, and how many operations it has carried out, -1 and 0 outside of a thread.
func (x *Exec) Here() (thread, steps int) {
	if r := x.s.running; r != nil {
		return r.ID, int(r.Count)
	}
	return -1, 0
}

// Stopped reports whether a fatal error has ended a thread, by its number.
func (x *Exec) Stopped(thread int) bool {
	t := x.s.byID[thread]
	return t != nil && t.stopped
}

// Positions returns where in the execution, counted from 0, the operations of the
// i-th thread that the body made are. For a function given to Finally.
func (x *Exec) Positions(i int) []int {
	var at []int
	id := x.s.idOf(-1, i)
	for n := range x.s.Events {
		if int(x.s.Events[n].Thread) == id {
			at = append(at, n)
		}
	}
	return at
}

// Before reports whether event a happens before event b, or is it, by the order of the
// class, and whether that order was kept.
func (x *Exec) Before(a, b int) (before, known bool) {
	if !x.s.Clocked {
		return false, false
	}
	return x.s.Execution.Before(int32(a), int32(b)), true
}

// Helper and FailNow make an Exec fit for assertion libraries.
func (x *Exec) Helper() {}

// FailNow ends the execution, as wrong.
func (x *Exec) FailNow() { x.Fatalf("FailNow was called") }
