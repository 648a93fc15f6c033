package engine

import (
	"fmt"
	"runtime"
	"time"
)

// The body and the functions given to Finally run outside of any thread: the drop-ins
// behave as the originals. Nobody else runs then, so that an operation that would wait
// waits for ever. That is found at once, and not by the clock. A loop that goes round for
// ever is found by the clock: to count the operations here would cost those that must be
// inlined too much. It is broken off at its next operation, as if it were a thread's.

// How far the body or a function given to Finally has come, for the watchdog.
const (
	within   = 1 + iota // it runs
	breaking            // the watchdog makes it end
	broken              // and it is to end at its next operation
)

// breakOff makes the body, or a function given to Finally, end at its next operation, and
// says that it had no end. It does nothing if neither runs.
func (s *scheduler) breakOff(after time.Duration) {
	if s.aside.CompareAndSwap(within, breaking) {
		s.fail(&Failure{Kind: StepBound, outside: true, Thread: outsideOf, Message: fmt.Sprintf("no end after %v in %s", after.Round(100*time.Millisecond), outsideOf)})
		s.unwinding = true
		controlled = true
		s.aside.Store(broken)
		breaks(true)
	}
}

// endOutside ends what runs outside of any thread, if it is to be broken off.
func (s *scheduler) endOutside() {
	if s.running == nil && s.aside.Load() == broken {
		panic(giveUp{})
	}
}

// leaveOutside is called when the body or a function given to Finally has ended.
func (s *scheduler) leaveOutside() {
	s.leaving = true
	defer func() { s.leaving = false }()
	if s.aside.CompareAndSwap(within, 0) {
		return
	}
	for s.aside.Load() == breaking {
		runtime.Gosched()
	}
	breaks(false)
	controlled, s.unwinding = false, false
	s.aside.Store(0)
}

var (
	watched   bool   // the body runs, or a function given to Finally
	outsideOf string // where
)

// WaitsOutside is called where an operation outside of a thread would wait for somebody:
// if an exploration is under way, it ends here. It returns where goroutines run beside, which may
// give what is waited for.
func WaitsOutside(what string) {
	s := current
	if !Outside() || s.accompanied() {
		return
	}
	watched = false
	if s.x.spawned && !s.x.over {
		if s.sorry == nil {
			s.sorry = fmt.Errorf("%w: the body waits for %s, and has started goroutines: these are threads, which begin when the body has returned. Wait in a thread, or look in Finally", ErrRefused, what)
		}
		panic(sentinel{})
	}
	s.fail(&Failure{Kind: Deadlock, Thread: outsideOf, Message: "nobody can go on: " + outsideOf + " waits for " + what + ", with no thread at work"})
	panic(giveUp{})
}

// Outside reports whether the caller is the body, or a function given to Finally.
func Outside() bool { return watched && insider() }
