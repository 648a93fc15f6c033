package dpor

import (
	"math"

	"github.com/spindle-go/spindle/interleave/internal/order"
)

// A sequence is what is to be tried at the point before the first operation of a
// race: the events after that point that the first does not happen before, and
// at the end the second, which the first does.
//
// All but the last do what they did. The last does without the first: its
// object's state is the one that the first found, so that it is known whether a
// CompareAndSwap will swap and a TryLock succeed. It is not known of a Map, which
// is one object with many keys, of a Pool, and of an atomic.Value.
//
// What it has of one thread is a piece of what the thread did, without gaps: what
// comes after an event that is left out is left out. And what happens before one of
// its events and comes after that point is in it. So of each thread it is enough to
// know where its piece begins, and hardly ever are all events looked at.
type sequence struct {
	order.Race
	thread uint8 // of the first
	ord    int32 // of the first
	// By thread: the ordinal of its next event. That of the first of the race has
	// none.
	next order.Clock
	// By thread: what is known of that event.
	place [order.MaxThreads]place
	// Of the second: what happens before it in the sequence, and what it will do.
	second *order.Event
	clock  *order.Clock
	alone  order.Clock // is clock, if the second may have to wait
	will   footprint
	// The objects of the sequence, if they were asked for.
	listed  bool
	from    int32 // those with numbers from this one on
	objects []met
}

// A place is where a thread's next event is, in view of a sequence.
type place uint8

const (
	notAsked place = iota
	absent         // not in the sequence
	initial        // in it, and nothing in it happens before
	behind         // in it, behind others
)

// met is an object of a sequence.
type met struct {
	loc   int32
	event int32 // the first on it
	write bool  // some event on it may write
}

// index makes the indices of the execution that has ended.
func (d *Search) index(x *order.Execution) {
	for t := range d.of[:x.Width] {
		d.of[t] = d.of[t][:0]
	}
	d.length, d.counts = int32(len(x.Events)), d.counts[:0]
	var counts order.Clock
	for i := range x.Events {
		e := &x.Events[i]
		d.of[e.Thread] = append(d.of[e.Thread], int32(i))
		d.counts = append(d.counts, counts[:x.Width]...)
		counts[e.Thread]++
	}
}

// sequence makes the sequence of r.
func (d *Search) sequence(x *order.Execution, r order.Race) *sequence {
	v := &d.now
	first := &x.Events[r.First]
	v.Race, v.thread, v.ord, v.listed = r, first.Thread, first.Ord, false
	for t, n := range d.counts[int(r.First)*x.Width:][:x.Width] {
		v.next[t] = n + 1
	}
	v.next[v.thread] = math.MaxInt32
	v.place = [order.MaxThreads]place{}
	v.second = &x.Events[r.Second]
	v.will.loc = v.second.Loc
	v.will.write, v.will.unsure = x.Foretell(r, d.length)
	v.will.must, v.will.may = x.Touches(r, d.length)
	v.clock = &x.Clocks[r.Second]
	if v.second.Waits {
		// It happened after what let it go on, which may be left out here.
		v.alone = *x.Alone(r.Second)
		v.clock = &v.alone
		for i := x.Objects[v.second.Loc].Last; i > r.First; i = x.Events[i].Before {
			if i != r.Second && v.within(x, i) && (x.Events[i].Write || v.will.write) {
				v.alone.Join(&x.Clocks[i], x.Width)
			}
		}
	}
	return v
}

// within reports whether event i, which comes after the first and is not the
// second, is in v as it was made.
func (v *sequence) within(x *order.Execution, i int32) bool { return x.Clocks[i][v.thread] < v.ord }

// has reports whether event i is in v.
func (v *sequence) has(x *order.Execution, i int32) bool {
	e := &x.Events[i]
	return e.Ord >= v.next[e.Thread] && (i == v.Second || v.within(x, i))
}

