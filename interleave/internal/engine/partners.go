//go:build spindle_runtime

package engine

import (
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// Threads that wait for a partner at a channel, and goroutines outside that might be one.

//go:linkname spindleOthers runtime.spindleOthers
func spindleOthers(starts *[64]uintptr) int

// strange notes that a goroutine outside has used a channel.
func (s *scheduler) strange(c unsafe.Pointer) {
	s.house.talk.foreign(c)
	s.unseen, s.unordered = true, true
	s.doubts.Add(certificate.NotSeen, "what goroutines outside do with a channel, or a lock", "")
}

// waitsForPartner has t wait until another thread is its partner.
func (s *scheduler) waitsForPartner(t *thread) {
	t.seat.waits = t.seat.at.g
	t.op.drain, t.op.ready, t.op.arg = false, never, nil
	s.waits |= t.Bit()
}

func never(unsafe.Pointer) bool { return false }

// rouse has threads come to their next operation that have found their partner.
func (s *scheduler) rouse() {
	k := &s.house.talk
	for len(k.woken) > 0 {
		t := s.byID[k.woken[0]]
		k.woken = k.woken[1:]
		if t.seat.waits == nil || !spindleCanRun(t.seat.waits) {
			s.unseen, s.unordered = true, true
			s.doubts.Add(certificate.NotSeen, "what goroutines outside do with a channel, or a lock", "")
			continue
		}
		before, from := s.running, s.here()
		t.seat.waits, t.seat.partner = nil, false
		t.fresh, t.seat.roused, t.seat.spawner = true, true, from
		s.running = t
		s.hands(from, t.seat.at)
		s.running = before
	}
}

// hasBeenRoused reports, once, whether t comes to its next operation since it has found a partner.
func (t *thread) hasBeenRoused() bool {
	was := t.seat.roused
	t.seat.roused = false
	return was
}

// mayBeKnown reports whether goroutines outside may have one of these channels: not if all have been made in this execution, and none of those goroutines has met a
// thread.
func (s *scheduler) mayBeKnown(on *object.Channels) bool {
	return s.unseen || list.ContainsFunc(on.Cases, func(k object.Case) bool { return k.Chan >= 0 && s.house.talk.names[k.Chan].by == nil })
}

// strangersTalk is called where nobody can go on. If threads wait for partners at channels, or at what code that is not explored has declared, and there are goroutines
// outside that could let them go on, it is not known whether that is a deadlock: it reports whether one of the threads can go on after all.
func (s *scheduler) strangersTalk() bool {
	var waiting []*thread
	for _, t := range s.threads {
		if t.loop.Held && s.live.Has(t.ID) {
			return false // it can be let go
		}
		at := t.seat.partner && t.seat.waits != nil && s.mayBeKnown(t.seat.on) || t.Next.Waits && t.Next.Site >= place.First && t.Next.Site < place.Time
		if at && t.Owner == nil && s.live.Has(t.ID) && t.Next.Kind != object.Sleep && t.Next.Kind != object.Wake {
			waiting = append(waiting, t)
		}
	}
	if waiting == nil || s.sorry != nil {
		return false
	}
	before := spindleMark(0) // to sleep
	defer func() { spindleMark(before) }()
	name := ""
	for begin := time.Now(); time.Since(begin) < Stuck/10; time.Sleep(20 * time.Microsecond) {
		var starts [64]uintptr
		all := starts[:spindleOthers(&starts)] // and then it is looked what they have done
		other := list.IndexFunc(all, place.OfProgram)
		for _, t := range waiting {
			if t.seat.partner && t.seat.waits != nil {
				if !spindleCanRun(t.seat.waits) {
					continue
				}
				t.seat.partner = false
				t.op.ready, t.op.arg = canRun, unsafe.Pointer(t)
			} else if !t.op.ready(t.op.arg) {
				continue
			}
			s.unseen, s.unordered = true, true
			s.doubts.Add(certificate.NotSeen, "what goroutines outside do with a channel, or a lock", "")
			return true
		}
		if other < 0 {
			return false
		}
		name = runtime.FuncForPC(all[other]).Name()
	}
	s.sorry = fmt.Errorf("%w: nobody can go on, and it is not known whether that is a deadlock: %s, and goroutine %s outside might let it go on\n%s", ErrRefused, isWaiting(waiting), name, waiters())
	return false
}
