package order

import (
	"cmp"
	"math/bits"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// Add puts o, which t has announced and carried out, behind the events, and returns
// its index. Changed says whether o wrote. Its thread and kind are those of t.
func (x *Execution) Add(t *Thread, o *object.Op, changed bool) int32 {
	n := &t.Next
	i := len(x.Events)
	if i < cap(x.Events) {
		x.Events = x.Events[:i+1]
	} else {
		x.Events = append(x.Events, Event{})
	}
	ev := &x.Events[i]
	ev.Op = *o
	ev.Thread, ev.Kind, ev.Write = uint8(t.ID), n.Kind, n.Write && (changed || n.Kind.Writes())
	ev.Waits, ev.Ord, ev.Prev, ev.Loc, ev.Site = n.Waits, t.Count+1, t.Last, n.Loc, n.Site
	ev.Before = -1
	if n.Loc >= 0 {
		l := &x.Objects[n.Loc]
		ev.Before, l.Last = l.Last, int32(i)
	}
	if n.Kind == object.RUnlock {
		ev.Write = x.lends(t, ev)
	}
	t.Count++
	t.Last = int32(i)
	if x.Clocked {
		if n.Loc >= 0 {
			x.order(t, ev, int32(i))
		}
		ev.Past, t.Past = t.Past, int32(i)
		t.Clock[t.ID] = t.Count
		if i < len(x.Clocks) {
			x.Clocks[i] = t.Clock
		} else {
			x.Clocks = append(x.Clocks, t.Clock)
		}
	} else if n.Loc >= 0 && n.Kind.Queues() {
		l := &x.Objects[n.Loc]
		l.All = append(l.All, int32(i))
	}
	return int32(i)
}

// lends reports whether ev, a thread's RUnlock, may give back a lock that another
// thread took. Then it comes after what the other did, or fails, and it is taken for
// a write. A thread that gives back its own leaves other readers as they were. Once
// somebody's lock was given back by another, nobody knows whose is whose.
func (x *Execution) lends(t *Thread, ev *Event) bool {
	l := &x.Objects[ev.Loc]
	own := 0
	for _, i := range l.All {
		if e := &x.Events[i]; int(e.Thread) == t.ID && e.Wrote != e.Read {
			switch e.Kind {
			case object.RLock, object.TryRLock:
				own++
			case object.RUnlock:
				own--
			}
		}
	}
	if own <= 0 {
		l.lent = true
	}
	return l.lent
}

// order puts the event among those on its object: what conflicts with it and
// came before happens before it.
func (x *Execution) order(t *Thread, ev *Event, i int32) {
	l := &x.Objects[ev.Loc]
	pairs := x.Pairs
	if ev.On != nil {
		x.orderParts(t, ev, i, l)
		return
	}
	if pairs && ev.Waits {
		ev.alone = int32(len(x.alone))
		x.alone = append(x.alone, t.Clock)
		x.racesOfWaiting(&t.Clock, ev, i, i, l)
		pairs = false
	}
	if ev.Kind.Queues() {
		l.All = append(l.All, i)
	}
	if !ev.Write {
		if l.write >= 0 {
			x.after(t, l.write, i, pairs)
		}
		l.reads = append(l.reads, i)
		return
	}
	if len(l.reads) == 0 {
		if l.write >= 0 {
			x.after(t, l.write, i, pairs)
		}
	} else {
		if pairs && len(l.reads) > 1 {
			x.racesOfWrite(t, i, l)
			pairs = false
		}
		for _, r := range l.reads {
			x.after(t, r, i, pairs)
		}
		l.reads = l.reads[:0]
	}
	l.write = i
}

// orderParts is order of an operation on channels, which conflicts with those that touch
// the same part.
func (x *Execution) orderParts(t *Thread, ev *Event, i int32, l *Object) {
	l.All = append(l.All, i)
	for len(l.parts) < 64 {
		l.parts = append(l.parts, -1)
	}
	var before []int32
	for touch := ev.On.Touch; touch != 0; touch &= touch - 1 {
		part := bits.TrailingZeros64(touch)
		if a := l.parts[part]; a >= 0 && !list.Contains(before, a) {
			before = append(before, a)
		}
		l.parts[part] = i
	}
	list.Sort(before, cmp.Compare[int32])
	for _, a := range list.Backward(before) { // the latest first: what comes before it is no race
		x.after(t, a, i, x.Pairs)
	}
}

// after notes that event a happens before event i of t, which is about to be
// made, and if pairs is set that the two race.
func (x *Execution) after(t *Thread, a, i int32, pairs bool) {
	e := &x.Events[a]
	if t.Clock[e.Thread] >= e.Ord {
		return
	}
	if pairs {
		x.Races = append(x.Races, Race{a, i})
	}
	x.Follow(t, &x.Clocks[a], a)
}
