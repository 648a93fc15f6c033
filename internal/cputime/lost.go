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

// A thread ran for so long, and waited for so long for a processor when it could have run. What it still waits is in waited only when it runs again:
// until then it is known that it can run.
type thread struct {
	ran, waited time.Duration
	can         bool
}

// Read reads it, on Linux. It takes about 20 µs for each thread. Elsewhere, a Reading has the time alone.
func Read() Reading { return Reading{time.Now(), threads()} }

// Since returns how long it was from before to r, and how much of that the process has lost to other processes: they had the processors that it
// could have used. That is an estimate, and 0 where the system does not say it. It is good for a tenth of a second or less, in which a goroutine
// hardly changes its thread: see lost.
func (r Reading) Since(before Reading) (passed, lost time.Duration) {
	passed = r.at.Sub(before.at)
	if len(before.threads) == 0 {
		return passed, 0
	}
	var list []thread
	for id, t := range r.threads {
		b := before.threads[id]
		had := thread{ran: t.ran - b.ran, waited: t.waited - b.waited}
		if t.can && b.can && had == (thread{}) {
			had.waited = passed
		}
		list = append(list, had)
	}
	return passed, lostBy(list, passed, runtime.GOMAXPROCS(0))
}

// lostBy returns how much of the time that passed the process has lost whose threads ran and waited so long. The sum of what they waited is too
// much: where one goroutine waits for a processor, others of the runtime often do, too, for nothing. So it is as long as one thread waited. It
// cannot be the time in which one ran, or all processors were its own.
func lostBy(threads []thread, passed time.Duration, processors int) time.Duration {
	var waited, ran, all time.Duration // the longest, and the sum
	for _, t := range threads {
		waited, ran, all = max(waited, t.waited), max(ran, t.ran), all+t.ran
	}
	return max(min(waited, passed-max(ran, all/time.Duration(processors))), 0)
}
