package order

import "github.com/spindle-go/spindle/interleave/internal/object"

// A Race is a pair of conflicting events of which the second could have come
// first: nothing else orders them, and where the second may have to wait, it could
// have been carried out without the first. Two locks of a mutex race, an unlock
// and the lock that it makes possible do not.
type Race struct{ First, Second int32 }

// racesOfWrite notes the races of a write with several reads: those that no
// other of them comes after.
func (x *Execution) racesOfWrite(t *Thread, i int32, l *Object) {
next:
	for n, a := range l.reads {
		e := &x.Events[a]
		if t.Clock[e.Thread] >= e.Ord {
			continue
		}
		for _, b := range l.reads[n+1:] {
			if x.Clocks[b][e.Thread] >= e.Ord && int(x.Events[b].Thread) != t.ID {
				continue next
			}
		}
		x.Races = append(x.Races, Race{a, i})
	}
}

// racesOfWaiting notes the races of an operation that may have to wait, with
// those before it that it could do without: without says which.
func (x *Execution) racesOfWaiting(before *Clock, ev *Event, i, limit int32, l *Object) {
	from := len(x.Races)
next:
	for n := len(l.All) - 1; n >= 0; n-- {
		a := l.All[n]
		e := &x.Events[a]
		if a >= limit || e.Thread == ev.Thread || before[e.Thread] >= e.Ord || !e.Write && !ev.Write {
			continue
		}
		for _, r := range x.Races[from:] {
			if x.Before(a, r.First) {
				continue next
			}
		}
		if s := x.without(l, a, limit); s.Ready(ev.Kind, ev.Thread) {
			x.Races = append(x.Races, Race{a, i})
		}
	}
}

// without returns what state the object would be in after the first limit events,
// had event a and what comes after it not been.
func (x *Execution) without(l *Object, a, limit int32) object.State {
	s := l.First
	for _, b := range l.All {
		if b < limit && (b < a || !x.Before(a, b)) {
			s.Do(&x.Events[b].Op)
		}
	}
	return s
}

// Foretell says whether the second event of r will write if it comes before the
// first; unsure, that this is not known. Limit is how many events the execution has.
func (x *Execution) Foretell(r Race, limit int32) (write, unsure bool) {
	second := &x.Events[r.Second]
	write, unsure, tries := object.Foretell(&x.Events[r.First].Op, &second.Op)
	if tries != object.None {
		s := x.without(&x.Objects[second.Loc], r.First, limit)
		write = s.Ready(tries, second.Thread)
	}
	return write, unsure
}

// Touches says which parts of channels the second event of r will touch if it comes before
// the first: some for certain, and others perhaps.
func (x *Execution) Touches(r Race, limit int32) (must, may uint64) {
	second := &x.Events[r.Second]
	if second.On == nil {
		return 0, 0
	}
	s := x.without(&x.Objects[second.Loc], r.First, limit)
	return s.Touches(&second.Op)
}

// Touch returns the parts of channels that an event has touched, 0 if it is of another kind.
func (e *Event) Touch() uint64 {
	if e.On == nil {
		return 0
	}
	return e.On.Touch
}

// Alone returns what happens before event i, which may have to wait, but for what
// happens on its object.
func (x *Execution) Alone(i int32) *Clock { return &x.alone[x.Events[i].alone] }

// A waiter is a thread that was at an operation which it could not carry out
// when nobody else could go on.
type waiter struct {
	event Event // as if
	clock Clock
	at    int32 // how many events there were
}

// NoteWaiter notes that t waits at what it has announced, at the end or when threads
// are let go. Drains says that it waits for its buffer to be empty, too.
func (x *Execution) NoteWaiter(t *Thread, drains bool) {
	n := &t.Next
	w := waiter{clock: t.Clock, at: int32(len(x.Events))}
	w.event = Event{Op: object.Op{Thread: uint8(t.ID), Kind: n.Kind, Write: n.Write}, Waits: true, Ord: t.Count + 1, Prev: t.Last, Before: -1, Loc: n.Loc, Site: n.Site}
	if drains && t.Buffer != nil {
		w.clock.Join(&t.Buffer.Clock, x.Width) // it comes after what its thread has stored
	}
	w.event.alone = int32(len(x.alone))
	x.alone = append(x.alone, w.clock)
	w.clock[t.ID] = t.Count + 1
	x.waiters = append(x.waiters, w)
}

// AddWaiters puts the operations of those who waited behind the events, as if they
// had been carried out, and notes their races: what they could not do may be
// possible earlier. Cut takes the events away again.
func (x *Execution) AddWaiters() {
	for i := range x.waiters {
		w := &x.waiters[i]
		n := int32(len(x.Events))
		x.Events = append(x.Events, w.event)
		x.Clocks = append(x.Clocks[:n], w.clock)
		x.racesOfWaiting(&w.clock, &w.event, n, w.at, &x.Objects[w.event.Loc])
	}
}
