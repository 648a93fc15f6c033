//go:build !spindle_runtime

package engine

import (
	"iter"
	"strings"

	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/order"
	_ "github.com/spindle-go/spindle/interleave/internal/slots" // a module that uses this one needs the sums of what its second binary imports
)

// How threads take turns where the runtime is as it is: each sits in a coroutine.
//
// A switch of coroutines costs 30 ns, or 80 where the processor did not see it
// coming: more than all else in a step. So as few as can be are made. A coroutine can only be resumed, by anybody, and yield
// to who resumed it. So those that are active form a chain: each has resumed the
// next and waits for it, and the last is running. A thread that is not active is
// resumed by the one that is running, directly; where one is chosen that is
// further down the chain, those above it yield. Between two threads a change is
// one switch. At the bottom of the chain is the coroutine that explores, and the
// first thread does without one of its own: it runs on that.

// A coroutine calls a function, again each time it is resumed.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	run   func()
	left  bool // runtime.Goexit ends what it runs, and so its goroutine: it cannot be used again
}

func newCoroutine(run func()) *coroutine {
	c := &coroutine{run: run}
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		for {
			c.run()
			if !yield(struct{}{}) {
				return
			}
		}
	})
	return c
}

// resume runs c until it yields. One that is left is ended by another goroutine, since stop hands the Goexit on to who calls it.
func (c *coroutine) resume() {
	c.next()
	if c.left {
		go c.stop()
	}
}

// A seat is where a thread runs.
type seat struct {
	co     *coroutine
	active bool // it runs, or waits for one that it has resumed
}

// A house is what all seats of an exploration have in common.
type house struct {
	host *coroutine // which explores, and runs the first thread
}

// Hosted reports whether threads are goroutines.
const Hosted = false

// Controlled reports whether the caller is a thread of an exploration. Outside
// of one the drop-ins behave as the originals.
func Controlled() bool { return controlled } // nobody knows who calls it

func (s *scheduler) visits(*thread) {}

// Of memory that programs reach nothing is known.
func (s *scheduler) remembers()               {}
func (s *scheduler) remembersOtherwise() bool { return false }

func (s *scheduler) wipes() {}

func quietly(bool) {}

func rests() {}

// SleepFor is of the clock of an exploration: there is none.
func SleepFor(int64) {}

// Operates is Controlled, of an operation on a word.
func Operates(unsafe.Pointer) bool { return controlled }

// insider reports whether the caller is a goroutine of the exploration: nobody knows.
func insider() bool { return true }

// begins has the body of a test run, or a function given to Finally.
func begins() (ends func()) { return func() {} }

// spawnOutside has f be a thread, if the body calls it: it may not.
func (s *scheduler) spawnOutside(Site, func()) bool { return false }

// onlyThreads waits for goroutines that run beside the body: none does.
func (s *scheduler) onlyThreads() {}

// adopt makes threads of goroutines that the body has started: it cannot.
func (s *scheduler) adopt() {}

// waiters returns the stacks of threads that wait in code that is not seen: none does.
func waiters() string { return "" }

// accompanied reports whether goroutines are known that run beside the body: none is.
func (s *scheduler) accompanied() bool { return false }

// rouse has threads go on that have a partner at a channel: none waits for one.
func (s *scheduler) rouse() {}

func (s *scheduler) forgetChannels() {}

// breaks has the body end at its next operation: the drop-ins do so.
func breaks(bool) {}

// There is no clock.
func (s *scheduler) resetClock() {}
func (s *scheduler) winds()      {}
func (s *scheduler) timely(enabled order.ThreadSet, _ bool) order.ThreadSet {
	return enabled
}

// alone says why a thread that waits at a channel has no partner: none does.
func (s *scheduler) alone(*thread) string { return "" }

// waitsAt says which channel a thread waits at: none does.
func (s *scheduler) waitsAt(*thread) string { return "" }

// inside says that what follows is an operation of a drop-in, or that it is over.
func inside(bool) {}

func (t *thread) hasBeenRoused() bool { return false }

// Seen reports whether plain accesses are reported.
const Seen = false

func (s *scheduler) putState()     {}
func (s *scheduler) drain()        {}
func forget()                      {}
func spindleDeepIs(bool)           {}
func takesOver() (running *thread) { return nil }
func handsBack(*thread)            {}

