package harness

import (
	"context"
	"time"
	"unsafe"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/settings"
)

// A Step is an operation that a thread has carried out, with the values that it read and
// wrote.
type Step struct {
	// Thread is its number, the same in all executions: from 0, in the order in which the
	// body added threads, if these start no others.
	Thread  int
	Kind    string // the function or method: "Load", "CompareAndSwap", "Lock", "RUnlock", "Wait"
	Object  int    // what it was on, numbered in the order of first use in the execution; -1 for nothing
	Site    Site
	Read    uint64 // the value before, as its bits
	Wrote   uint64 // the value after, as its bits
	Changed bool   // it may have changed the object; a CompareAndSwap that fails has not
	Pointer bool   // Read and Wrote are names of pointers: 1, 2, ... in the order of appearance, 0 for nil
}

// A Site is a place in the source that makes an operation, 0 if it is not known: in code
// that is not instrumented. It means the same in all executions of a process, and nothing in
// another process.
type Site uint32

// A Place says what a site is.
type Place struct {
	File   string // as the compiler names it: an absolute path
	Line   int    // from 1
	Func   string // "(*P).Get"
	Expr   string // the object as the source has it, "p.head"; empty if it has no name
	Action string // the comment at the end of the line, without its slashes
}

// Place returns what a site is, the zero Place if it is not known.
func (s Site) Place() Place {
	p := place.Of(order.Site(s))
	return Place{File: p.File, Line: p.Line, Func: p.Func, Expr: p.Expr, Action: p.Action}
}

// Taken returns the operations that all threads have carried out, in order. It is for a
// function given to Finally, or for a thread that is broken off.
func Taken(x *interleave.Exec) []Step {
	steps := (*engine.Exec)(x).Taken()
	taken := make([]Step, len(steps))
	for i := range steps {
		s := &steps[i]
		taken[i] = Step{s.Thread, s.Kind.String(), s.Object, Site(s.Site), s.Read, s.Wrote, s.Changed, s.Pointer}
	}
	return taken
}

// Object returns the number that Step.Object has of the word or lock at addr, -1 if no thread
// has come to it. It is for a function given to Finally, or for a thread that is broken off.
func Object(x *interleave.Exec, addr unsafe.Pointer) int { return (*engine.Exec)(x).Object(addr) }

// Positions returns where in the execution, counted from 0, the operations of the i-th thread
// that the body added are. It is for a function given to Finally.
func Positions(x *interleave.Exec, i int) []int { return (*engine.Exec)(x).Positions(i) }

// Before reports whether the operation at one position happens before that at another, in
// the order of the class: in every execution that differs from this one by swaps of
// independent operations it comes first. It reports false for known if nobody kept that
// order, as in executions by chance. For a function given to Finally.
func Before(x *interleave.Exec, a, b int) (before, known bool) { return (*engine.Exec)(x).Before(a, b) }

// Count returns how many operations the calling thread has carried out so far, 0 outside of a
// thread. With Positions it says where in the execution a call began and ended.
func Count(x *interleave.Exec) int { return (*engine.Exec)(x).Steps() }

// Here returns the number of the calling thread, as Step has it, and how many operations it has carried out; -1 and 0 outside
// of a thread.
func Here(x *interleave.Exec) (thread, steps int) { return (*engine.Exec)(x).Here() }

// Schedule returns the schedule that replays the execution as far as it has come.
func Schedule(x *interleave.Exec) string { return (*engine.Exec)(x).Schedule() }

// Retries says that a thread which goes round a loop has not done so in vain if it read
// something else than in the round before. It is for those who look at the steps of
// executions, and not only at what they lead to, and takes more executions.
func Retries() interleave.Option { return func(s *settings.Settings) { s.Retries = true } }

// Until ends an exploration when ctx ends: Certificate.Ended is then "caller".
func Until(ctx context.Context) interleave.Option {
	return func(s *settings.Settings) { s.Until = ctx }
}

// Outside bounds how long the body, or a function given to Finally, may run in which nothing
// ends a loop but the clock: it is then a failure of the kind interleave.StepBound. Without it
// that is 10 s.
func Outside(d time.Duration) interleave.Option {
	return func(s *settings.Settings) { s.Outside = d }
}

// Turns chooses by chance: a thread goes on for 1 to 64 steps before another one has its
// turn. interleave.Executions says how many executions there are.
func Turns() interleave.Option { return func(s *settings.Settings) { s.Strategy = engine.Turns } }

// Sleep has a thread sleep by the clock of the exploration: other threads wait for time, too, or it ends at once where nobody can go on.
// Where threads are coroutines there is no clock, and it returns at once.
func Sleep(d time.Duration) { engine.SleepFor(int64(d)) }
