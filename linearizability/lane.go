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
	cap   int32 // 0: unbounded
}

// A step is a put or a take of the positions start up to end.
type step struct {
	part       int32
	start, end int32
}

// untold says why the positions are not known; porcupine must judge.
type untold string

const severalProducers untold = "it has several producers"

// A lay is an object laid out in lanes, ready for the monitor.
type lay struct {
	*object
	lanes []lane
	seq   []int32        // by part: the index of its put, or of its take
	seq2  []int32        // by part: the index of the take of a swap
	names [2][]record.ID // by position
	// guessed says that the order of puts is one of several possible ones.
	guessed bool
}

// layOut finds each G's position. It returns why that cannot be done, or the
// explanation of an order that no timing could excuse.
func layOut(o *object) (*lay, untold, *Explanation) { return layOutBy(o, nil) }

// layOutBy is layOut with the order of the puts given, as indices of parts; nil
// stands for the one producer's own order.
func layOutBy(o *object, order []int32) (*lay, untold, *Explanation) {
	l := &lay{object: o, guessed: order != nil, lanes: make([]lane, o.lanes), seq: make([]int32, len(o.parts)), seq2: make([]int32, len(o.parts))}
	if o.order != fifo {
		return nil, "the order is not first in, first out", nil
	}
	if o.pending() {
		return nil, "a call did not return", nil
	}
	for i := range l.lanes {
		if why, e := l.fill(i, order); why != "" || e != nil {
			return nil, why, e
		}
	}
	return l, "", nil
}

// fill lays out one lane.
func (l *lay) fill(which int, order []int32) (untold, *Explanation) {
	ln := &l.lanes[which]
	ln.cap = int32(l.capacity)
	if which == 1 {
		ln.cap = 1
	}
	n, puts, takes := 0, 0, 0
	var most record.ID
	for i := range l.parts {
		p := &l.parts[i]
		if int(p.lane) != which {
			continue
		}
		if p.puts() {
			puts++
			n += len(p.ids)
			for _, id := range p.ids {
				most = max(most, id)
			}
		}
		if p.takes() {
			takes++
		}
	}
	ln.puts, ln.takes = make([]step, 0, puts), make([]step, 0, takes)
	names := make([]record.ID, 0, n)
	where := newTable[int32](most, n) // 1 + position
	owner := int32(-1)
	enter := func(i int32) untold {
		p := &l.parts[i]
		l.seq[i] = int32(len(ln.puts))
		begin := int32(len(names))
		for _, id := range p.ids {
			w := where.at(id)
			if *w != 0 {
				return untold(sayf("id %d was put there twice", id))
			}
			names = append(names, id)
			*w = int32(len(names))
		}
		ln.puts = append(ln.puts, step{i, begin, int32(len(names))})
		return ""
	}
	for _, i := range order {
		if why := enter(i); why != "" {
			return why, nil
		}
	}
	for i := range l.parts {
		p := &l.parts[i]
		if int(p.lane) != which || order != nil {
			continue
		}
		if p.deed == seeFull {
			p.at = int32(len(names)) - ln.cap
		}
		if !p.puts() {
			continue
		}
		if owner >= 0 && owner != p.thread {
			return severalProducers, nil
		}
		owner = p.thread
		if why := enter(int32(i)); why != "" {
			return why, nil
		}
	}
	l.names[which] = names
	var old [1]record.ID
	for i := range l.parts {
		p := &l.parts[i]
		if int(p.lane) != which || !p.takes() {
			continue
		}
		list := p.ids
		if p.deed == swap {
			old[0] = p.old
			list = old[:]
		}
		st := step{part: int32(i), start: int32(len(names)), end: 0}
		inOrder := true
		last := int32(-1)
		for _, id := range list {
			at := *where.at(id) - 1
			if at < 0 {
				return "", l.invented(p, id)
			}
			inOrder = inOrder && at > last
			last = at
			st.start, st.end = min(st.start, at), max(st.end, at+1)
		}
		if e := l.block(p, st, list, inOrder, names, which); e != nil {
			return "", e
		}
		ln.takes = append(ln.takes, st)
	}
	slices.SortFunc(ln.takes, func(a, b step) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.part, b.part)) })
	next := int32(0)
	for i, t := range ln.takes {
		if l.parts[t.part].deed == swap {
			l.seq2[t.part] = int32(i)
		} else {
			l.seq[t.part] = int32(i)
		}
		if t.start != next {
			return "", l.gap(ln, names, i, next)
		}
		next = t.end
	}
	return "", nil
}

