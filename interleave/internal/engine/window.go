package engine

import (
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// What an iteration has changed.

// A touch is what an iteration did to an object.
type touch struct {
	loc     int32
	last    int32  // event
	sum     uint64 // by how much the word is more than it would be without the iteration
	writer  int    // how often it is locked more than before, and for reading
	readers int
	look    bool  // somebody may know what it is: not so if all that was done is to add
	first   int32 // event of the iteration: see helped
}

func (o *touch) open() bool {
	return o.sum != 0 || o.writer != 0 || o.readers != 0
}

// window reports whether t's events behind one were in vain, and returns what was read.
func (s *scheduler) window(t *thread, last int32) (reason, uint64) {
	own := s.own[:0]
	for i := t.Last; i > last; i = s.Events[i].Prev {
		own = append(own, i)
	}
	s.own = own
	s.touched = s.touched[:0]
	w := vain
	looks := uint64(0)
	for n := len(own) - 1; n >= 0; n-- {
		ev := &s.Events[own[n]]
		looks = order.Mix(looks ^ lookHash(ev.Kind, ev.Loc, ev.Site) ^ ev.Read)
		if ev.Loc < 0 {
			if ev.Kind == object.Store {
				return goesOn, 0 // into the thread's buffer
			}
			continue
		}
		o := s.touch(ev.Loc)
		if o.open() && s.seen(own[n], o) {
			w = doubtful
		}
		o.last = own[n]
		if !o.note(ev) {
			return goesOn, 0
		}
	}
	for i := range s.touched {
		switch o := &s.touched[i]; {
		case !o.open():
		case o.look:
			return goesOn, 0
		default: // a tally
			w = doubtful
		}
	}
	return w, looks
}

func (s *scheduler) touch(loc int32) *touch {
	for i := range s.touched {
		if s.touched[i].loc == loc {
			return &s.touched[i]
		}
	}
	s.touched = append(s.touched, touch{loc: loc})
	return &s.touched[len(s.touched)-1]
}

// note adds an event. It reports whether what it did can be undone.
func (o *touch) note(ev *order.Event) bool {
	if ev.Kind.Word() {
		o.look = o.look || !place.Tallies(ev.Site)
		if !ev.Write || ev.Read == ev.Wrote {
			return true
		}
		if ev.Pointer {
			return false // the object that it pointed to may be gone, and another at its place
		}
		o.sum += ev.Wrote - ev.Read
		return true
	}
	o.look = true
	switch ev.Kind {
	case object.Lock, object.WLock:
		o.writer++
	case object.Unlock, object.WUnlock:
		o.writer--
	case object.RLock:
		o.readers++
	case object.RUnlock:
		o.readers--
	case object.TryLock:
		if ev.Write {
			o.writer++
		}
	case object.TryWLock:
		if ev.Read != ev.Wrote {
			o.writer++
		}
	case object.TryRLock:
		if ev.Read != ev.Wrote {
			o.readers++
		}
	case object.WDrain, object.Wait, object.MapRead, object.Look:
		return true
	case object.Select: // one that waits has taken a case by now
		return ev.On != nil && ev.On.Default && ev.Read == 0
	case object.Signal, object.Broadcast:
		return ev.Read == ev.Wrote // nobody was there
	default:
		return !ev.Write && ev.Kind != object.Enqueue && ev.Kind != object.Wake
	}
	// What was done under a lock is known where plain writes are reported.
	return PlainAccesses
}

// seen reports whether others were at the object between o's last event and event i.
func (s *scheduler) seen(i int32, o *touch) bool {
	for x := s.Events[i].Before; x > o.last; x = s.Events[x].Before {
		switch e := &s.Events[x]; e.Kind {
		case object.Add:
			if place.Tallies(e.Site) {
				continue // who adds and does not look sees nothing
			}
		case object.RLock, object.TryRLock, object.RUnlock, object.WLock:
			if o.writer == 0 {
				continue // one reader more or less makes no difference to them
			}
		}
		return true
	}
	return false
}
