package sched

import (
	"fmt"
	"strings"
	"time"
)

// A Snapshot says what there is in a scheduler at a moment. Each number is right for itself; Ms go on while they
// are read, so that two of them need not be of one moment.
type Snapshot struct {
	Age          time.Duration // since the scheduler was made
	Procs        int           // Ps
	Idle         int           // Ps that are idle
	Ms           int           // Ms that were made
	IdleMs       int           // Ms that sleep and have nothing to wait for
	Spinning     int           // Ms that look for work
	NeedSpinning bool          // there was work and no idle P
	Stopping     bool          // the world is to stop
	Queued       int           // Gs on the global queue
	SlicesOver   uint64        // how often sysmon has seen a time slice for too long, and asked for its end
	Wakes        uint64        // how often an M began to run that slept, that waited in the poller, or that is new
	Ps           []SnapshotP
	Gs           Gs

	Latency   Latencies     // from when Gs might run until they did, of one in 32
	TotalTime time.Duration // how long Ps were there, added up
	IdleTime  time.Duration // how long they were idle
	ParkTime  time.Duration // how long Gs were parked, added up, of those that went on; made out of one in 32
}

// SnapshotP is a P in a Snapshot.
type SnapshotP struct {
	ID        int
	Queued    int    // Gs in its queue
	InSyscall bool   // it lies with an M in a syscall, and may be taken
	Slices    uint32 // time slices that had begun there when sysmon looked last, modulo 2^32
	Syscalls  uint32 // syscalls that ended there, modulo 2^32
}

// Gs are how many Gs run, are runnable, wait, sleep, and are in Block. Those are runnable that are in a queue; that
// an M has just taken from one, or is about to put there, are counted with those that run.
type Gs struct{ Running, Runnable, Waiting, Sleeping, Blocked int }

func (n Gs) String() string {
	return fmt.Sprintf("%d that run, %d that are runnable, %d that wait, %d that sleep, %d in Block", n.Running, n.Runnable, n.Waiting, n.Sleeping, n.Blocked)
}

// gs counts the Gs that have not ended.
func (s *Scheduler) gs() (n Gs) {
	s.global.Lock() // outside: a snapshot
	queued := s.global.Len()
	ps := s.allp
	s.global.Unlock() // outside: a snapshot
	for _, p := range ps {
		queued += p.runq.Len()
	}
	s.allg.mu.Lock() // outside: the list of all Gs
	for _, g := range s.allg.list {
		switch g.status.Load() { // outside: the states of Gs
		case active:
			n.Running++
		case waiting:
			n.Waiting++
		case sleeping:
			n.Sleeping++
		case blocked:
			n.Blocked++
		}
	}
	s.allg.mu.Unlock() // outside: the list of all Gs
	n.Runnable = min(queued, n.Running)
	n.Running -= n.Runnable
	return n
}

// Snapshot returns what there is at this moment.
func (s *Scheduler) Snapshot() *Snapshot {
	s.global.Lock() // outside: a snapshot
	c := &Snapshot{
		Age: time.Duration(s.env.nanotime() - s.born), Procs: len(s.allp), Ms: len(s.allm), IdleMs: s.nmidle, Queued: s.global.Len(), Wakes: s.wakes,
	}
	ps := s.allp
	s.countsPs(s.busyness.idle)
	c.TotalTime, c.IdleTime = time.Duration(s.busyness.total), time.Duration(s.busyness.idled)
	s.global.Unlock() // outside: a snapshot
	c.Latency = s.latency.read()
	c.ParkTime = time.Duration(s.parked.Load()) // outside: a snapshot
	c.Idle = int(s.npidle.Load())               // outside: a snapshot
	c.Spinning = int(s.nmspinning.Load())       // outside: a snapshot
	c.NeedSpinning = s.needspinning.Load() != 0 // outside: a snapshot
	c.Stopping = s.gcwaiting.Load()             // outside: a snapshot
	for _, p := range ps {
		at := SnapshotP{ID: p.id, Queued: p.runq.Len()}
		at.Slices = p.slices.Load()              // outside: a snapshot
		at.Syscalls = p.syscalltick.Load()       // outside: a snapshot
		at.InSyscall = p.insyscall.Load() != nil // outside: a snapshot
		c.Ps = append(c.Ps, at)
	}
	c.SlicesOver = s.slicesOver.Load() // outside: a snapshot
	c.Gs = s.gs()
	return c
}

// String is a line as GODEBUG=schedtrace=X prints it: how many Ps, idle Ps, Ms, Ms that spin, and idle Ms
// there are, the lengths of the queues, first of the global one, and how many time slices began on each P.
func (c *Snapshot) String() string {
	var b strings.Builder
	need := 0
	if c.NeedSpinning {
		need = 1
	}
	fmt.Fprintf(&b, "SCHED %dms: gomaxprocs=%d idleprocs=%d threads=%d spinningthreads=%d needspinning=%d idlethreads=%d runqueue=%d [",
		c.Age.Milliseconds(), c.Procs, c.Idle, c.Ms, c.Spinning, need, c.IdleMs, c.Queued)
	for _, p := range c.Ps {
		fmt.Fprintf(&b, " %d", p.Queued)
	}
	b.WriteString(" ] schedticks=[")
	for _, p := range c.Ps {
		fmt.Fprintf(&b, " %d", p.Slices)
	}
	b.WriteString(" ]")
	return b.String()
}
