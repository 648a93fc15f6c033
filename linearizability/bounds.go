package linearizability

import "math"

// A bound is a moment and the part whose call or return sets it.
type bound struct {
	at int64
	by int32
}

func (b *bound) raise(o bound) bool {
	if o.at > b.at {
		*b = o
		return true
	}
	return false
}

func (b *bound) lower(o bound) bool {
	if o.at < b.at {
		*b = o
		return true
	}
	return false
}

// edges are the rules of precedence that bounds follow besides the order of
// positions and "a take after its put".
type edges struct {
	room bool // the put of position p comes after the take of p - capacity
	half bool // the reading of a length: see reading
}

// bounds are the earliest and latest moments of the steps of one lane. Each is
// the call or the return of some part, carried along chains of precedence:
// where an earliest moment lies after a latest one, the two parts that set them
// contradict each other.
type bounds struct {
	l              *lay
	lane           int
	edges          edges
	ePut, lPut     []bound
	eTake, lTake   []bound
	eRead, lRead   []bound // of the takes with ruleHalf
	putOf          []int32 // by position: the index of its put
	takeOf         []int32 // by position: the index of its take, or len(takes)
	changed        bool
	neverE, neverL bound
}

func newBounds(l *lay, which int, e edges) *bounds {
	ln := &l.lanes[which]
	b := &bounds{
		l: l, lane: which, edges: e,
		ePut: make([]bound, len(ln.puts)), lPut: make([]bound, len(ln.puts)),
		eTake: make([]bound, len(ln.takes)+1), lTake: make([]bound, len(ln.takes)+1),
		eRead: make([]bound, len(ln.takes)), lRead: make([]bound, len(ln.takes)),
		neverE: bound{math.MinInt64, -1}, neverL: bound{math.MaxInt64, -1},
	}
	n := len(l.names[which])
	b.putOf, b.takeOf = make([]int32, n), make([]int32, n)
	for i, s := range ln.puts {
		p := &l.parts[s.part]
		b.ePut[i], b.lPut[i] = bound{p.call, s.part}, bound{p.ret, s.part}
		for at := s.start; at < s.end; at++ {
			b.putOf[at], b.takeOf[at] = int32(i), int32(len(ln.takes))
		}
	}
	for i, s := range ln.takes {
		p := &l.parts[s.part]
		b.eTake[i], b.lTake[i] = bound{p.call, s.part}, bound{p.ret, s.part}
		b.eRead[i], b.lRead[i] = b.eTake[i], b.lTake[i]
		for at := s.start; at < s.end; at++ {
			b.takeOf[at] = int32(i)
		}
	}
	// What was never taken is taken after all else, by nobody.
	b.eTake[len(ln.takes)], b.lTake[len(ln.takes)] = bound{math.MaxInt64, -1}, b.neverL
	// One pass nearly always suffices; the bounds hold however few are made.
	for range 8 {
		b.changed = false
		b.forward(ln)
		b.backward(ln)
		if !b.changed {
			break
		}
	}
	return b
}

func (b *bounds) raise(x *bound, o bound) { b.changed = x.raise(o) || b.changed }
func (b *bounds) lower(x *bound, o bound) { b.changed = x.lower(o) || b.changed }

// reading returns the positions whose puts a steal's reading of the length must
// follow and precede: with k taken from position i, the length was 2k-1 or 2k,
// so i+2k-2 was there and i+2k was not. -1 stands for none.
func (b *bounds) reading(s step) (after, before int32) {
	k, n := s.end-s.start, int32(len(b.putOf))
	after, before = s.start+2*k-2, s.start+2*k
	if after >= n {
		after = -1 // never put at all: see steals
	}
	if before >= n {
		before = -1
	}
	return after, before
}

func (b *bounds) halves(s step) bool {
	return b.edges.half && b.l.parts[s.part].rule&ruleHalf != 0
}

// forward carries earliest moments on: in the order of positions, takes as soon
// as their puts have been passed.
func (b *bounds) forward(ln *lane) {
	q := 0
	takes := func(until int32) {
		for ; q < len(ln.takes) && ln.takes[q].end <= until; q++ {
			s := ln.takes[q]
			if q > 0 {
				b.raise(&b.eTake[q], b.eTake[q-1])
			}
			if b.l.parts[s.part].deed == swap {
				b.raise(&b.eTake[q], b.ePut[b.l.seq[s.part]])
				b.raise(&b.ePut[b.l.seq[s.part]], b.eTake[q])
			}
			b.raise(&b.eTake[q], b.ePut[b.putOf[s.end-1]])
			if b.halves(s) {
				after, before := b.reading(s)
				if q > 0 {
					b.raise(&b.eRead[q], b.eTake[q-1])
				}
				if after >= 0 {
					b.raise(&b.eRead[q], b.ePut[b.putOf[after]])
				}
				if before >= 0 {
					b.raise(&b.ePut[b.putOf[before]], b.eRead[q])
				}
				b.raise(&b.eTake[q], b.eRead[q])
			}
		}
	}
	for t, s := range ln.puts {
		if t > 0 {
			b.raise(&b.ePut[t], b.ePut[t-1])
		}
		if b.edges.room && ln.cap > 0 && s.end > ln.cap && b.l.parts[s.part].deed != swap {
			takes(s.end - ln.cap)
			b.raise(&b.ePut[t], b.eTake[b.takeOf[s.end-ln.cap-1]])
		}
	}
	takes(int32(len(b.putOf)))
}

