package order

import "math/bits"

// MaxThreads bounds the threads of an execution.
const MaxThreads = 32

// A Clock counts events by thread: those that happen before something.
type Clock [MaxThreads]int32

// Join makes c the later of c and o, for the first width threads.
func (c *Clock) Join(o *Clock, width int) {
	to, from := c[:width], o[:width]
	for i := range to {
		to[i] = max(to[i], from[i])
	}
}

// A ThreadSet is a set of threads, a bit for each.
type ThreadSet uint32

// Has reports whether thread t is in the set.
func (s ThreadSet) Has(t int) bool { return s>>(t&31)&1 != 0 }

// First returns the member with the lowest number.
func (s ThreadSet) First() int { return bits.TrailingZeros32(uint32(s)) }

// Size returns how many members there are.
func (s ThreadSet) Size() int { return bits.OnesCount32(uint32(s)) }

// Nth returns the member that k others come before.
func (s ThreadSet) Nth(k int) int {
	for ; k > 0; k-- {
		s &= s - 1
	}
	return s.First()
}

// Prefer returns now if it is in the set, else the first.
func (s ThreadSet) Prefer(now int) int {
	if now >= 0 && s.Has(now) {
		return now
	}
	return s.First()
}
