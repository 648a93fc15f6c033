package structures

import "sync/atomic"

// A TwoPhase is a ring in which a steal of many values has two phases, as in the
// scheduler of tokio (tokio/src/runtime/scheduler/multi_thread/queue.rs): a thief
// claims them, copies them, and releases their slots. The owner goes on in
// between, and only one thief steals at a time.
type TwoPhase struct {
	head  atomic.Uint64 // where the slots in use begin, above; where the values begin, below
	tail  atomic.Uint32 // written by the owner
	slots []atomic.Int64
	flaw  Flaw
}

// Flaws of a TwoPhase.
const (
	// RoomByValues has the owner take claimed slots for free ones, so that it
	// fills them while they are copied.
	RoomByValues Flaw = "claimed slots taken for free"
	// ReleaseByStore has a thief release by a store of what it claimed, which
	// takes back what the owner took in the meantime.
	ReleaseByStore Flaw = "released by a store"
	// ClaimTwice lets a thief claim while another copies.
	ClaimTwice Flaw = "claimed while another copies"
)

// NewTwoPhase makes a ring with size slots, a power of two.
func NewTwoPhase(size int, flaw Flaw) *TwoPhase {
	return &TwoPhase{slots: make([]atomic.Int64, size), flaw: flaw}
}

func pack(used, real uint32) uint64       { return uint64(used)<<32 | uint64(real) }
func unpack(h uint64) (used, real uint32) { return uint32(h >> 32), uint32(h) }

func (q *TwoPhase) slot(i uint32) *atomic.Int64 { return &q.slots[i&uint32(len(q.slots)-1)] }

// Push adds v. Called by the owner. It reports false if no slot is free.
func (q *TwoPhase) Push(v int64) bool {
	t := q.tail.Load()
	used, real := unpack(q.head.Load())
	if q.flaw == RoomByValues {
		used = real
	}
	if t-used >= uint32(len(q.slots)) {
		return false
	}
	q.slot(t).Store(v)
	q.tail.Store(t + 1)
	return true
}

// Pop takes the oldest value that is not claimed. Called by the owner.
func (q *TwoPhase) Pop() (int64, bool) {
	for {
		h := q.head.Load()
		used, real := unpack(h)
		if real == q.tail.Load() {
			return 0, false
		}
		next := pack(used, real+1)
		if used == real { // nothing is claimed
			next = pack(real+1, real+1)
		}
		if q.head.CompareAndSwap(h, next) {
			return q.slot(real).Load(), true
		}
	}
}

// Steal takes half of the values, rounded up. It returns nil if there are none or
// another steal is under way.
func (q *TwoPhase) Steal() []int64 {
	first, n := q.claim()
	if n == 0 {
		return nil
	}
	stolen := make([]int64, n)
	for i := range n {
		stolen[i] = q.slot(first + i).Load()
	}
	q.release(first + n)
	return stolen
}

func (q *TwoPhase) claim() (first, n uint32) {
	for {
		h := q.head.Load()
		used, real := unpack(h)
		if used != real && q.flaw != ClaimTwice {
			return 0, 0
		}
		n = q.tail.Load() - real
		if n -= n / 2; n == 0 {
			return 0, 0
		}
		if q.head.CompareAndSwap(h, pack(used, real+n)) {
			return real, n
		}
	}
}

func (q *TwoPhase) release(end uint32) {
	if q.flaw == ReleaseByStore {
		q.head.Store(pack(end, end))
		return
	}
	for {
		h := q.head.Load()
		_, real := unpack(h)
		if q.head.CompareAndSwap(h, pack(real, real)) {
			return
		}
	}
}