// backward carries latest moments back.
func (b *bounds) backward(ln *lane) {
	q := len(ln.takes) - 1
	takes := func(from int32) {
		for ; q >= 0 && ln.takes[q].start >= from; q-- {
			s := ln.takes[q]
			if q+1 < len(ln.takes) {
				b.lower(&b.lTake[q], b.lTake[q+1])
			}
			if b.l.parts[s.part].deed == swap {
				b.lower(&b.lTake[q], b.lPut[b.l.seq[s.part]])
			}
			if at := s.start + ln.cap; b.edges.room && ln.cap > 0 && int(at) < len(b.putOf) {
				b.lower(&b.lTake[q], b.lPut[b.putOf[at]])
			}
			if b.halves(s) {
				after, before := b.reading(s)
				b.lower(&b.lRead[q], b.lTake[q])
				if before >= 0 {
					b.lower(&b.lRead[q], b.lPut[b.putOf[before]])
				}
				if after >= 0 {
					b.lower(&b.lPut[b.putOf[after]], b.lRead[q])
				}
				if q > 0 {
					b.lower(&b.lTake[q-1], b.lRead[q])
				}
			}
		}
	}
	for t := len(ln.puts) - 1; t >= 0; t-- {
		s := ln.puts[t]
		if t+1 < len(ln.puts) {
			b.lower(&b.lPut[t], b.lPut[t+1])
		}
		takes(s.start)
		if i := b.takeOf[s.start]; int(i) < len(ln.takes) {
			b.lower(&b.lPut[t], b.lTake[i])
			if b.l.parts[s.part].deed == swap {
				b.lower(&b.lPut[t], b.lTake[b.l.seq2[s.part]])
			}
		}
	}
	takes(0)
}

// A clash is a contradiction: first must come before then, but then returned
// before first was called. Through is the step where the two met.
type clash struct {
	first, then int32
	through     int32
	at          int64
}

// clash returns the earliest contradiction of the fewest parts.
func (b *bounds) clash(reads bool) (clash, bool) {
	var best clash
	found := false
	size := func(c clash) int {
		n := 2
		if c.through != c.first && c.through != c.then {
			n++
		}
		return n
	}
	try := func(e, l bound, part int32) {
		if e.at <= l.at || e.by < 0 || l.by < 0 {
			return
		}
		c := clash{e.by, l.by, part, l.at}
		if !found || size(c) < size(best) || size(c) == size(best) && c.at < best.at {
			best, found = c, true
		}
	}
	ln := &b.l.lanes[b.lane]
	if reads {
		for i, s := range ln.takes {
			if b.halves(s) {
				try(b.eRead[i], b.lRead[i], s.part)
			}
		}
		return best, found
	}
	for i, s := range ln.takes {
		try(b.eTake[i], b.lTake[i], s.part)
	}
	for i, s := range ln.puts {
		try(b.ePut[i], b.lPut[i], s.part)
	}
	return best, found
}

// spans returns when each G was surely there. A swap leaves no gap: what it
// puts and what it takes are one span.
func (b *bounds) spans() []span {
	ln := &b.l.lanes[b.lane]
	var out []span
	for t, s := range ln.puts {
		at := s.end - 1 // the last of a batch stays longest
		i := b.takeOf[at]
		sp := span{lo: b.lPut[t].at, hi: b.eTake[i].at, put: s.part, take: -1, lane: b.lane}
		if int(i) < len(ln.takes) {
			sp.take = ln.takes[i].part
			if by := b.eTake[i].by; by >= 0 && b.l.parts[by].takes() {
				sp.take = by // the call that kept it there so long
			}
		}
		if b.l.parts[s.part].deed == swap && len(out) > 0 {
			last := &out[len(out)-1]
			last.hi, last.take = sp.hi, sp.take
			continue
		}
		out = append(out, sp)
	}
	return out
}

// lengths returns the least and the greatest length that the lane can have had
// at moments from call to ret.
func (b *bounds) lengths(call, ret int64, head int32) (least, most int32) {
	ln := &b.l.lanes[b.lane]
	for t, s := range ln.puts {
		if b.lPut[t].at < call {
			least = s.end
		}
		if b.ePut[t].at <= ret {
			most = s.end
		}
	}
	return max(0, least-head), max(0, most-head)
}
