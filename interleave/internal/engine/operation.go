package engine

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
)

func begin(addr unsafe.Pointer, k object.Kind, site Site, ready func(unsafe.Pointer) bool, arg unsafe.Pointer) {
	s := current
	t := s.running
	s.drain()
	t.engaged = true
	if s.unwinding {
		s.endThread(t)
	}
	o, n := &t.op, &t.Next
	t.with, s.with = s.with, given{}
	if at := place.Find(site); at != nil && at.Explored && !at.Named {
		at.Name(k)
	}
	if invisible(site) {
		s.mute(t, addr, ready, arg, k, site)
		forget()
		t.engaged = false
		inside(true)
		return
	}
	// Field by field: a literal would be made elsewhere and copied, which takes
	// five times as long.
	n.Kind, n.Write, n.Waits, n.Site, n.Loc = k, k.MayWrite(), ready != nil, site, -1
	o.drain, o.ready, o.arg = false, ready, arg
	if addr != nil {
		var fresh bool
		n.Loc, fresh = s.Locate(addr)
		if fresh && k.Queues() && Peek != nil {
			s.Objects[n.Loc].First = Peek(addr, k)
		}
	}
	if s.tso && k.Drains() && !(k == object.Store && addr == nil) {
		o.drain = true
	}
	if ready != nil || o.drain {
		s.waits |= t.Bit()
	} else {
		s.waits &^= t.Bit()
	}
	if s.frozen != nil {
		s.freeze(t)
	}
	s.visits(t)
	if t.fresh {
		t.fresh = false
		if t.Parent >= 0 || t.hasBeenRoused() {
			s.entered(t)
			s.running = t
		} else {
			s.startNext()
			s.pass(t)
		}
	} else {
		if t.loop.Pending != rounds.None {
			s.hold(t, t.loop.Pending)
		} else if t.repetition.Period != 0 {
			s.holdBack(t)
		}
		if int(t.Count)-t.loop.Spent >= s.bound && !t.loop.Held {
			s.hold(t, rounds.Exhausted)
		}
		if s.turn = s.choose(); s.turn != t {
			s.pass(t)
		}
	}
	if s.unwinding {
		s.endThread(t)
	}
	if o.drain {
		s.drained(t)
	}
	forget()
	t.engaged = false
	inside(true)
}
