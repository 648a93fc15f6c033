package sched

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// This file has figures: how long Gs that may run wait for a P, how long Gs wait in Park, and how long Ps are idle.
// To read the clock takes longer than to put a G in a queue. So of 32 times that a G begins to wait, one is timed, and the sum is
// multiplied by 32. (The runtime times one in eight, and its clock is faster: gTrackingPeriod.)

// trackEvery says that one in so many waits of a G is timed.
const trackEvery = 32

// tracks notes when g begins to wait for a P, at one in 32 of these times. Nobody else has g.
func (g *G) tracks() {
	if g.seq++; g.seq%trackEvery == 0 && g.since == 0 {
		g.since = g.s.env.ticks()
	}
}

// parks notes when g parks, if tracks will note when it is made ready. So Gs that park each time are tracked in both waits.
func (g *G) parks() {
	if (g.seq+1)%trackEvery == 0 {
		g.since = g.s.env.ticks()
	}
}

// tracked ends what tracks or parks began, and returns how long it took, in ns, if it was tracked.
func (g *G) tracked() (ns int64, ok bool) {
	if g.since == 0 {
		return 0, false
	}
	ns = max(0, g.s.env.ticks()-g.since)
	g.since = 0
	return ns, true
}

// hasParked counts how long g was in Park. It has just been made ready.
func (g *G) hasParked() {
	if ns, ok := g.tracked(); ok {
		g.s.parked.Add(ns * trackEvery) // outside: figures
	}
}

// hasWaited counts how long g waited for a P, which is about to run.
func (g *G) hasWaited() {
	if ns, ok := g.tracked(); ok {
		g.s.latency.add(ns)
	}
}

// Latencies counts times by their length.
type Latencies struct {
	// Counts has at i how many times were from 2^(i-1) ns on and shorter than 2^i; at 0, those of no length.
	Counts [latencyBuckets]uint64
}

const latencyBuckets = 48

// N returns how many there are.
func (l *Latencies) N() (n uint64) {
	for _, c := range l.Counts {
		n += c
	}
	return n
}

// Quantile returns a time that a share q of all do not pass, from 0 to 1, to a power of two of ns; 0 if there are none.
func (l *Latencies) Quantile(q float64) time.Duration {
	need := q * float64(l.N())
	n := uint64(0)
	for i, c := range l.Counts {
		if n += c; c > 0 && float64(n) >= need {
			return time.Duration(int64(1) << i)
		}
	}
	return 0
}

// latencies are Latencies to which many add. (timeHistogram)
type latencies [latencyBuckets]atomic.Uint64

func (l *latencies) add(ns int64) {
	l[min(bits.Len64(uint64(ns)), latencyBuckets-1)].Add(1) // outside: figures
}

func (l *latencies) read() (all Latencies) {
	for i := range l {
		all.Counts[i] = l[i].Load() // outside: figures
	}
	return all
}

// A busyness is how long Ps were idle, and how long they were there. Its lock is the scheduler's. (sched.idleTime, sched.totaltime)
type busyness struct {
	at           int64 // until when it is counted
	procs, idle  int   // since then
	total, idled int64 // in ns, of all Ps
}

// counts brings it to the present, from which on there are so many Ps.
func (b *busyness) counts(now int64, procs, idle int) {
	b.total += (now - b.at) * int64(b.procs)
	b.idled += (now - b.at) * int64(b.idle)
	b.at, b.procs, b.idle = now, procs, idle
}

// countsPs notes how many Ps there are and are idle from now on. It does not look at npidle, which others read. The lock must
// be held.
func (s *Scheduler) countsPs(idle int) {
	s.busyness.counts(s.env.ticks(), len(s.allp), idle)
}
