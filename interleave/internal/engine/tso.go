package engine

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/race"
)

// Total store order.
//
// With Options.TSO, a store that says so (StoreRelease of the drop-ins) goes
// into a buffer of its thread, and from there to memory at any later time, in
// order. Its thread sees it at once, the others when it has left the buffer. All
// other operations that write wait until the buffer of their thread is empty, as
// those of an x86 processor do: an ordinary Store of sync/atomic is an exchange.
//
// What empties a buffer is a thread of its own, without a coroutine: the
// strategy chooses it like any other, and the step is taken on the spot.

// buffered is a store in a buffer.
type buffered struct {
	addr  unsafe.Pointer
	loc   int32
	value uint64
	site  Site
	apply func() (old uint64)
	clock order.Clock // what happens before it
	past  int32       // the last event of that
	plain race.Past   // what is ordered before it
}

// Buffer is a store by the running thread of value at addr that may stay in a
// buffer: it announces it and carries it out, by calling apply now or later, which
// returns what was at addr.
func Buffer(addr unsafe.Pointer, site Site, value uint64, apply func() (old uint64)) {
	s := current
	if !s.tso {
		Begin(addr, object.Store, site)
		End(apply(), value, true)
		return
	}
	begin(nil, object.Store, site, nil, nil)
	t := s.running
	loc, _ := s.Locate(addr)
	end(0, value, false, false)
	f := s.flusher(t)
	t.buffer = append(t.buffer, buffered{addr, loc, value, site, apply, t.Clock, t.Past, *s.races.Now(t.ID)})
	s.races.Next(t.ID)
	s.showNext(f)
}

// Forward returns what the running thread's buffer holds for addr.
func Forward(addr unsafe.Pointer) (value uint64, ok bool) {
	t := current.running
	for i := len(t.buffer) - 1; i >= 0; i-- {
		if t.buffer[i].addr == addr {
			current.op.Own = true
			return t.buffer[i].value, true
		}
	}
	return 0, false
}

// stores reports whether t's buffer holds a store to an object.
func (t *thread) stores(loc int32) bool {
	return list.ContainsFunc(t.buffer, func(b buffered) bool { return b.loc == loc })
}

// Buffering reports whether stores may be buffered: whether Forward is to be
// asked.
var Buffering bool

// FenceNow is an operation that waits until the running thread's buffer is empty.
func FenceNow(site Site) {
	Begin(nil, object.Fence, site)
	End(0, 0, false)
}

// flusher returns the thread that empties t's buffer.
func (s *scheduler) flusher(t *thread) *thread {
	if t.Buffer != nil {
		return s.byID[t.Buffer.ID]
	}
	f := &thread{name: "buffer of " + t.name, daemon: true, done: true}
	f.ID, f.Parent, f.Nth, f.Owner = s.idOf(t.ID, -1), t.ID, -1, &t.Thread
	s.Start(&f.Thread)
	s.byID[f.ID] = f
	s.daemons |= f.Bit()
	s.threads = append(s.threads, f)
	t.Buffer = &f.Thread
	return f
}

// showNext announces what f will do next.
func (s *scheduler) showNext(f *thread) {
	b := s.byID[f.Owner.ID].buffer
	f.done = len(b) == 0
	s.live &^= f.Bit()
	if !f.done {
		s.live |= f.Bit()
		f.Next = order.Next{Kind: object.Store, Write: true, Site: b[0].site, Loc: b[0].loc}
	}
}

// flush takes the step of f.
func (s *scheduler) flush(f *thread) {
	t := s.byID[f.Owner.ID]
	b := t.buffer[0]
	t.buffer = t.buffer[1:]
	s.Follow(&f.Thread, &b.clock, b.past)
	old := b.apply()
	*s.races.Now(f.ID) = b.plain
	s.record(f, old, b.value, true, false)
	s.showNext(f)
}

// drained makes what t does next come after what left its buffer.
func (s *scheduler) drained(t *thread) {
	if t.Buffer != nil {
		s.Follow(&t.Thread, &t.Buffer.Clock, t.Buffer.Past)
	}
}