// calledFrom notes who explores: it may be any goroutine.
func (s *scheduler) calledFrom() {}

// comes waits for threads that wait in code that is not seen: none can.
func (s *scheduler) comes(...*thread) bool { return false }

// Here is the site of code that is explored as it is: none is.
func Here() Site { return 0 }

// awaits waits until a thread can go on, where nobody can: none does.
func (s *scheduler) awaits() bool { return false }

// enter runs t, which has just been made, to its first operation.
func (s *scheduler) enter(t *thread) {
	t.seat.active = false
	if len(s.threads) > 1 {
		if t.seat.co == nil {
			t.seat.co = newCoroutine(t.main)
		}
		s.resume(t)
		return
	}
	t.seat.co = s.house.host
	s.running, t.seat.active = t, true
	t.main()
}

// entered goes back to the thread that has started t.
func (s *scheduler) entered(t *thread) { t.seat.co.yield(struct{}{}) }

// pass waits until it is t's turn, which is called by t, or until t is to end.
func (s *scheduler) pass(t *thread) {
	for s.turn != t {
		switch next := s.turn; {
		case next != nil && !next.seat.active:
			s.resume(next)
		case next == nil && t.seat.co == s.house.host:
			s.beginUnwinding()
			return
		default:
			t.seat.co.yield(struct{}{})
			if s.unwinding {
				return
			}
		}
	}
	s.running = t
}

// resume runs t until somebody is to go on who is not above t in the chain.
func (s *scheduler) resume(t *thread) {
	s.running = t
	t.seat.active = true
	t.seat.co.resume()
	t.seat.active = false
}

// plays has threads take turns until nobody can go on.
func (s *scheduler) plays() {
	for s.turn != nil {
		s.resume(s.turn)
	}
}

// endThread makes t end: by a panic, and where that was recovered too often, by
// never resuming it.
func (s *scheduler) endThread(t *thread) {
	s.endOutside()
	t.panics++
	if t.panics > 1000 {
		t.lost = true
		s.lost++
		for {
			t.seat.co.yield(struct{}{})
		}
	}
	panic(sentinel{})
}

// quit ends the caller, and the execution with it, by a panic.
func (s *scheduler) quit(why any) { panic(why) }

// unwind ends the threads that have not ended.
func (s *scheduler) unwind() {
	s.beginUnwinding()
	for _, t := range s.threads {
		for n := 0; t.Owner == nil && !t.done && !t.lost && n < 2; n++ {
			s.running = t
			t.seat.co.resume()
		}
		if t.lost {
			s.byID[t.ID] = nil // with its coroutine
		}
	}
	s.unwinding = false
}

// leave is the end of the coroutine of t, which runtime.Goexit has ended, after the deferred calls of the program. A test that ends itself so
// takes the exploration with it.
func (t *thread) leave() {
	s, co := current, t.seat.co
	if s.left == nil && ofTest() {
		s.left = t
	}
	if s.left != nil {
		return
	}
	for co == s.house.host && s.turn != nil { // at the bottom of the chain
		s.resume(s.turn)
	}
	t.seat.co = nil
	co.left = true
	co.yield(struct{}{}) // until it is stopped
}

// explores runs executions until there is no other.
func (s *scheduler) explores() {
	for s.ended = false; !s.ended; {
		if s.house.host == nil {
			s.house.host = newCoroutine(s.loop)
		}
		s.house.host.resume()
		if !s.ended {
			// The first thread could not be ended, or has ended by runtime.Goexit, and has kept the coroutine.
			s.house.host = nil
			s.finish()
			s.ended = !s.goesOn()
		}
	}
}

// close ends the coroutines that are not in use.
func (s *scheduler) close() {
	if s.house.host != nil {
		s.house.host.stop()
	}
	for _, t := range s.byID {
		if t != nil && t.seat.co != nil {
			t.seat.co.stop()
		}
	}
}

// sits reports whether a goroutine, as runtime.Stack prints it, is a thread's, and is not waiting for its turn.
func sits(stack string) bool {
	first, _, _ := strings.Cut(stack, "\n")
	return strings.Contains(stack, "engine.(*thread).main") && strings.Contains(stack, "iter.Pull") && !strings.Contains(first, "coroutine")
}
