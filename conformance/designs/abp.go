package designs

import (
	"fmt"
	"sync/atomic"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// ABP is the bounded deque of Arora, Blumofe and Plaxton (Thread Scheduling for
// Multiprogrammed Multiprocessors, SPAA 1998). Its array does not go round: the
// owner starts anew at the front when it finds the deque empty. Each such start
// has a tag of its own, so that a thief that slept through one loses its swap
// though top is what it was. It fits the profile lifo-deque.
//
//	        top               bot
//	         |                 |
//	         v                 v
//	[taken] [oldest] [newest] [free]
//
// What it trades for that: slots that thieves emptied are not free before the
// owner has found nothing, or taken the last one. A put is refused at the end of
// the array however few there are, none even.
type ABP struct {
	age   atomic.Uint64 // tag and top: see newAge
	bot   atomic.Uint32 // the owner's
	slots []atomic.Uint64
}

// NewABP is a queue.Factory. An array has 256 slots if nothing else is asked for.
func NewABP(o queue.Options) (queue.Set, error) {
	c := o.Capacity
	if c == 0 {
		c = 256
	}
	if c < 1 {
		return nil, fmt.Errorf("designs: capacity: expected at least 1, saw %d", c)
	}
	s := make(set, o.Ps)
	for i := range s {
		s[i] = &ABP{slots: make([]atomic.Uint64, c)}
	}
	return s, nil
}

// newAge puts tag and top in one word, so that one swap looks at both. Tags may
// go past their end: no thief sleeps through 2^32 of them.
func newAge(tag, top uint32) uint64 { return uint64(tag)<<32 | uint64(top) }

func splitAge(age uint64) (tag, top uint32) { return uint32(age >> 32), uint32(age) }

// Put puts id at the bottom, if the array has not come to its end.
func (q *ABP) Put(id record.ID) bool {
	b := q.bot.Load()
	if int(b) == len(q.slots) {
		return false
	}
	q.slots[b].Store(id)
	q.bot.Store(b + 1)
	return true
}

// Get takes the newest. It lowers bot first and looks at top after: a thief that
// comes later sees the newest as gone. Only for the last one may a thief have
// been earlier; then both must swap the age. Whoever won, nothing is left, and
// the owner starts anew. bot goes first: at the new top and the old bot a thief
// would see what is gone.
func (q *ABP) Get() (record.ID, bool) {
	b := q.bot.Load()
	if b == 0 {
		return 0, false
	}
	b--
	q.bot.Store(b)
	id := q.slots[b].Load()
	old := q.age.Load()
	tag, top := splitAge(old)
	if b > top {
		return id, true
	}
	q.bot.Store(0)
	anew := newAge(tag+1, 0)
	if b == top && q.age.CompareAndSwap(old, anew) {
		return id, true
	}
	q.age.Store(anew)
	return 0, false
}

// Steal takes the oldest, or nothing if another was faster. The slot is read
// before the swap, since after it the owner may start anew and write there.
func (q *ABP) Steal() (record.ID, bool) {
	old := q.age.Load()
	tag, top := splitAge(old)
	if q.bot.Load() <= top {
		return 0, false
	}
	id := q.slots[top].Load()
	if !q.age.CompareAndSwap(old, newAge(tag, top+1)) {
		return 0, false
	}
	return id, true
}

// Empty reports whether there is nothing. The age is read first. If it is the
// same when bot is read, the two were true together. If not, there was a steal
// in between, or a new start, or both. A steal only takes more away, so a yes
// stays right; and there was something before it, so a no was right then. At a
// new start there is nothing, so a yes was right then; and a bot above 0 after
// it is one that was put, so a no was right, too.
func (q *ABP) Empty() bool {
	_, top := splitAge(q.age.Load())
	return q.bot.Load() <= top
}

// Len returns how many there are.
func (q *ABP) Len() int {
	_, top := splitAge(q.age.Load())
	return max(0, int(q.bot.Load())-int(top))
}

// Cap returns how many fit after a new start.
func (q *ABP) Cap() int { return len(q.slots) }

var (
	_ queue.Bounded = (*ABP)(nil)
	_ queue.Sized   = (*ABP)(nil)
)
