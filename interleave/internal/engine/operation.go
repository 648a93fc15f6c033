package engine

import "unsafe"

func begin(addr unsafe.Pointer, k Kind, site Site, ready func(unsafe.Pointer) bool, arg unsafe.Pointer) {
	s := current
	t := s.running
	if s.unwinding {
		s.endThread(t)
	}
	o := &t.op
	if invisible(site) {
		s.mute(t, addr, ready, arg, k, site)
		return
	}
	// Field by field: a literal would be made elsewhere and copied, which takes
	// five times as long.
	o.kind, o.write, o.drain, o.site, o.loc, o.ready, o.arg = k, mayWrite[k], false, site, -1, ready, arg
	if addr != nil {
		known := len(s.locs)
		o.loc = s.locate(addr)
		if known < len(s.locs) && k.lock() && Peek != nil {
			l := &s.locs[known]
			l.held, l.readers, l.count = Peek(addr, k)
		}
	}
	if s.tso && k.drains() && !(k == Store && addr == nil) {
		o.drain = true
	}
	if ready != nil || o.drain {
		s.waits |= t.bit()
	} else {
		s.waits &^= t.bit()
	}
	if s.frozen != nil {
		s.freeze(t)
	}
	if t.fresh {
		t.fresh = false
		if t.parent >= 0 {
			t.co.yield(struct{}{}) // to start, called by the parent
			s.running = t
		} else {
			s.startNext()
			s.pass(t)
		}
	} else {
		if t.loop.pending != goesOn {
			s.hold(t, t.loop.pending)
		} else if t.repetition.repeat != 0 {
			s.holdBack(t)
		}
		if int(t.count)-t.loop.spent >= s.maxSteps && !t.loop.held {
			s.hold(t, exhausted)
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
}
