package engine

import (
	"math"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

func end(read, wrote uint64, changed, pointer bool) {
	s := current
	if s.muted {
		s.unmute(read, wrote, changed)
	} else {
		s.record(s.running, read, wrote, changed, pointer)
	}
	inside(false)
	rests()
	if s.running.loop.Known {
		s.wipes()
	}
}

// record adds the operation that t has announced to the events, and tells all who
// follow what threads do.
func (s *scheduler) record(t *thread, read, wrote uint64, changed, pointer bool) {
	s.op.Read, s.op.Wrote, s.op.Pointer = read, wrote, pointer
	var i int32
	if at := len(s.Events); at < s.known || at == s.known && at < s.before {
		i = s.addAgain(t, changed)
	} else {
		i = s.Add(&t.Thread, &s.op, changed)
	}
	s.op.Compares, s.op.Own, s.op.Pick, s.op.Of, s.op.On = false, false, 0, 0, nil
	ev := &s.Events[i]
	if s.pcs != nil {
		pc := uintptr(0)
		if ev.Kind != object.Resume {
			pc = callerOf(ev.Site)
		}
		s.pcs = append(s.pcs, pc)
	}
	if changed && (read != wrote || ev.Kind.Queues()) {
		s.changed = true
	}
	s.rounds.Event(i)
	if !t.loop.Marked() && !t.loop.Visited && !s.coda.toEnd {
		s.coda.moved = true
	}
	if !t.loop.Marked() {
		t.repetition.Note(ev, s.looksOf(t), PlainAccesses)
	}
	if PlainAccesses {
		s.orderPlain(t, ev)
	}
}

// pick is Pick. On a line that is invisible there is no choice.
func (s *scheduler) pick(n int) int {
	if n < 2 || s.muted {
		return 0
	}
	if s.coda.on && s.forGood {
		return s.coda.pick(n)
	}
	n = min(n, math.MaxUint16)
	k, err := s.strategy.Choose(&s.Execution, strategy.Choice{Now: s.running.ID, Of: n})
	if err != nil {
		s.unlike(err)
		k = 0
	}
	s.op.Pick, s.op.Of = uint16(k)+1, uint16(n)
	return k
}

// addAgain is Add of an event that was in the execution before: it must be the same.
// At the first point where something else was chosen it need not, but a thread's
// operation there is the same, and may do as many things.
func (s *scheduler) addAgain(t *thread, changed bool) int32 {
	at := len(s.Events)
	old := s.Events[:at+1][at]
	i := s.Add(&t.Thread, &s.op, changed)
	now := &s.Events[i]
	if at < s.known && differs(&old, now) || at == s.known && old.Thread == now.Thread && otherOperation(&old, now) {
		s.unsteady(at, old, *now)
	}
	return i
}

// differs reports whether two runs of one schedule did different things.
func differs(a, b *order.Event) bool {
	if a.Thread != b.Thread || otherOperation(a, b) || a.Pick != b.Pick || a.Write != b.Write {
		return true
	}
	return !a.Pointer && (a.Read != b.Read || a.Wrote != b.Wrote)
}

// otherOperation reports whether two events are of operations that differ, whatever
// these did.
func otherOperation(a, b *order.Event) bool {
	return a.Kind != b.Kind || a.Loc != b.Loc || a.Site != b.Site || a.Of != b.Of
}

// noteWaiters notes which threads wait, at the end or when threads are let go. What happens
// in the coda is cut off again, and so nothing in it is noted.
func (s *scheduler) noteWaiters() {
	if !s.Pairs || s.coda.on {
		return
	}
	for _, t := range s.threads {
		if !t.done && t.Next.Waits && t.Next.Loc >= 0 && !t.loop.Held {
			s.NoteWaiter(&t.Thread, t.op.drain)
		}
	}
}
