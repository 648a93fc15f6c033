package explore

import "unsafe"

// memory is the bytes of what grows with the states.
func (e *exploration[S]) memory() int {
	n := e.seen.bytes() + e.from.bytes() + e.waiting.made*chunkLen*int(unsafe.Sizeof(*new(S)))
	if e.more != nil {
		n += e.more()
	}
	return n
}

func (t *table) bytes() int { return len(t.segments) * (segmentLen*8 + 8) }

// growth is how many bytes more the table has after a reserve.
func (t *table) growth(n int) int {
	more := 0
	for limit := t.limit; t.count+n > limit; limit *= 2 {
		more += t.bytes() + more
	}
	return more
}

func (p *parents) bytes() int { return len(p.chunks) * int(unsafe.Sizeof(parentChunk{})) }

func (x *index[S]) bytes() int {
	return 8*len(x.slots) + len(x.chunks)*chunkLen*int(unsafe.Sizeof(*new(S)))
}

// growth is how many bytes more the index needs to grow, if the next state makes it.
func (x *index[S]) growth() int {
	if x.count < len(x.slots)/2 {
		return 0
	}
	return 16 * len(x.slots)
}

func (r *region) bytes() int {
	return 4*cap(r.states) + 8*cap(r.ends) + int(unsafe.Sizeof(arc{}))*cap(r.arcs) + 8*cap(r.enabled)
}

// judging is how many bytes more are needed to look for a cycle.
func (r *region) judging() int {
	const marked, ordered, stacked, listed = 4, 8, 4 + int(unsafe.Sizeof(visit{})), 4
	return len(r.states) * (marked + ordered + stacked + listed)
}
