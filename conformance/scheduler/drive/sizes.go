package drive

import (
	realsync "sync"

	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/spec/record"
)

// sizes follows how many workers there may be. A scheduler may take a worker away when the task has ended that it has, and a task may
// have been chosen, and not have begun, when Resize returns. So those tasks alone are held to a number that were submitted when it was
// the number. Changes that overlap have one result, and nobody knows whose.
type sizes struct {
	running []atomic.Int64 // by time: the tasks that run and were submitted then

	mu      realsync.Mutex // the explorer does not see it: nothing that it sees happens inside
	time    int            // how many changes there were, those that overlap counted as one
	most    int            // how many workers there may be now
	pending int            // changes
	largest int            // of those that overlap
	of      []int          // by task: the time when it was submitted
}

func (z *sizes) init(g *record.TaskProgram) {
	z.running, z.of, z.most = make([]atomic.Int64, g.Resizes+1), make([]int, len(g.Tasks)), g.Workers
}

// submitted is called before a task is submitted.
func (z *sizes) submitted(k int) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.of[k] = z.time
}

// runs counts task k, and returns how many run that were submitted since the number of workers was changed last, and how many may. Those of
// earlier times are not judged.
func (z *sizes) runs(k int, n int64) (now, most int64) {
	z.mu.Lock()
	of := z.of[k]
	z.mu.Unlock()
	now = z.running[of].Add(n)
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.pending > 0 || of != z.time {
		return 0, 0
	}
	return now, int64(z.most)
}

// begin is called before a change.
func (z *sizes) begin() {
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.pending == 0 {
		z.largest = 0
	}
	z.pending++
}

// end is called after a change to n, which was done or not.
func (z *sizes) end(n int, done bool) {
	z.mu.Lock()
	defer z.mu.Unlock()
	if !done {
		n = z.most
	}
	z.largest = max(z.largest, n)
	if z.pending--; z.pending == 0 {
		z.most = z.largest
		z.time++
	}
}
