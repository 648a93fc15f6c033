package rounds

import (
	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// A Log knows which rounds threads of one execution have made.
type Log struct {
	Writes  bool // plain writes are reported: what was done under a lock is known
	Retries bool // a round in which something else was read is not in vain
	x       *order.Execution
	vain    []bool // by event: it is of a round that was in vain
	own     []int32
	touched []touch
}

// Kept is g without its content, for another exploration.
func (g *Log) Kept() Log { return Log{vain: g.vain[:0], own: g.own[:0], touched: g.touched[:0]} }

// Begin makes g one of an execution that begins.
func (g *Log) Begin(x *order.Execution) { g.x, g.vain = x, g.vain[:0] }

// Event notes that an event was added.
func (g *Log) Event(i int32) { g.vain = append(g.vain[:i], false) }

// InVain notes that the round for which a thread is held back was in vain.
func (g *Log) InVain(l *Loops) {
	for i := l.To; i > l.From; i = g.x.Events[i].Prev {
		g.vain[i] = true
	}
}

// A touch is what a round did to an object.
type touch struct {
	loc     int32
	last    int32  // event
	sum     uint64 // by how much the word is more than it would be without the round
	writer  int    // how often it is locked more than before, and for reading
	readers int
	look    bool // the thread or another may know what it is: not so if all operations only add
	// Of Helped: an event of the round, and whether others have changed a word in the midst of it.
	first int32
	amid  bool
	sees  bool // what the round does there may come to something else
}

func (o *touch) open() bool {
	return o.sum != 0 || o.writer != 0 || o.readers != 0
}

// window reports whether t's events behind one were in vain, and returns what was read.
func (g *Log) window(t *order.Thread, last int32) (Reason, uint64) {
	own := g.own[:0]
	for i := t.Last; i > last; i = g.x.Events[i].Prev {
		own = append(own, i)
	}
	g.own = own
	g.touched = g.touched[:0]
	w := Vain
	looks := uint64(0)
	for n := len(own) - 1; n >= 0; n-- {
		ev := &g.x.Events[own[n]]
		looks = order.Mix(looks ^ lookHash(ev.Kind, ev.Loc, ev.Site) ^ ev.Read)
		if ev.Loc < 0 {
			if ev.Kind == object.Store {
				return None, 0 // into the thread's buffer
			}
			continue
		}
		o := g.touch(ev.Loc)
		if o.open() && g.seen(own[n], o) {
			w = Doubtful
		}
		o.last = own[n]
		if !g.note(o, ev) {
			return None, 0
		}
	}
	for i := range g.touched {
		switch o := &g.touched[i]; {
		case !o.open():
		case o.look:
			return None, 0
		default: // a tally
			w = Doubtful
		}
	}
	return w, looks
}

func (g *Log) touch(loc int32) *touch {
	for i := range g.touched {
		if g.touched[i].loc == loc {
			return &g.touched[i]
		}
	}
	g.touched = append(g.touched, touch{loc: loc})
	return &g.touched[len(g.touched)-1]
}

// note adds an event. It reports whether what it did can be undone.
func (g *Log) note(o *touch, ev *order.Event) bool {
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
		return ev.Read == ev.Wrote // no thread waited
	default:
		return !ev.Write && ev.Kind != object.Enqueue && ev.Kind != object.Wake
	}
	return g.Writes // what was done under a lock is known then
}

// seen reports whether others were at the object between o's last event and event i.
func (g *Log) seen(i int32, o *touch) bool {
	for x := g.x.Events[i].Before; x > o.last; x = g.x.Events[x].Before {
		switch e := &g.x.Events[x]; e.Kind {
		case object.Add:
			if place.Tallies(e.Site) {
				continue // who adds and does not look sees nothing
			}
		case object.RLock, object.TryRLock, object.RUnlock, object.WLock:
			if o.writer == 0 && !(e.Kind == object.RUnlock && e.Write) {
				continue // one reader more or less makes no difference to them, unless its lock is given back for it
			}
		}
		return true
	}
	return false
}

// amid reports whether t is between what it does in a round, that began behind an event, and what undoes it: it has a lock, or has counted itself in. Threads are not held
// back there: the others would look at what it leaves, and never come to the end of their rounds where nothing is left but rounds.
func (g *Log) amid(t *order.Thread, last int32) bool {
	own := g.own[:0]
	i := t.Last
	for ; i > last; i = g.x.Events[i].Prev {
		own = append(own, i)
	}
	for n := len(own); i >= 0 && len(own) < mostAmid*n; i = g.x.Events[i].Prev { // and of the rounds before, from where the loop was entered
		before := func(k int32) bool { return g.x.Events[k].Site == g.x.Events[i].Site }
		if !list.ContainsFunc(own[:n], before) {
			break
		}
		own = append(own, i)
	}
	g.own = own
	g.touched = g.touched[:0]
	for n := len(own) - 1; n >= 0; n-- {
		if ev := &g.x.Events[own[n]]; ev.Loc >= 0 && !g.note(g.touch(ev.Loc), ev) {
			return false
		}
	}
	for i := range g.touched {
		if o := &g.touched[i]; o.look && o.open() {
			return true
		}
	}
	return false
}

// mostAmid bounds the rounds that are looked at.
const mostAmid = 8