// invented explains a take of what was never put here.
func (l *lay) invented(p *part, id record.ID) *Explanation {
	if p.deed == swap {
		return l.evidence("RQ-RUNNEXT-KICK", sayf("%s kicked id %d, which was never in %s", l.who(p), id, l.name), p)
	}
	return l.evidence("RQ-INVENTED", sayf("%s took id %d from %s, where nobody had put it", l.who(p), id, l.name), p)
}

// block explains a take whose ids are no piece of the order, or whose size no
// timing could excuse.
func (l *lay) block(p *part, st step, list []record.ID, inOrder bool, names []record.ID, which int) *Explanation {
	k := st.end - st.start
	switch {
	case int(k) < len(list), !inOrder && repeats(list):
		return l.evidence("RQ-TWICE", sayf("%s took an id twice: %s", l.who(p), ids(list)), p)
	case int(k) > len(list):
		for _, id := range names[st.start:st.end] {
			if !slices.Contains(list, id) {
				return l.evidence(l.blockID(p), sayf("%s took ids %d and %d at once, but not id %d, which was put between them", l.who(p), names[st.start], names[st.end-1], id), p)
			}
		}
	case !inOrder && p.rule&ruleAnyway == 0:
		return l.evidence(l.blockID(p), sayf("%s took %s, which were put as %s", l.who(p), idWord(list), ids(names[st.start:st.end])), p)
	case p.rule&ruleFull != 0 && l.lanes[which].cap > 0 && k != l.lanes[which].cap/2:
		return l.evidence("RQ-OVERFLOW", sayf("%s moved %d of a ring of %d to the global queue: it must be %d", l.who(p), k, l.lanes[which].cap, l.lanes[which].cap/2), p)
	}
	return nil
}

func repeats(list []record.ID) bool {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted)) < len(list)
}

// blockID is the requirement that a take of the wrong piece breaks.
func (l *lay) blockID(p *part) string {
	switch {
	case p.rule&ruleAll != 0 && p.op != final:
		return "RQ-DRAIN"
	case p.rule&ruleHalf != 0:
		return "RQ-STEAL-ORDER"
	case p.rule&ruleFull != 0:
		return "RQ-OVERFLOW"
	}
	return l.orderID()
}

// gap explains takes that do not follow one another: i is the first that does
// not begin at position next.
func (l *lay) gap(ln *lane, names []record.ID, i int, next int32) *Explanation {
	t := ln.takes[i]
	p := &l.parts[t.part]
	if t.start < next { // both took names[t.start]
		q := &l.parts[ln.takes[i-1].part]
		return l.evidence("RQ-TWICE", sayf("id %d was taken by %s and by %s", names[t.start], l.who(q), l.who(p)), q, p)
	}
	missing := &l.parts[ln.putAt(next).part]
	return l.evidence(l.orderID(), sayf("id %d was taken by %s, but id %d, which was put before it, never was", names[t.start], l.who(p), names[next]),
		missing, &l.parts[ln.putAt(t.start).part], p)
}

// putAt returns the put of a position.
func (ln *lane) putAt(at int32) step {
	i, _ := slices.BinarySearchFunc(ln.puts, at, func(s step, at int32) int { return cmp.Compare(s.end, at+1) })
	return ln.puts[i]
}
