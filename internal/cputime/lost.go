// Package cputime says how much processor time this process has used, and how much time it has lost to other processes.
//
//interleave:off
package cputime

import (
	"runtime"
	"time"
)

// A Reading is what each thread of this process has had of the processors up to a moment.
type Reading struct {
	at      time.Time
	threads map[int]thread // by id; empty where the system does not say it
}

// A thread ran for so long, and waited for so long for a processor when it could have run.
type thread struct{ ran, waited time.Duration }

// Read reads it, on Linux. It takes about 10 µs for each thread. Elsewhere, a Reading has the time alone.
func Read() Reading { return Reading{time.Now(), threads()} }

// Since returns how long it was from before to r, and how much of that the process has lost to other processes, which had the processors that it
// could have used. What its own threads wait for one another is not lost. Where the system does not say it, lost is 0. It may be more than
// passed: a thread that still waits is counted when it runs again.
func (r Reading) Since(before Reading) (passed, lost time.Duration) {
	var all thread
	for id, t := range r.threads {
		b := before.threads[id]
		all.ran += max(t.ran-b.ran, 0)
		all.waited += max(t.waited-b.waited, 0)
	}
	passed = r.at.Sub(before.at)
	if len(before.threads) == 0 {
		return passed, 0
	}
	return passed, all.lost(passed, runtime.GOMAXPROCS(0))
}

// lost returns how much of the time that passed was lost by threads that ran and waited so long, in sum.
func (t thread) lost(passed time.Duration, processors int) time.Duration {
	// More processors than there are they could not have used.
	wanted := min(t.ran+t.waited, max(time.Duration(processors)*passed, t.ran))
	lost := wanted - t.ran
	if wanted > passed && passed > 0 {
		// So many threads have lost it side by side.
		lost = time.Duration(float64(lost) / float64(wanted) * float64(passed))
	}
	return lost
}
