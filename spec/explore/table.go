package explore

// A table is a set of fingerprints: open addressing in segments, the next place
// tried after the first. The highest bits of a fingerprint give its segment, the
// lowest its first place there.
//
// It doubles by splitting each segment in two, one of which is the old one: so
// it touches no more memory than it has in the end. Memory that a process
// touches for the first time is what costs most when a table grows.
type table struct {
	segments []*segment
	shift    uint // 64 less the bits of a segment's number
	count    int
	limit    int // count at which it grows
	spare    *segment
}

const segmentLen = 1 << 13

type segment [segmentLen]uint64

// loadOf8 is how many of 8 places may be taken: at more, probes leave the first
// cache line too often; at less, the table misses the cache more often.
const loadOf8 = 5

func newTable() *table {
	t := &table{segments: []*segment{new(segment), new(segment)}, shift: 63, spare: new(segment)}
	t.limit = len(t.segments) * segmentLen / 8 * loadOf8
	return t
}

// reserve makes room for n more fingerprints.
func (t *table) reserve(n int) {
	for t.count+n > t.limit {
		t.grow()
	}
}

func (t *table) grow() {
	t.shift--
	split := make([]*segment, 2*len(t.segments))
	for i, old := range t.segments {
		*t.spare = *old
		*old = segment{}
		split[2*i], split[2*i+1] = old, new(segment)
		for _, f := range t.spare {
			if f == 0 {
				continue
			}
			to := split[2*i+int(f>>t.shift&1)]
			at := f % segmentLen
			for to[at] != 0 {
				at = (at + 1) % segmentLen
			}
			to[at] = f
		}
	}
	t.segments = split
	t.limit *= 2
}

// add puts f in, and reports whether it is new. There must be room.
func (t *table) add(f uint64) bool {
	s := t.segments[f>>(t.shift&63)]
	for i := f; ; i++ {
		switch s[i%segmentLen] {
		case f:
			return false
		case 0:
			s[i%segmentLen] = f
			t.count++
			return true
		}
	}
}

// fetch reads the first place of each fingerprint, so that the misses of the
// cache overlap instead of coming one after another in add. The result has no
// meaning; it keeps the reads.
func (t *table) fetch(fs []uint64) (sum uint64) {
	for _, f := range fs {
		sum += t.segments[f>>(t.shift&63)][f%segmentLen]
	}
	return sum
}
