package drive

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// A meeting keeps the threads of a run together. On a busy machine a thread may
// lose its processor for longer than a whole scenario takes, and then the
// others meet nobody; so they stop now and then until all have come as far.
// Between two stops, some thirty calls, nothing holds them together.
//
// It is a courtesy, not a barrier: a thread that has waited long in total goes
// on alone.
type meeting struct {
	at []place
}

// place is how far one thread has come, on a cache line of its own.
type place struct {
	n atomic.Int64
	_ [56]byte
}

const (
	// burst is about how many calls a thread makes between two stops.
	burst = 32
	// patience is how long a thread waits in one run, in total.
	patience = 20 * time.Millisecond
	// spinFor is how long a thread waits before it yields its processor. One
	// that yields lets another run in its place, so that they come one after
	// the other; but with more threads than processors yielding must follow.
	spinFor = 100 * time.Microsecond
)

func newMeeting(threads int) *meeting { return &meeting{at: make([]place, threads)} }

// wait says that thread n has come to stop k and waits until all have. It
// returns what is left of the thread's patience.
func (m *meeting) wait(n int, k int64, left time.Duration) time.Duration {
	m.at[n].n.Store(k)
	for i := range m.at {
		if m.at[i].n.Load() >= k || left <= 0 {
			continue
		}
		begin := time.Now()
		for spins := 0; m.at[i].n.Load() < k; spins++ {
			if spins%64 != 63 {
				continue
			}
			waited := time.Since(begin)
			if waited > left {
				break
			}
			if waited > spinFor {
				runtime.Gosched()
			}
		}
		left -= time.Since(begin)
	}
	return left
}

// leave says that thread n goes no further.
func (m *meeting) leave(n int) { m.at[n].n.Store(math.MaxInt64) }
