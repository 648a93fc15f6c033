package linearizability

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// An interval is an open interval of time during which a G is surely in an
// object: from the return of its put to the call of its take.
type interval struct {
	lo, hi    int64
	put, take int32 // effects; take is -1 if it was never taken
}

// A cover answers whether an object was surely filled throughout a call.
type cover struct {
	intervals []interval // by lo
	longest   []int32    // by index: which of the intervals up to there ends last
}

func newCover(intervals []interval) *cover {
	intervals = slices.DeleteFunc(slices.Clone(intervals), func(s interval) bool { return s.lo >= s.hi })
	slices.SortFunc(intervals, func(a, b interval) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi)) })
	c := &cover{intervals: intervals, longest: make([]int32, len(intervals))}
	for i := range intervals {
		c.longest[i] = int32(i)
		if i > 0 && intervals[c.longest[i-1]].hi >= intervals[i].hi {
			c.longest[i] = c.longest[i-1]
		}
	}
	return c
}

// before returns the interval that ends last of those that begin before at.
func (c *cover) before(at int64) (interval, bool) {
	i := sort.Search(len(c.intervals), func(i int) bool { return c.intervals[i].lo >= at }) - 1
	if i < 0 {
		return interval{}, false
	}
	return c.intervals[c.longest[i]], true
}

// over returns the fewest intervals that together cover [call, ret]; nil if none
// do.
func (c *cover) over(call, ret int64) []interval {
	var list []interval
	for at := call; ; {
		s, ok := c.before(at)
		if !ok || s.hi <= at {
			return nil
		}
		list = append(list, s)
		if s.hi > ret || s.hi == math.MaxInt64 {
			return list
		}
		at = s.hi
	}
}

// touches reports whether some interval has a moment inside [call, ret].
func (c *cover) touches(call, ret int64) bool {
	s, ok := c.before(ret)
	return ok && s.hi > call
}
