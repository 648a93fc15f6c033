//go:build spindle_runtime

package engine

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// How threads take turns in the runtime of package goroot: each is a goroutine that
// hands over to the next. The goroutine that explores runs the body and the functions
// given to Finally, and what is between executions. A thread that cannot go on when an
// execution is over is never resumed: its goroutine begins anew in the next one, without
// unwinding, so that no recover and no deferred call sees it.

// A fiber is where the goroutine is that goes on when somebody hands over to it. Its
// layout is the runtime's.
type fiber struct{ g unsafe.Pointer }

//go:linkname spindleInstall runtime.spindleInstall
func spindleInstall(spawn func(f func()) bool, end func(message string), threads func() int)

//go:linkname spindleNew runtime.spindleNew
func spindleNew(f func()) *fiber

//go:linkname spindleMark runtime.spindleMark
func spindleMark(on bool)

//go:linkname spindleMarked runtime.spindleMarked
func spindleMarked() bool

//go:linkname spindleSwitch runtime.spindleSwitch
func spindleSwitch(from, to *fiber) bool

//go:linkname spindleExit runtime.spindleExit
func spindleExit(to *fiber)

//go:linkname spindleReset runtime.spindleReset
func spindleReset(f *fiber, run func())

// Hosted reports whether threads are goroutines.
const Hosted = true

func init() {
	spindleInstall(spawnUnseen, func(message string) {
		if controlled {
			current.fatal(message)
		}
	}, func() int {
		if controlled {
			return current.live.Size()
		}
		return 0
	})
}

// A seat is where a thread runs.
type seat struct {
	at      *fiber // nil: it has no goroutine
	idle    bool   // its goroutine is about to begin
	spawner *fiber // waits for its first operation
	begin   func()
}

// A house is what all seats of an exploration have in common.
type house struct {
	base fiber // the goroutine that explores
}

// mine reports whether the caller is a thread.
func mine() bool { return spindleMarked() }

// begins has the body of a test run: goroutines that it starts are threads.
func begins() (ends func()) {
	spindleMark(true)
	return func() { spindleMark(false) }
}

// here returns the fiber of the caller.
func (s *scheduler) here() *fiber {
	if s.running == nil {
		return &s.house.base
	}
	return s.running.seat.at
}

// next returns the fiber that goes on when t, or its goroutine, does not any more.
func (s *scheduler) next(t *thread) *fiber {
	switch {
	case t.seat.spawner != nil: // it has ended without an operation
		return t.seat.spawner
	case s.turn != nil:
		return s.turn.seat.at
	}
	return &s.house.base
}

// hands over from one to another.
func (s *scheduler) hands(from, to *fiber) {
	for !spindleSwitch(from, to) { // the caller has called LockOSThread
		if s.sorry == nil && s.running != nil {
			s.sorry = fmt.Errorf("%w: thread %s has called runtime.LockOSThread\n%s", ErrRefused, s.running.name, stack())
		}
		runtime.UnlockOSThread()
	}
}

// enter runs t, which has just been made, to its first operation.
func (s *scheduler) enter(t *thread) {
	from := s.here()
	t.seat.spawner = nil
	if t.Parent >= 0 {
		t.seat.spawner = from
	}
	if t.seat.at == nil {
		t.seat.begin = t.plays
		t.seat.at = spindleNew(t.seat.begin)
	}
	t.seat.idle = false
	s.running = t
	s.hands(from, t.seat.at)
}

// plays is what the goroutine of t runs, again for each execution.
func (t *thread) plays() {
	for {
		t.main()
		t.seat.idle = true
		s := current
		s.hands(t.seat.at, s.next(t))
	}
}

// entered goes back to the thread that has started t.
func (s *scheduler) entered(t *thread) {
	to := t.seat.spawner
	t.seat.spawner = nil
	s.hands(t.seat.at, to)
}

// pass waits until it is t's turn, which is called by t. It does not return if the execution is over.
func (s *scheduler) pass(t *thread) {
	for s.turn != t {
		s.hands(t.seat.at, s.next(t))
	}
	s.running = t
}

// plays has threads take turns until nobody can go on.
func (s *scheduler) plays() {
	for s.turn != nil {
		s.running = s.turn
		s.hands(&s.house.base, s.turn.seat.at)
		s.running = nil
		if s.left != nil {
			runtime.Goexit()
		}
	}
	if s.left != nil {
		runtime.Goexit()
	}
}

// endThread ends what runs outside of any thread, if it is to be broken off.
func (s *scheduler) endThread(*thread) { s.endOutside() }

// quit ends the caller, and the execution with it. It does not return.
func (s *scheduler) quit(why any) {
	t := s.running
	if !controlled || t == nil {
		panic(why)
	}
	t.ended()
	for {
		s.hands(t.seat.at, s.next(t))
	}
}

// unwind has the goroutines of threads that have not ended begin anew.
func (s *scheduler) unwind() {
	s.beginUnwinding()
	for _, t := range s.threads {
		if t.Owner == nil && t.seat.at != nil && !t.seat.idle {
			spindleReset(t.seat.at, t.seat.begin)
			t.seat.idle = true
		}
	}
	s.unwinding = false
}

// leave is the end of the goroutine of t by runtime.Goexit, after the deferred calls of
// the program. A test that ends itself so takes the exploration with it.
func (t *thread) leave() {
	s := current
	to := s.next(t)
	if s.left == nil && ofTest() {
		s.left = t
		to = &s.house.base
	}
	t.seat.at = nil
	spindleExit(to)
}

// explores runs executions until there is no other.
func (s *scheduler) explores() {
	s.ended = false
	s.loop()
}

// close ends the goroutines of threads.
func (s *scheduler) close() {
	for _, t := range s.byID {
		if t != nil && t.seat.at != nil {
			spindleReset(t.seat.at, func() { spindleExit(&s.house.base) })
			s.hands(&s.house.base, t.seat.at)
			t.seat.at = nil
		}
	}
}

// sits reports whether a goroutine, as runtime.Stack prints it, is a thread's, and is not waiting for its turn.
func sits(stack string) bool {
	first, _, _ := strings.Cut(stack, "\n")
	return strings.Contains(stack, "engine.(*thread).main") && !strings.Contains(first, "coroutine")
}

// spawnUnseen is called by a go statement in code that is not rewritten. It reports whether f is a thread's.
func spawnUnseen(f func()) bool {
	s := current
	if !controlled || s == nil || s.unwinding || s.running == nil {
		return false
	}
	spawn(0, f)
	return true
}
