package designs

import (
	"fmt"
	"sync/atomic"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// TwoPhase is the ring of tokio's multi-threaded scheduler (its file
// runtime/scheduler/multi_thread/queue.rs). A steal has two phases: it claims
// half of the ring by moving the real head, copies at leisure, and then
// releases the slots by moving the steal head after it. In between the owner
// goes on taking, and takes the claimed slots for used.
//
//	steal         real         tail
//	  |             |            |
//	  v             v            v
//	[claimed ....] [to be taken] [free]
//
// What it trades for that: only one thief at a time, the others find nothing; a
// put is refused while a thief holds the slots that it needs. tokio puts on its
// injector then; there is none here. It fits the profile tokio.
type TwoPhase struct {
	heads atomic.Uint64 // steal and real: see pack
	tail  atomic.Uint32 // the owner's
	slots []atomic.Uint64

	index int    // which P's
	start uint32 // of the indices
	// loot is what the owner's last steal put here, for Moved.
	loot []record.ID
	from int
}

// NewTwoPhase is a queue.Factory. A ring holds 256 if nothing else is asked
// for, as tokio's.
func NewTwoPhase(o queue.Options) (queue.Set, error) {
	return newSet(o, func(q *TwoPhase) queue.Queue { return q })
}

// newSet makes rings and has wrap make queues of them.
func newSet(o queue.Options, wrap func(*TwoPhase) queue.Queue) (queue.Set, error) {
	c := o.Capacity
	if c == 0 {
		c = 256
	}
	if c < 2 || c&(c-1) != 0 {
		return nil, fmt.Errorf("designs: capacity: expected a power of two, saw %d", c)
	}
	s := make(set, o.Ps)
	for i := range s {
		q := &TwoPhase{slots: make([]atomic.Uint64, c), index: i, start: o.Start}
		q.heads.Store(pack(o.Start, o.Start))
		q.tail.Store(o.Start)
		s[i] = wrap(q)
	}
	return s, nil
}

type set []queue.Queue

func (s set) P(i int) queue.Queue { return s[i] }

// pack puts both heads in one word, so that one swap moves both. Where they are
// equal no thief is at work.
func pack(steal, real uint32) uint64 { return uint64(steal)<<32 | uint64(real) }

func unpack(heads uint64) (steal, real uint32) { return uint32(heads >> 32), uint32(heads) }

func (q *TwoPhase) slot(i uint32) *atomic.Uint64 { return &q.slots[i&uint32(len(q.slots)-1)] }

// Put puts id at the tail. Slots that a thief still copies from are not free.
func (q *TwoPhase) Put(id record.ID) bool {
	steal, _ := unpack(q.heads.Load())
	t := q.tail.Load()
	if t-steal >= uint32(len(q.slots)) {
		return false
	}
	q.slot(t).Store(id)
	q.tail.Store(t + 1)
	return true
}

// Get takes the oldest that is not claimed. While a thief is at work it moves
// the real head alone: the steal head is the thief's.
func (q *TwoPhase) Get() (record.ID, bool) {
	for {
		heads := q.heads.Load()
		steal, real := unpack(heads)
		if real == q.tail.Load() {
			return 0, false
		}
		next := pack(steal, real+1)
		if steal == real {
			next = pack(real+1, real+1)
		}
		if q.heads.CompareAndSwap(heads, next) {
			return q.slot(real).Load(), true
		}
	}
}

// StealInto takes half, rounded up: the newest of them is returned, the others
// go to the thief's ring. There is no slot in front, so next says nothing.
func (q *TwoPhase) StealInto(thief queue.Queue, next bool) (record.ID, bool) {
	to := thief.(interface{ ring() *TwoPhase }).ring()
	if !to.hasRoom() {
		return 0, false
	}
	first, n := q.claim()
	if n == 0 {
		return 0, false
	}
	id := q.copyTo(to, first, n)
	q.release()
	to.publish(q, n-1)
	return id, true
}

func (q *TwoPhase) ring() *TwoPhase { return q }

// hasRoom reports whether half a ring fits. A ring that its owner sees empty may
// have no room, while another thief still copies from it.
func (q *TwoPhase) hasRoom() bool {
	steal, _ := unpack(q.heads.Load())
	return q.tail.Load()-steal <= uint32(len(q.slots)/2)
}

// claim moves the real head over half of what is there and leaves the steal
// head behind: the claimed slots are the caller's until it releases them. n is
// 0 if there is nothing, or if another thief is at work.
func (q *TwoPhase) claim() (first, n uint32) {
	for {
		heads := q.heads.Load()
		steal, real := unpack(heads)
		n := q.tail.Load() - real
		n -= n / 2
		if steal != real || n == 0 {
			return 0, 0
		}
		if q.heads.CompareAndSwap(heads, pack(steal, real+n)) {
			return real, n
		}
	}
}

// copyTo copies n from index first to behind to's tail, where nobody sees them
// yet, and returns the last of them.
func (q *TwoPhase) copyTo(to *TwoPhase, first, n uint32) (last record.ID) {
	t := to.tail.Load()
	to.loot = to.loot[:0]
	for i := range n {
		last = q.slot(first + i).Load()
		to.slot(t + i).Store(last)
		to.loot = append(to.loot, last)
	}
	to.loot = to.loot[:n-1]
	return last
}

// release gives the claimed slots back to the owner, which may have moved the
// real head on in the meantime.
func (q *TwoPhase) release() {
	for {
		heads := q.heads.Load()
		_, real := unpack(heads)
		if q.heads.CompareAndSwap(heads, pack(real, real)) {
			return
		}
	}
}

// publish makes the n behind the tail, which came from a victim, visible.
func (q *TwoPhase) publish(victim *TwoPhase, n uint32) {
	q.from = victim.index
	q.tail.Store(q.tail.Load() + n)
}

// Steal takes one for a thief that has no ring.
func (q *TwoPhase) Steal() (record.ID, bool) {
	for {
		heads := q.heads.Load()
		steal, real := unpack(heads)
		if steal != real || q.tail.Load() == real {
			return 0, false
		}
		id := q.slot(real).Load()
		if q.heads.CompareAndSwap(heads, pack(real+1, real+1)) {
			return id, true
		}
	}
}

// Empty reports whether there is nothing to take. Both indices only go up, and
// tail is read last: if it is no further than the real head was, nothing was
// there when it was read.
func (q *TwoPhase) Empty() bool {
	_, real := unpack(q.heads.Load())
	return real == q.tail.Load()
}

// Cap returns how many the ring holds.
func (q *TwoPhase) Cap() int { return len(q.slots) }

// StartsAt returns where the indices started.
func (q *TwoPhase) StartsAt() uint32 { return q.start }

// Moved reports what the owner's last steal put in this ring.
func (q *TwoPhase) Moved(move func(from, to record.Place, ids ...record.ID)) {
	if len(q.loot) > 0 {
		move(record.Place{Object: record.Ring, P: q.from}, record.Place{Object: record.Ring, P: q.index}, q.loot...)
		q.loot = q.loot[:0]
	}
}

var (
	_ queue.BatchStealer = (*TwoPhase)(nil)
	_ queue.Bounded      = (*TwoPhase)(nil)
	_ queue.Starter      = (*TwoPhase)(nil)
	_ queue.Mover        = (*TwoPhase)(nil)
)
