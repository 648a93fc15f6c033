package engine

import (
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

func end(read, wrote uint64, changed, pointer bool) {
	s := current
	if s.muted {
		s.unmute(read, wrote, changed)
		return
	}
	s.record(s.running, read, wrote, changed, pointer)
}

// record adds the operation that t has announced to the events, and tells all who
// follow what threads do.
func (s *scheduler) record(t *thread, read, wrote uint64, changed, pointer bool) {
	var old order.Event
	at := len(s.Events)
	if at < s.known {
		old = s.Events[:at+1][at] // of the execution before
	}
	i := s.Add(&t.Thread, object.Op{Read: read, Wrote: wrote, Pointer: pointer, Expected: s.expected, Compares: s.compares, Own: s.forwarded}, changed)
	s.compares, s.forwarded = false, false
	ev := &s.Events[i]
	if at < s.known && differs(&old, ev) {
		s.unsteady(at, old, *ev)
	}
	if s.pcs != nil {
		s.pcs = append(s.pcs, callerOf(ev.Site))
	}
	if changed && (read != wrote || ev.Kind.Queues()) {
		s.changed = true
	}
	s.chain(i, ev.Loc)
	if len(t.loop.stack) == 0 && !s.coda.toEnd {
		s.coda.moved = true
	}
	if !marked(ev.Site) {
		t.repetition.note(ev, s.looks)
	}
	if PlainAccesses {
		s.orderPlain(t, ev)
	}
}

// differs reports whether two runs of one schedule did different things.
func differs(a, b *order.Event) bool {
	if a.Thread != b.Thread || a.Kind != b.Kind || a.Loc != b.Loc || a.Site != b.Site || a.Write != b.Write {
		return true
	}
	return !a.Pointer && (a.Read != b.Read || a.Wrote != b.Wrote)
}

// noteWaiters notes who waits, at the end or when threads are let go.
func (s *scheduler) noteWaiters() {
	if !s.Pairs {
		return
	}
	for _, t := range s.threads {
		if !t.done && t.Next.Waits && !t.loop.held {
			s.NoteWaiter(&t.Thread, t.op.drain)
		}
	}
}
