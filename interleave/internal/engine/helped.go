package engine

import (
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// What would help a thread that is held back: that it would see something else now than
// it saw in the iteration for which it is held back. A number that it only adds to is
// nothing that it sees; but another may wait for that number, and then it is not said
// that nobody can go on.

// helped reports whether t, which is held back, would see something else now.
func (s *scheduler) helped(t *thread) bool {
	l := &t.loop
	if t.frozen || l.why != vain && l.why != doubtful {
		return false
	}
	s.touched = s.touched[:0]
	for i := l.to; i > l.from; i = s.Events[i].Prev {
		ev := &s.Events[i]
		if ev.Loc < 0 || ev.Own && t.stores(ev.Loc) { // what is in its buffer is as it was
			continue
		}
		known := len(s.touched)
		o := s.touch(ev.Loc)
		if len(s.touched) > known {
			o.last = i
		}
		o.first, o.look = i, o.look || !ev.Kind.Word() || !place.Tallies(ev.Site)
	}
	// What it saw first may be different though nothing has changed since it looked
	// last: a CompareAndSwap failed, and finds another value the next time.
	for i := range s.touched {
		o := &s.touched[i]
		first, last := &s.Events[o.first], s.lastInMemory(o.loc)
		if o.look && (last > o.last && s.differs(o.last, last) || first.Kind.Word() && first.Read != after(&s.Events[last])) {
			return true
		}
	}
	return l.why == doubtful && s.counts(t)
}

// counts reports whether t, which is held back, adds in each iteration to what another
// one that is held back looks at.
func (s *scheduler) counts(t *thread) bool {
	for _, o := range s.threads {
		if o == t || o.done || o.frozen || !o.loop.held {
			continue
		}
		for i := o.loop.to; i > o.loop.from; i = s.Events[i].Prev {
			if ev := &s.Events[i]; ev.Kind.Word() && !place.Tallies(ev.Site) && s.added(t, ev.Loc) != 0 {
				return true
			}
		}
	}
	return false
}

// added returns by how much the iteration for which t is held back has made an object
// more than it was.
func (s *scheduler) added(t *thread, loc int32) (sum uint64) {
	for i := t.loop.to; i > t.loop.from; i = s.Events[i].Prev {
		if ev := &s.Events[i]; loc >= 0 && ev.Loc == loc && ev.Write {
			sum += ev.Wrote - ev.Read
		}
	}
	return sum
}

// lastInMemory returns the last event on an object that tells what is in memory: not a
// load of what is in a buffer.
func (s *scheduler) lastInMemory(loc int32) int32 {
	i := s.Objects[loc].Last
	for s.Events[i].Own {
		i = s.Events[i].Before
	}
	return i
}

// after returns the value of a word after ev.
func after(ev *order.Event) uint64 {
	if ev.Write {
		return ev.Wrote
	}
	return ev.Read
}

// differs reports whether the object is different after event last from what it was
// after event i.
func (s *scheduler) differs(i, last int32) bool {
	if s.Events[i].Kind.Word() {
		return after(&s.Events[i]) != after(&s.Events[last])
	}
	for ; last > i; last = s.Events[last].Before {
		if ev := &s.Events[last]; !s.vain[last] && (ev.Write || ev.Kind == object.RUnlock || ev.Kind == object.RLock) {
			return true
		}
	}
	return false
}
