//go:build spindle_runtime

package engine

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
	"github.com/spindle-go/spindle/interleave/internal/unseen"
)

// How threads take turns in the runtime of package goroot: see overlaid.go.

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
		return s.chosen(s.turn)
	}
	return &s.house.base
}

// chosen returns the fiber of t, whose turn it is.
func (s *scheduler) chosen(t *thread) *fiber {
	if t.seat.waits != nil {
		t.seat.waits = nil
		s.running = t
		s.record(t, 0, 0, false, false)
	}
	return t.seat.at
}

// hands over from one to another.
func (s *scheduler) hands(from, to *fiber) {
	for {
		for !spindleSwitch(from, to) { // the caller has called LockOSThread
			if s.sorry == nil && s.running != nil {
				s.sorry = fmt.Errorf("%w: thread %s has called runtime.LockOSThread\n%s", ErrRefused, s.running.name, stack())
			}
			runtime.UnlockOSThread()
		}
		if from != &s.house.base {
			return
		}
		g := spindleTake()
		if g == nil {
			return
		}
		if to = s.parked(g); to == from {
			return
		}
	}
}

// abandon breaks the execution off. It returns who goes on.
func (s *scheduler) abandon() *fiber {
	s.abandoned = true
	s.turn, s.running = nil, nil
	return &s.house.base
}

// enter runs t, which has just been made, to its first operation.
func (s *scheduler) enter(t *thread) {
	from := s.here()
	t.seat.spawner, t.seat.waits, t.seat.stray = nil, nil, nil
	t.seat.partner, t.seat.roused, t.seat.seen = false, false, watch{}
	if st, _ := s.entering.(*stray); st != nil {
		s.entering = nil
		st.thread = t
		t.seat = seat{at: &fiber{st.g}, home: st.g, stray: st}
		t.fresh = false
		s.waitsUnseen(t)
		s.startNext()
		return
	}
	if t.Parent >= 0 {
		t.seat.spawner = from
	}
	if t.seat.at == nil {
		t.seat.begin = t.plays
		t.seat.at = spindleNew(t.seat.begin)
		t.seat.home = t.seat.at.g
	}
	t.seat.idle = false
	s.running = t
	s.hands(from, t.seat.at)
}

// plays is what the goroutine of t runs, again for each execution.
func (t *thread) plays() {
	spindleRoom()
	for {
		current.wipes() // what the execution before has left
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
	for s.turn != nil && s.left == nil {
		s.running = s.turn
		s.hands(&s.house.base, s.chosen(s.turn))
		s.running = nil
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
			t.seat.idle = true
			if t.seat.stray != nil { // the body starts others
				s.dismiss(t.seat.at)
				t.seat.at = nil
				continue
			}
			if t.seat.at.g != t.seat.home {
				s.dismiss(&fiber{t.seat.at.g})
				t.seat.at.g = t.seat.home
			}
			if !spindleReset(t.seat.at, t.seat.begin) {
				t.seat.at = nil
				s.lost++
			}
		}
	}
	s.unwinding = false
}

// dismiss ends a goroutine that waits. One that cannot be taken out of where it waits is lost.
func (s *scheduler) dismiss(f *fiber) {
	if !spindleReset(f, func() { spindleExit(&s.house.base) }) {
		s.lost++
		return
	}
	s.hands(&s.house.base, f)
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
	spindleBaseIs(&s.house.base)
	if s.house.others.around == nil { // it begins
		if digest := spindleUnpinned(); digest != "" {
			s.doubts.Add(certificate.NotSeen, "whether goroutines hand over as on toolchains that are pinned (toolchain not pinned, digest "+digest[:12]+", self-test passed)", "")
		}
		for _, what := range unseen.Values() {
			s.doubts.Add(certificate.NotSeen, what+", which may be called by way of a value", "")
		}
		s.besides()
		s.house.held.Keep()
	}
	s.ended = false
	s.loop()
	s.movers()
}

// calledFrom notes the goroutine that waits for the exploration.
func (s *scheduler) calledFrom() {
	s.house.caller, s.house.cleans = spindleSelf(), rounds.LeftOvers
}

// close ends the goroutines of threads.
func (s *scheduler) close() {
	for _, t := range s.byID {
		if t != nil && t.seat.at != nil {
			s.dismiss(t.seat.at)
			t.seat.at = nil
		}
	}
}

// sits reports whether a goroutine, as runtime.Stack prints it, is a thread's, and is not waiting for its turn.
func sits(stack string) bool {
	first, _, _ := strings.Cut(stack, "\n")
	return strings.Contains(stack, "engine.(*thread).main") && !strings.Contains(first, "coroutine")
}
