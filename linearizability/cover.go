package linearizability

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// A span is an open interval of time during which a G is surely in an object:
// from the latest moment of its put to the earliest of its take.
type span struct {
	lo, hi    int64
	put, take int32 // parts; take is -1 if it was never taken
	lane      int
}

// A cover answers whether an object was surely filled throughout an interval.
type cover struct {
	spans []span // by lo
	best  []int32
}

func newCover(spans []span) *cover {
	spans = slices.DeleteFunc(spans, func(s span) bool { return s.lo >= s.hi })
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi)) })
	c := &cover{spans: spans, best: make([]int32, len(spans))}
	for i := range spans {
		c.best[i] = int32(i)
		if i > 0 && spans[c.best[i-1]].hi >= spans[i].hi {
			c.best[i] = c.best[i-1]
		}
	}
	return c
}

// over returns the fewest spans that together cover [call, ret], or the first
// moment that none covers.
func (c *cover) over(call, ret int64) (evidence []span, free int64, covered bool) {
	at := call
	for {
		i := sort.Search(len(c.spans), func(i int) bool { return c.spans[i].lo >= at }) - 1
		if i < 0 {
			return nil, at, false
		}
		s := c.spans[c.best[i]]
		if s.hi <= at {
			return nil, at, false
		}
		evidence = append(evidence, s)
		if s.hi > ret || s.hi == math.MaxInt64 {
			return evidence, 0, true
		}
		at = s.hi
	}
}

// touches reports whether some span has a moment inside [call, ret].
func (c *cover) touches(call, ret int64) bool {
	i := sort.Search(len(c.spans), func(i int) bool { return c.spans[i].lo >= ret }) - 1
	if i < 0 {
		return false
	}
	return c.spans[c.best[i]].hi > call
}
