//go:build spindle_runtime

package engine

import (
	"fmt"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// Threads that wait at something that is the runtime's, in code that is not explored.

// parked notes that the running thread waits at something that is the runtime's, in code that is not explored. It returns who goes on.
func (s *scheduler) parked(g unsafe.Pointer) *fiber {
	s.drain()
	t := s.running
	t.seat.at.g = g
	t.seat.roused = false
	if t.seat.partner {
		s.waitsForPartner(t)
	} else if s.waitsUnseen(t); s.reduces() { // it cannot tell what comes before what
		return s.abandon()
	}
	to := t.seat.spawner
	t.seat.spawner = nil
	s.running = nil
	switch {
	case to != nil:
		t.fresh = false
		return to
	case t.fresh:
		t.fresh = false
		s.startNext()
	default:
		s.turn = s.choose()
	}
	if s.turn != nil {
		return s.chosen(s.turn)
	}
	return &s.house.base
}

// waitsUnseen has t announce that it waits at something that is the runtime's.
func (s *scheduler) waitsUnseen(t *thread) {
	t.seat.waits = t.seat.at.g
	n := &t.Next
	n.Kind, n.Write, n.Waits, n.Site, n.Loc = object.Resume, false, true, 0, -1
	t.op.drain, t.op.ready, t.op.arg = false, canRun, unsafe.Pointer(t)
	s.waits |= t.Bit()
	s.unseen, s.unordered = true, true
	s.doubts.Add(certificate.NotSeen, "what thread "+t.name+" waits for", "")
}

// canRun reports whether a thread can go on that waits at something that is the runtime's.
func canRun(t unsafe.Pointer) bool { return spindleCanRun((*thread)(t).seat.waits) }

// waiting returns those of the threads that wait at something that is the runtime's.
func (s *scheduler) waiting(threads []*thread) (all []*thread) {
	for _, t := range threads {
		if t.Owner == nil && s.live.Has(t.ID) && t.seat.waits != nil && !t.seat.partner {
			all = append(all, t)
		}
	}
	return all
}

// comes waits until one of these threads can go on, of those that wait at something that is the runtime's. It reports false if there is none,
// or if none can for some time: then it is not known whether one ever could.
func (s *scheduler) comes(threads ...*thread) bool {
	all := s.waiting(threads)
	if all == nil {
		return false
	}
	before := spindleMark(0) // to sleep
	defer func() { spindleMark(before) }()
	for begin := time.Now(); time.Since(begin) < Stuck/10; time.Sleep(20 * time.Microsecond) {
		for _, t := range all {
			if canRun(unsafe.Pointer(t)) {
				return true
			}
		}
	}
	return false
}

// awaits waits until a thread can go on, where nobody can.
func (s *scheduler) awaits() bool {
	if s.strangersTalk() || s.comes(s.threads...) {
		return true
	}
	if all := s.waiting(s.threads); all != nil {
		s.sorry = fmt.Errorf("%w: nobody can go on, and it is not known whether that is a deadlock: %s in code that is not explored\n%s", ErrRefused, isWaiting(all), waiters())
	}
	return false
}

func isWaiting(threads []*thread) string {
	var names []string
	for _, t := range threads {
		names = append(names, t.name)
	}
	if len(names) == 1 {
		return "thread " + names[0] + " waits"
	}
	return "threads " + strings.Join(names, ", ") + " wait"
}

// waiters returns the stacks of threads that wait at something that is the runtime's.
func waiters() string {
	buf := make([]byte, 1<<20)
	var all []string
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if first, _, _ := strings.Cut(g, "\n"); sits(g) && !strings.Contains(first, "running") {
			all = append(all, g)
		}
	}
	return strings.Join(all, "\n\n")
}