// find returns the first event of a thread in v, -1 if there is none.
func (d *Search) find(x *order.Execution, v *sequence, thread uint8) int32 {
	n := v.next[thread]
	if thread == v.second.Thread && n == v.second.Ord {
		return v.Second
	}
	if int(n) > len(d.of[thread]) {
		return -1
	}
	if i := d.of[thread][n-1]; v.within(x, i) {
		return i
	}
	return -1
}

// takeOut takes the first event of a thread out.
func (v *sequence) takeOut(thread uint8) {
	v.next[thread]++
	v.place[thread], v.listed = notAsked, false
	for t, p := range v.place {
		if p == behind {
			v.place[t] = notAsked
		}
	}
}

// footprint is what is known of event i in v.
func (v *sequence) footprint(x *order.Execution, i int32) footprint {
	if i == v.Second {
		return v.will
	}
	return footprintOf(&x.Events[i])
}

// does reports whether pick is what event i does in v, or all that it may do.
func (v *sequence) does(x *order.Execution, i int32, pick uint16) bool {
	return pick == 0 || i != v.Second && x.Events[i].Pick == pick
}

// where returns where a thread's next event is.
func (d *Search) where(x *order.Execution, v *sequence, thread uint8) place {
	if p := v.place[thread]; p != notAsked {
		return p
	}
	p := absent
	if at := d.find(x, v, thread); at >= 0 {
		p = behind
		if v.first(x, at) {
			p = initial
		}
	}
	v.place[thread] = p
	return p
}

// first reports whether nothing in v happens before event i, the first of its thread.
func (v *sequence) first(x *order.Execution, i int32) bool {
	e := &x.Events[i]
	clock := v.clock
	if i != v.Second {
		if e.Past < v.First {
			return true
		}
		clock = &x.Clocks[i]
	}
	for t, n := range v.next[:x.Width] {
		if clock[t] >= n && t != int(e.Thread) {
			return false
		}
	}
	return true
}

// An answer may be that it is not known.
type answer uint8

const (
	no answer = iota
	yes
	unknown
)

// independent reports whether an operation conflicts with none of v, as far as its events
// come before event end, and with the second.
func (d *Search) independent(x *order.Execution, v *sequence, end int32, f footprint) answer {
	if f.loc < 0 {
		return yes
	}
	found := yes
	meets := func(o footprint) bool {
		switch {
		case f.may != 0 && f.may&o.may == 0:
		case f.may != 0 && f.must&o.must == 0:
			found = unknown
		case o.write && !o.unsure || f.write && !f.unsure:
			return true
		case o.unsure || f.unsure:
			found = unknown
		}
		return false
	}
	if v.second.Loc == f.loc && v.second.Ord >= v.next[v.second.Thread] && meets(v.will) {
		return no
	}
	for i := x.Objects[f.loc].Last; i > v.First; i = x.Events[i].Before {
		if i >= end || i == v.Second || !f.write && !x.Events[i].Write {
			continue
		}
		if o := footprintOf(&x.Events[i]); (f.may == 0 || f.may&o.may != 0) && v.has(x, i) && meets(o) {
			return no
		}
	}
	return found
}

// list returns the objects of v that have numbers from locs on.
func (d *Search) list(x *order.Execution, v *sequence, locs int32) []met {
	if v.listed && v.from == locs {
		return v.objects
	}
	v.listed, v.from, v.objects = true, locs, v.objects[:0]
	for loc := locs; int(loc) < len(x.Objects); loc++ {
		o := met{loc: loc, event: -1}
		for i := x.Objects[loc].Last; i > v.First; i = x.Events[i].Before {
			if v.has(x, i) {
				o.event, o.write = i, o.write || v.footprint(x, i).write
			}
		}
		if v.second.Loc == loc && v.Second >= d.length && v.has(x, v.Second) { // of one that waited
			o.write = o.write || v.will.write
			if o.event < 0 {
				o.event = v.Second
			}
		}
		if o.event >= 0 {
			v.objects = append(v.objects, o)
		}
	}
	return v.objects
}
