package linearizability

import (
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// explain finds the evidence against a laid out object that the monitor found
// illegal, at the return of part failed. The simplest kinds come first: order,
// then what the calls must have found by the owner's own program order, then
// capacity, half of the length, and at last what was seen.
func (l *lay) explain(failed int) *Explanation {
	if e := l.evident(); e != nil {
		return e
	}
	return l.residue(failed)
}

// evident returns the evidence that bounds give, or nil.
func (l *lay) evident() *Explanation {
	var last []*bounds
	for which := range l.lanes {
		b := newBounds(l, which, edges{})
		if c, ok := b.clash(false); ok {
			return l.orderClash(which, c)
		}
		if e := l.owners(which); e != nil {
			return e
		}
		b = newBounds(l, which, edges{room: true})
		if c, ok := b.clash(false); ok {
			return l.roomClash(which, c)
		}
		if e := l.crowded(b); e != nil {
			return e
		}
		if e := l.refusals(b); e != nil {
			return e
		}
		if which == 0 {
			h := newBounds(l, which, edges{room: true, half: true})
			if e := l.steals(b, h); e != nil {
				return e
			}
			b = h
		}
		if l.place.Object == record.Global {
			spans, e := l.lifeSpans()
			if e == nil {
				e = l.wrongShare(spans)
			}
			if e != nil {
				return e
			}
		}
		last = append(last, b)
	}
	return l.sights(last)
}

// idAt returns the ids of a take or put in this lane.
func (l *lay) idsOf(which int, part int32) []record.ID {
	p := &l.parts[part]
	if p.deed == swap {
		return []record.ID{p.old}
	}
	return p.ids
}

// pos returns the steps of a part in its lane.
func (l *lay) pos(which int, part int32) (in, out *step) {
	p := &l.parts[part]
	if p.puts() {
		in = &l.lanes[which].puts[l.seq[part]]
	}
	if p.deed == swap {
		out = &l.lanes[which].takes[l.seq2[part]]
	} else if p.deed == take {
		out = &l.lanes[which].takes[l.seq[part]]
	}
	return in, out
}

// orderClash words a contradiction of order alone.
func (l *lay) orderClash(which int, c clash) *Explanation {
	first, then := &l.parts[c.first], &l.parts[c.then]
	if !first.takes() { // a put that must come before a take
		id := first.ids[len(first.ids)-1]
		for _, x := range l.idsOf(which, c.then) {
			if slices.Contains(first.ids, x) {
				id = x
				break
			}
		}
		return l.evidence("RQ-INVENTED", sayf("id %d was taken by %s, which returned before %s was called with it", id, l.who(then), l.who(first)), first, then)
	}
	if !then.takes() {
		return l.roomClash(which, c)
	}
	early, late := l.idsOf(which, c.first), l.idsOf(which, c.then)
	a, b := early[0], late[len(late)-1]
	if first.op == final {
		return l.evidence(l.orderID(), sayf("id %d was taken by %s, but id %d, which was put earlier, was still there at the end", b, l.who(then), a), l.putter(which, c.first), l.putter(which, c.then), then)
	}
	requirement := l.orderID()
	if first.deed == swap || then.deed == swap {
		requirement = "RQ-RUNNEXT-KICK"
	}
	return l.evidence(requirement, sayf("id %d was taken by %s before id %d, which was put earlier and taken later by %s", b, l.who(then), a, l.who(first)), then, first)
}

// putter returns the put of the first id that a take took.
func (l *lay) putter(which int, part int32) *part {
	_, t := l.pos(which, part)
	if t == nil {
		return nil
	}
	return &l.parts[l.lanes[which].putAt(t.start).part]
}

// roomClash words a contradiction that capacity makes: the first is a take that
// must have come before the then, a put.
func (l *lay) roomClash(which int, c clash) *Explanation {
	first, then := &l.parts[c.first], &l.parts[c.then]
	if l.place.Object == record.Runnext || which == 1 {
		return l.evidence("RQ-RUNNEXT-KICK", sayf("%s kicked nothing although id %d was in runnext, taken later by %s", l.who(then), l.idsOf(which, c.first)[0], l.who(first)), then, first)
	}
	put, _ := l.pos(which, c.then)
	_, took := l.pos(which, c.first)
	if put == nil || took == nil || put.end-took.start <= l.lanes[which].cap { // it takes others between them
		return l.evidence("RQ-CAPACITY", sayf("%s and %s leave more than %d ids in the ring", l.who(then), l.who(first), l.lanes[which].cap), then, first)
	}
	return l.evidence("RQ-CAPACITY", sayf("the ring holds %d, but when %s returned it held %d: %s, of which the oldest was taken later by %s",
		l.lanes[which].cap, l.who(then), put.end-took.start, idWord(l.names[which][took.start:put.end]), l.who(first)), then, first)
}

// crowded finds a put for which what was never taken leaves no room.
func (l *lay) crowded(b *bounds) *Explanation {
	ln := &l.lanes[b.lane]
	taken := int32(0)
	if n := len(ln.takes); n > 0 {
		taken = ln.takes[n-1].end
	}
	for _, s := range ln.puts {
		p := &l.parts[s.part]
		if ln.cap == 0 || s.end-ln.cap <= taken || p.deed == swap {
			continue
		}
		first := &l.parts[ln.putAt(taken).part]
		if l.place.Object == record.Runnext || b.lane == 1 {
			return l.evidence("RQ-RUNNEXT-KICK", sayf("%s kicked nothing although id %d was in runnext, never taken", l.who(p), l.names[b.lane][taken]), first, p)
		}
		return l.evidence("RQ-CAPACITY", sayf("the ring holds %d, but when %s returned it held %d: %s, never taken",
			ln.cap, l.who(p), s.end-taken, idWord(l.names[b.lane][taken:s.end])), first, p)
	}
	return nil
}

// owners checks what the owner's own program order decides: how much was put
// before it drained or overflowed.
func (l *lay) owners(which int) *Explanation {
	ln := &l.lanes[which]
	tail := int32(0)
	for i := range l.parts {
		p := &l.parts[i]
		if int(p.lane) != which {
			continue
		}
		if p.puts() {
			tail += int32(len(p.ids))
		}
		if p.deed != take || p.rule&(ruleAll|ruleFull) == 0 {
			continue
		}
		s := ln.takes[l.seq[i]]
		switch n := tail - s.start; {
		case p.rule&ruleAll != 0 && s.end < tail:
			left := l.names[which][s.end:tail]
			requirement, sentence := "RQ-DRAIN", sayf("%s left %s, which had been put before", l.who(p), idWord(left))
			if p.op == final {
				requirement, sentence = "RQ-LOST", sayf("%s had been put and not taken, and were not there at the end", idWord(left))
			}
			return l.evidence(requirement, sentence, &l.parts[ln.putAt(s.end).part], p)
		case p.rule&ruleFull != 0 && ln.cap > 0 && n != ln.cap:
			return l.evidence("RQ-CAPACITY", sayf("%s moved half the ring to the global queue when it held %d of %d", l.who(p), n, ln.cap), p)
		}
	}
	return nil
}

// refusals checks the puts that were told that the ring is full.
func (l *lay) refusals(b *bounds) *Explanation {
	ln := &l.lanes[b.lane]
	for i := range l.parts {
		p := &l.parts[i]
		if p.deed != seeFull || int(p.lane) != b.lane {
			continue
		}
		if p.at < 0 {
			return l.evidence(l.seeID(p), sayf("%s, though the ring of %d can have held no more than %d", l.sight(p), ln.cap, p.at+ln.cap), p)
		}
		if int(p.at) >= len(b.takeOf) || int(b.takeOf[p.at]) >= len(ln.takes) {
			continue
		}
		t := ln.takes[b.takeOf[p.at]]
		if by := b.lTake[b.takeOf[p.at]].by; b.lTake[b.takeOf[p.at]].at < p.call {
			return l.evidence(l.seeID(p), sayf("%s although id %d had been taken before it was called: the ring of %d had room", l.sight(p), l.names[b.lane][t.start], ln.cap), p, &l.parts[t.part], &l.parts[by])
		}
		if t.start < p.at {
			return l.evidence(l.seeID(p), sayf("%s, but %s took %d at once: the ring never held just %d", l.sight(p), l.who(&l.parts[t.part]), t.end-t.start, ln.cap), p, &l.parts[t.part])
		}
	}
	return nil
}

// steals checks that each k is half of a length of the call. Plain are the
// bounds without that rule, from which the lengths are told.
func (l *lay) steals(plain, b *bounds) *Explanation {
	ln := &l.lanes[b.lane]
	worst := -1
	for q, s := range ln.takes {
		if !b.halves(s) {
			continue
		}
		after, before := b.reading(s)
		// Never so long, or one batch made it longer at once.
		never := after < 0 || before >= 0 && b.putOf[after] == b.putOf[before]
		if (never || b.eRead[q].at > b.lRead[q].at) && (worst < 0 || b.lTake[q].at < b.lTake[worst].at) {
			worst = q
		}
	}
	if worst < 0 {
		return nil
	}
	s := ln.takes[worst]
	p := &l.parts[s.part]
	from, until := plain.eRead[worst], plain.lTake[worst]
	parts := []*part{p}
	if worst > 0 && from.raise(plain.eTake[worst-1]) {
		parts = append(parts, &l.parts[from.by])
	}
	least, most := plain.lengths(from.at, until.at, s.start)
	k := s.end - s.start
	least = max(least, k)
	if 2*k-1 > most && int(s.start+most) < len(b.putOf) {
		parts = append(parts, &l.parts[ln.putAt(s.start+most).part]) // it came too late
	} else if at := s.start + 2*k; int(at) < len(b.putOf) && 2*k < least {
		parts = append(parts, &l.parts[ln.putAt(at).part]) // it was there already
	}
	may := []record.ID{}
	for n := least; n <= most; n++ {
		if h := record.ID(n - n/2); !slices.Contains(may, h) {
			may = append(may, h)
		}
	}
	length := sayf("%d..%d", least, most)
	if least == most {
		length = sayf("%d", least)
	}
	if len(may) == 0 || slices.Contains(may, record.ID(k)) {
		return l.evidence("RQ-STEAL-HALF", sayf("%s took %d of a ring whose length during the call, with no take since, was never %d or %d", l.who(p), k, 2*k-1, 2*k), parts...)
	}
	return l.evidence("RQ-STEAL-HALF", sayf("%s took %d of a ring whose length during the call was %s: k must be %s", l.who(p), k, length, either(may)), parts...)
}

func either(list []record.ID) string {
	if len(list) == 2 {
		return sayf("%d or %d", list[0], list[1])
	}
	return ids(list)
}
