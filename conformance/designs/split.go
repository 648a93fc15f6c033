package designs

import (
	"fmt"
	"sync/atomic"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// Split is the split deque of Lace (van Dijk and van de Pol, Lace: Non-blocking
// Split Deque for Work-Stealing, Euro-Par 2014 workshops). Thieves take from the
// public part alone, the owner from the private part alone, without a swap. The
// owner moves the split between them: up if a thief found nothing and asked, or
// if the owner itself had found nothing; down if its own part is empty. It fits
// the contract lifo-deque,steal-miss=answered.
//
//	tail             split             head
//	 |                |                 |
//	 v                v                 v
//	[oldest, public] [newest, private] [free]
//
// What it trades for that: a thief finds nothing while all is private. Nor does
// it look again if its swap fails.
//
// Lace leaves a stolen task where it is until its result is fetched. Here a thief
// that has moved the tail takes the id out of its slot, and only an empty slot is
// free: a put is refused while a thief has not yet lifted what was there. Since
// no slot changes before it is taken, it does no harm that tail and split may be
// what they were before.
type Split struct {
	public atomic.Uint64   // tail and split: see newPublic
	head   atomic.Uint32   // the owner's; others read it for Empty and Len
	asked  atomic.Bool     // a thief found nothing public (Lace: movesplit)
	slots  []atomic.Uint64 // 0: free

	split uint32 // as in public, which the owner alone changes
	dry   bool   // the owner found nothing: what it puts next is public at once
	start uint32 // of the indices
}

// NewSplit is a queue.Factory. A deque holds 256 if nothing else is asked for.
func NewSplit(o queue.Options) (queue.Set, error) {
	c := o.Capacity
	if c == 0 {
		c = 256
	}
	if c < 1 || c&(c-1) != 0 {
		return nil, fmt.Errorf("designs: capacity: expected a power of two, saw %d", c)
	}
	s := make(set, o.Ps)
	for i := range s {
		q := &Split{slots: make([]atomic.Uint64, c), split: o.Start, dry: true, start: o.Start}
		q.public.Store(newPublic(o.Start, o.Start))
		q.head.Store(o.Start)
		s[i] = q
	}
	return s, nil
}

// newPublic puts both ends of the public part in one word: a thief moves its tail
// only where the split is as it saw it.
func newPublic(tail, split uint32) uint64 { return uint64(tail)<<32 | uint64(split) }

func ends(public uint64) (tail, split uint32) { return uint32(public >> 32), uint32(public) }

func (q *Split) slot(i uint32) *atomic.Uint64 { return &q.slots[i&uint32(len(q.slots)-1)] }

// Put puts id at the head, if the slot there is free.
func (q *Split) Put(id record.ID) bool {
	h := q.head.Load()
	slot := q.slot(h)
	if slot.Load() != 0 {
		return false
	}
	slot.Store(id)
	q.head.Store(h + 1)
	if q.dry || q.asked.Load() {
		q.grow(h + 1)
	}
	return true
}

// Get takes the newest, from the public part if the private one is empty.
func (q *Split) Get() (record.ID, bool) {
	h := q.head.Load()
	if h == q.split && !q.shrink() {
		q.dry = true
		return 0, false
	}
	h--
	slot := q.slot(h)
	id := slot.Load()
	slot.Store(0)
	q.head.Store(h)
	if q.asked.Load() {
		q.grow(h)
	}
	return id, true
}

// grow makes half of the private part public, rounded up.
func (q *Split) grow(head uint32) {
	if head == q.split {
		return
	}
	to := q.split + (head-q.split+1)/2
	for {
		old := q.public.Load()
		tail, _ := ends(old)
		if q.public.CompareAndSwap(old, newPublic(tail, to)) {
			break
		}
	}
	q.split = to
	q.dry = false
	q.asked.Store(false)
}

// shrink takes half of the public part back, rounded up; false means that there
// is nothing. Lace stores the split and looks at the tail after a fence. One swap
// of both does it, too.
func (q *Split) shrink() bool {
	for {
		old := q.public.Load()
		tail, split := ends(old)
		if tail == split {
			return false
		}
		to := tail + (split-tail)/2
		if q.public.CompareAndSwap(old, newPublic(tail, to)) {
			q.split = to
			return true
		}
	}
}

// Steal takes the oldest if it is public, or nothing if another was faster. The
// slot is read after the swap: it is the thief's until it is empty.
func (q *Split) Steal() (record.ID, bool) {
	old := q.public.Load()
	tail, split := ends(old)
	if tail == split {
		if !q.asked.Load() {
			q.asked.Store(true)
		}
		return 0, false
	}
	if !q.public.CompareAndSwap(old, newPublic(tail+1, split)) {
		return 0, false
	}
	slot := q.slot(tail)
	id := slot.Load()
	slot.Store(0)
	return id, true
}

// Empty reports whether there is nothing, public or private. The tail is read
// first: it only goes up, and never past the head. If the head is where the tail
// was, the tail was still there, and there was nothing. If it is not, there is
// something, or there was until a thief moved the tail in between.
func (q *Split) Empty() bool {
	tail, _ := ends(q.public.Load())
	return q.head.Load() == tail
}

// Len returns how many there are.
func (q *Split) Len() int {
	tail, _ := ends(q.public.Load())
	return int(q.head.Load() - tail)
}

// Cap returns how many the deque holds.
func (q *Split) Cap() int { return len(q.slots) }

// StartsAt returns where the indices started.
func (q *Split) StartsAt() uint32 { return q.start }

var (
	_ queue.Bounded = (*Split)(nil)
	_ queue.Sized   = (*Split)(nil)
	_ queue.Starter = (*Split)(nil)
)
