package linearizability

import (
	"cmp"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// A lane is one sequence of Gs whose order is known beforehand: a G's position
// is how many were put before it. Puts take effect in the order of positions,
// and first in, first out says the same of takes.
type lane struct {
	puts  []step
	takes []step
	names []record.ID // by position
	cap   int32       // 0: unbounded
}

// A step is a put or a take of the positions start up to end.
type step struct {
	effect     int32
	start, end int32
}

const severalProducers = "it has several producers"

// A layout is an object laid out in lanes, ready for the monitor.
type layout struct {
	*object
	lanes []lane
	seq   []int32 // by effect: the index of its put, or of its take
	// guessed says that the order of puts is one of several possible ones.
	guessed bool
}

// layOut finds each G's position. It returns why that cannot be done, or the
// explanation of an order that no timing could excuse.
//
// One producer's puts are in its own order. Where several threads put, as on the
// global queue, a likely order is guessed. If the monitor finds the guess good,
// the history is good; if not, nothing follows.
func layOut(o *object) (*layout, string, *Explanation) {
	if o.order != fifo {
		return nil, "the order is not first in, first out", nil
	}
	if o.pending() {
		return nil, "a call did not return", nil
	}
	l := &layout{object: o, lanes: make([]lane, o.lanes), seq: make([]int32, len(o.effects))}
	for i := range l.lanes {
		puts := o.putsIn(i)
		if slices.ContainsFunc(puts, func(k int32) bool { return o.effects[k].thread != o.effects[puts[0]].thread }) {
			var e *Explanation
			if puts, e = o.guess(); puts == nil {
				return nil, severalProducers, e
			}
			l.guessed = true
		}
		where, why := l.placePuts(i, puts)
		var e *Explanation
		if why == "" {
			e = l.placeTakes(i, where)
		}
		switch {
		case l.guessed && (why != "" || e != nil):
			return nil, severalProducers, nil
		case why != "" || e != nil:
			return nil, why, e
		}
	}
	return l, "", nil
}

// putsIn returns the effects that put in a lane, by call.
func (o *object) putsIn(lane int) []int32 {
	puts := make([]int32, 0, len(o.effects))
	for i := range o.effects {
		if p := &o.effects[i]; int(p.lane) == lane && p.puts() {
			puts = append(puts, int32(i))
		}
	}
	return puts
}

// placePuts gives each id that is put in a lane its position, and returns 1 +
// the position by id.
func (l *layout) placePuts(which int, order []int32) (*table[int32], string) {
	ln := &l.lanes[which]
	ln.cap = int32(l.capOf(uint8(which)))
	ln.puts, ln.names = make([]step, 0, len(order)), make([]record.ID, 0, len(order))
	where := newTable[int32](l.span)
	for k, i := range order {
		l.seq[i] = int32(k)
		begin := int32(len(ln.names))
		for _, id := range l.effects[i].ids {
			w := where.at(id)
			if *w != 0 {
				return nil, sayf("id %d was put there twice", id)
			}
			ln.names = append(ln.names, id)
			*w = int32(len(ln.names))
		}
		ln.puts = append(ln.puts, step{i, begin, int32(len(ln.names))})
	}
	return where, ""
}

// placeTakes finds the positions that each take of a lane took, and explains a
// take whose ids have no place there.
func (l *layout) placeTakes(which int, where *table[int32]) *Explanation {
	ln := &l.lanes[which]
	ln.takes = make([]step, 0, len(l.effects)-len(ln.puts))
	for i := range l.effects {
		p := &l.effects[i]
		if int(p.lane) != which || !p.takes() {
			continue
		}
		list := p.taken()
		st := step{effect: int32(i), start: int32(len(ln.names))}
		for _, id := range list {
			at := *where.at(id) - 1
			if at < 0 {
				return l.invented(p, id)
			}
			st.start, st.end = min(st.start, at), max(st.end, at+1)
		}
		if e := l.notOnePiece(p, list, ln.names[st.start:st.end], int(ln.cap)); e != nil {
			return e
		}
		ln.takes = append(ln.takes, st)
	}
	slices.SortFunc(ln.takes, func(a, b step) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.effect, b.effect)) })
	next := int32(0)
	for i, t := range ln.takes {
		if l.effects[t.effect].action == take {
			l.seq[t.effect] = int32(i)
		}
		if t.start != next {
			return l.gap(ln, i, next)
		}
		next = t.end
	}
	return nil
}

// invented explains a take of what was never put here.
func (o *object) invented(p *effect, id record.ID) *Explanation {
	if p.action == swap {
		return o.evidence("RQ-RUNNEXT-KICK", sayf("%s displaced id %d, which was never in %s", o.who(p), id, o.name), p)
	}
	return o.evidence("RQ-INVENTED", sayf("%s took id %d from %s, where it had not been put", o.who(p), id, o.name), p)
}

// notOnePiece explains a take whose ids are not contiguous in put order, or
// whose size is wrong under every schedule. Piece is what was put from the
// first to the last of its ids.
func (l *layout) notOnePiece(p *effect, list, piece []record.ID, limit int) *Explanation {
	inOrder := slices.Equal(list, piece)
	switch k := len(piece); {
	case k < len(list), !inOrder && repeats(list):
		return l.evidence("RQ-TWICE", sayf("%s took an id twice: %s", l.who(p), ids(list)), p)
	case k > len(list):
		i := slices.IndexFunc(piece, func(id record.ID) bool { return !slices.Contains(list, id) })
		return l.evidence(l.pieceID(p), sayf("%s took ids %d and %d at once, but not id %d, which was put between them", l.who(p), piece[0], piece[k-1], piece[i]), p)
	case !inOrder && p.guard&guardAnyway == 0:
		return l.evidence(l.pieceID(p), sayf("%s took %s, which were put as %s", l.who(p), idWord(list), ids(piece)), p)
	case p.guard&guardFull != 0 && limit > 0 && k != limit/2:
		return l.evidence("RQ-OVERFLOW", sayf("%s moved %d of a ring of %d to the global queue: it must be %d", l.who(p), k, limit, limit/2), p)
	}
	return nil
}

func repeats(list []record.ID) bool {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted)) < len(list)
}

// pieceID is the requirement that a take of the wrong piece breaks.
func (o *object) pieceID(p *effect) string {
	switch {
	case p.guard&guardAll != 0 && p.op != final:
		return "RQ-DRAIN"
	case p.guard&guardBatch != 0:
		return "RQ-STEAL-ORDER"
	case p.guard&guardFull != 0:
		return "RQ-OVERFLOW"
	}
	return o.orderID()
}

// gap explains takes that do not follow one another: i is the first that does
// not begin at position next.
func (l *layout) gap(ln *lane, i int, next int32) *Explanation {
	names, t := ln.names, ln.takes[i]
	p := &l.effects[t.effect]
	if t.start < next { // both took names[t.start]
		q := &l.effects[ln.takes[i-1].effect]
		return l.twice(names[t.start], q, p)
	}
	missing := &l.effects[ln.putAt(next).effect]
	return l.outOfOrder(l.orderID(), names[t.start], p, names[next], nil, missing, &l.effects[ln.putAt(t.start).effect])
}

// putAt returns the put of a position.
func (ln *lane) putAt(at int32) step {
	i, _ := slices.BinarySearchFunc(ln.puts, at, func(s step, at int32) int { return cmp.Compare(s.end, at+1) })
	return ln.puts[i]
}
