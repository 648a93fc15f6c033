package rounds

import (
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// Helped reports whether a thread that is held back would see something else now than
// it saw in the round for which it is held back. A number that it only adds to is
// nothing that it sees; but another may wait for that number: see Feeds. Buffered says of an
// object whether the thread's store buffer has a store to it.
func (g *Log) Helped(l *Loops, buffered func(loc int32) bool) bool {
	g.touched = g.touched[:0]
	for i := l.To; i > l.From; i = g.x.Events[i].Prev {
		ev := &g.x.Events[i]
		if ev.Loc < 0 || ev.Own && buffered(ev.Loc) { // what is in its buffer is as it was
			continue
		}
		known := len(g.touched)
		o := g.touch(ev.Loc)
		if len(g.touched) > known {
			o.last = i
		} else if ev.Kind.Word() && g.x.Events[o.first].Read != after(ev) {
			o.amid = true
		}
		o.sees = o.sees || ev.Kind < object.Lock || ev.Kind > object.WUnlock || ev.Kind.Tries()
		o.first, o.look = i, o.look || !ev.Kind.Word() || !place.Tallies(ev.Site)
	}
	// What it saw may be different though nothing has changed since it looked
	// last: a CompareAndSwap failed, and finds another value the next time; or others came between two of its looks.
	for i := range g.touched {
		o := &g.touched[i]
		first, last := &g.x.Events[o.first], g.lastInMemory(o.loc)
		if o.look && (o.amid || last > o.last && g.differs(o.last, last) || o.sees && !first.Kind.Word() && g.others(o) || first.Kind.Word() && first.Read != after(&g.x.Events[last])) {
			return true
		}
	}
	return false
}

// others reports whether other threads have changed an object, that is no word, between two looks of the round.
func (g *Log) others(o *touch) bool {
	for i := o.last; i > o.first; i = g.x.Events[i].Before {
		if g.x.Events[i].Thread != g.x.Events[o.first].Thread && g.changed(i) {
			return true
		}
	}
	return false
}

// changed reports whether an event has changed an object that is no word, and was in no round in vain.
func (g *Log) changed(i int32) bool {
	ev := &g.x.Events[i]
	return !g.vain[i] && (ev.Write || ev.Kind == object.RUnlock || ev.Kind == object.RLock || ev.Kind == object.TryRLock && ev.Read != ev.Wrote)
}

// Feeds reports whether a thread that is held back adds in each round to what another
// one that is held back looks at.
func (g *Log) Feeds(l, other *Loops) bool {
	for i := other.To; i > other.From; i = g.x.Events[i].Prev {
		if ev := &g.x.Events[i]; ev.Kind.Word() && !place.Tallies(ev.Site) && g.added(l, ev.Loc) != 0 {
			return true
		}
	}
	return false
}

// added returns by how much the round for which a thread is held back has made an object
// more than it was.
func (g *Log) added(l *Loops, loc int32) (sum uint64) {
	for i := l.To; i > l.From; i = g.x.Events[i].Prev {
		if ev := &g.x.Events[i]; loc >= 0 && ev.Loc == loc && ev.Write {
			sum += ev.Wrote - ev.Read
		}
	}
	return sum
}

// lastInMemory returns the last event on an object that tells what is in memory: not a
// load of what is in a buffer.
func (g *Log) lastInMemory(loc int32) int32 {
	i := g.x.Objects[loc].Last
	for g.x.Events[i].Own {
		i = g.x.Events[i].Before
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
func (g *Log) differs(i, last int32) bool {
	if g.x.Events[i].Kind.Word() {
		return after(&g.x.Events[i]) != after(&g.x.Events[last])
	}
	for ; last > i; last = g.x.Events[last].Before {
		if g.changed(last) {
			return true
		}
	}
	return false
}
