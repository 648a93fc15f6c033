package explore

// An index numbers whole states, in the order in which they come. It is exact:
// fingerprints only say where to look.
type index[S comparable] struct {
	hash   hasher
	chunks [][]S
	count  int
	slots  []uint64 // the high half of the fingerprint, then the number plus 1; 0 is free
}

func newIndex[S comparable](seed uint64) *index[S] {
	return &index[S]{hash: newHasher(seed), slots: make([]uint64, 1<<10)}
}

// at returns the state of a number.
func (x *index[S]) at(n int) *S { return &x.chunks[n/chunkLen][n%chunkLen] }

// add returns the number of s, and whether it is new.
func (x *index[S]) add(s *S) (int, bool) {
	if x.count >= len(x.slots)/2 {
		x.grow()
	}
	f := fingerprint(x.hash, s)
	n, free := x.look(s, f)
	if n < x.count {
		return n, false
	}
	x.slots[free] = f&^(1<<32-1) | uint64(n+1)
	if n%chunkLen == 0 {
		x.chunks = append(x.chunks, make([]S, 0, chunkLen))
	}
	last := &x.chunks[n/chunkLen]
	*last = append(*last, *s)
	x.count++
	return n, true
}

func (x *index[S]) look(s *S, f uint64) (n int, slot uint64) {
	mask := uint64(len(x.slots) - 1)
	for i := f & mask; ; i = (i + 1) & mask {
		e := x.slots[i]
		if e == 0 {
			return x.count, i
		}
		if (e^f)>>32 == 0 && *x.at(int(uint32(e)) - 1) == *s {
			return int(uint32(e)) - 1, i
		}
	}
}

func (x *index[S]) grow() {
	x.slots = make([]uint64, 2*len(x.slots))
	mask := uint64(len(x.slots) - 1)
	for n := range x.count {
		f := fingerprint(x.hash, x.at(n))
		i := f & mask
		for x.slots[i] != 0 {
			i = (i + 1) & mask
		}
		x.slots[i] = f&^(1<<32-1) | uint64(n+1)
	}
}
