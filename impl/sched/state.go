package sched

import (
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/impl/runq"
)

// An M runs Gs while it has a P. It is a goroutine, or will be one once it is woken for the
// first time.
type M struct {
	s        *Scheduler
	p        *P            // that it has, or nil
	nextp    *P            // that it is given when it is woken
	spinning bool          // it has no work, and is counted in nmspinning
	born     bool          // its goroutine runs
	note     note          // on which it sleeps
	link     *M            // the next one on the list of idle Ms
	curg     *G            // that it runs, or ran last
	chosen   bool          // curg is the next one
	over     bool          // the scheduler has ended
	call     func(*G) bool // what curg has asked for; nil if it has ended
	lockedg  *G            // the only G that it may run, or nil
	exits    *G            // a G that took the M's goroutine with it: see mexit
	random   uint32        // the state of cheaprand
	looks    uint32        // how often it looked for Gs at another P
	at       int           // its place in allm
	id       int32         // its number, from 1
	spans    []span        // of the trace
	since    int64         // when the span began that is not over
	why      string        // why the G stops that it ran
}

// wake wakes an M that has a P in nextp. (notewakeup; newm)
func (m *M) wake() {
	if m.born {
		m.note.wakeup()
		return
	}
	m.born = true
	m.s.ms.Add(1) // outside: Close waits for it
	if m.lockedg != nil {
		go m.lockedstart()
	} else {
		go m.mstart()
	}
}

// mstart is the goroutine of an M.
func (m *M) mstart() {
	defer m.mexit()
	if m.exits == nil {
		m.acquirep(m.nextp)
		m.nextp = nil
	} else { // it goes on in place of another goroutine
		gp := m.exits
		m.exits = nil
		m.gdestroy(gp) // its stack is gone
	}
	m.schedule()
}

// mexit ends the goroutine of an M. A G that calls runtime.Goexit ends it, too, since a
// coroutine hands that on to whoever resumed it; the M then goes on with another one.
func (m *M) mexit() {
	if m.exits != nil {
		go m.mstart()
		return
	}
	m.s.ms.Done() // outside: Close waits for it
}

// cheaprand returns a number by chance (xorshift).
func (m *M) cheaprand() uint32 {
	m.random ^= m.random << 13
	m.random ^= m.random >> 17
	m.random ^= m.random << 5
	return m.random
}

// A P is the permission to run Gs, with a queue of them.
type P struct {
	id        int
	runq      *runq.P
	link      *P                // the next one on the list of idle Ps
	insyscall atomic.Pointer[G] // a G that is in a syscall, and whose M still has this P: it may be taken
	preempt   atomic.Uint32     // whether the G that runs is to yield: goOn, toStop or sliceOver
	safeSeen  atomic.Uint64     // for which ForEachP it has called the function last: see safepoint.go
	timers    timers
	// What sysmon looks at: whether the time slice is one that it has seen before, and how many syscalls
	// ended.
	seen        atomic.Bool
	syscalltick atomic.Uint32
	sysmontick  sysmontick
	// How many time slices began. Others than the owner see how many there were when sysmon looked last.
	schedtick uint32
	slices    atomic.Uint32
	gfree     free[*G]
	stacks    free[*stack]
	ids       [2]uint64 // the numbers that the next Gs get: after the first, up to the second
}

// idBatch is how many numbers for Gs a P takes at a time.
const idBatch = 16

// nextID returns a number for a G.
func (p *P) nextID(s *Scheduler) uint64 {
	if p.ids[0] == p.ids[1] {
		p.ids[1] = s.goidgen.Add(idBatch) // outside: numbers of Gs
		p.ids[0] = p.ids[1] - idBatch
	}
	p.ids[0]++
	return p.ids[0]
}

// What the G that runs on a P is asked.
const (
	goOn      uint32 = iota
	toStop           // to stop once, for a stop of the world or for ForEachP
	sliceOver        // to let others run: sysmon has seen its time slice for too long
)

// newSlice begins a time slice.
func (p *P) newSlice() {
	p.schedtick++
	if p.seen.Load() { // outside: what sysmon looks at
		p.seen.Store(false)         // outside: what sysmon looks at
		p.slices.Store(p.schedtick) // outside: what snapshots look at
	}
	if p.preempt.Load() != goOn { // outside: that was for the G before
		p.preempt.Store(goOn) // outside: that was for the G before
	}
}

// acquirep: m has p now.
func (m *M) acquirep(p *P) { m.p = p }

// releasep: m has no P any more. It had the one that is returned.
func (m *M) releasep() *P {
	p := m.p
	m.p = nil
	return p
}

// A note is for one thread to sleep on until another wakes it, again and again. (note)
//
// Its lock is held, but from wakeup to the end of sleep. A channel with room for one would
// do as well. A lock is what the explorer knows, and it spins for a moment before it sleeps.
type note struct{ mu sync.Mutex }

func (n *note) init()   { n.mu.Lock() }   // outside: nobody else knows it yet
func (n *note) sleep()  { n.mu.Lock() }   // Sched!Wake
func (n *note) wakeup() { n.mu.Unlock() } // with Sched!StartM, InjectStart: the M is given its P before

// backOff waits before a thief takes what is in runnext of p, if an M runs there: it is about to run that G, in a few
// microseconds. A thief that took it would only move Gs that ready each other from thread to thread. (runqgrab)
func (s *Scheduler) backOff(p *P) {
	if s.env.pauses() && p.insyscall.Load() == nil { // outside: how long a thief waits
		s.env.pause(stealBackOff)
	}
}

// stealBackOff is how long, in ns.
const stealBackOff = int64(3 * time.Microsecond)

// A randomOrder goes through the numbers below n in an order by chance: from any, by any
// step that is coprime to n. (randomOrder)
type randomOrder struct {
	n        uint32
	coprimes []uint32
}

func newRandomOrder(n int) randomOrder {
	o := randomOrder{n: uint32(n)}
	for i := uint32(1); i <= o.n; i++ {
		if gcd(i, o.n) == 1 {
			o.coprimes = append(o.coprimes, i)
		}
	}
	return o
}

// from goes through the numbers in the order that a number by chance stands for.
func (o *randomOrder) from(chance uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		at, step := chance%o.n, o.coprimes[chance/o.n%uint32(len(o.coprimes))]
		for range o.n {
			if !yield(at) {
				return
			}
			at = (at + step) % o.n
		}
	}
}

func gcd(a, b uint32) uint32 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
