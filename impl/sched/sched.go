package sched

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/impl/runq"
)

// Config are the parameters of a scheduler. The zero value is good.
type Config struct {
	// Procs is the number of Ps: how many Gs run at a time. 0 means runtime.GOMAXPROCS, by default what the processors and the
	// cgroup allow. The scheduler follows a change of that within a second or so, until SetProcs is called.
	Procs int
	// Ring is how many Gs the queue of a P holds, before half of them go to the global queue: a power of
	// two from 2 to 65536; 0 means 256, as in the runtime.
	Ring int
	// MaxMs is how many Ms there may be at a time; 0 means 10,000. If one more is needed, the program ends by a panic that
	// cannot be recovered: too many Gs are in Block. Procs must not be more. An idle M stays until Close.
	// (SetMaxThreads, maxmcount)
	MaxMs int
	// Unwatched leaves sysmon out, as the runtime does where it has no threads: an M then keeps its P in a
	// Block of any length, and no G is made to yield. A readied G then goes to the ring and not to runnext: two Gs
	// that ready each other in one time slice would keep all others waiting for ever. (haveSysmon)
	Unwatched bool
	// Randomised has runnext used or not, and batches put in an order by chance, so that programs do not rely on
	// an order. (The runtime does so under the race detector.)
	Randomised bool
	// Trace, if set, notes which G runs when and where.
	Trace *Trace
	// Shipped are flaws of Go 1.26 that the scheduler is to have. Without, it is mended.
	Shipped Shipped
}

// MostProcs bounds Config.Procs.
const MostProcs = 1 << 10

// Shipped are flaws of Go 1.26: pages of tla/findings. The explorer finds each but SysmonSleep: timer and
// goyield guided by the model (TestTieCounterexample), timer and the others from nothing (TestShipped). SysmonSleep breaks no promise that a
// scene could see broken: what it delays is done in the end, and the scenes have no clock that says how late.
type Shipped struct {
	Wakep       bool // wakep.md: a wakeup is lost where wakep finds no idle P
	Batch       bool // batch.md: nobody is told of Gs that an M took from the global queue
	Handoffp    bool // handoffp.md: a P becomes idle without a look at needspinning
	Timer       bool // timer.md: who waited until a G is to wake finds no idle P, and leaves no word
	SysmonSleep bool // sysmon-sleep.md: an idle P is put to work while sysmon sleeps on
	Poller      bool // poller.md: while a P is at work it may be that nobody waits for descriptors
	Goyield     bool // goyield.md: who yields to the Gs of its own P leaves itself to an M that runs another
	Gomaxprocs  bool // gomaxprocs.md: who looks at all queues again looks at the Ps that there were
	Safepoint   bool // safepoint.md: ForEachP waits for one who has just gone into a syscall
	StwSyscall  bool // stw-syscall.md: who stops the world waits for one who has just gone into a syscall
}

// A Scheduler runs Gs. Its methods are for those who are no G of it: Gs have their own.
type Scheduler struct {
	config     Config
	allp       []*P // as many as Gs may run at a time; it changes while the world is stopped
	everyp     []*P // all that there have been; allp is the front of it
	allpLock   sync.Mutex
	stealTries int
	neverSpins bool // for BenchmarkSpin: an M without work sleeps at once
	stealOrder randomOrder
	idleworks  atomic.Bool // there was idle-priority work; until then no step of its actions is made, for the tie
	idlework   idlework
	runnext    bool  // readied Gs go to runnext
	followed   int64 // when sysmon looked last whether the default has changed

	nmspinning   atomic.Int32 // Ms that spin, and tokens: increments by wakep for one that will
	needspinning atomic.Int32 // 1: there was work and no idle P; see dance.go
	npidle       atomic.Int32 // the length of pidle
	runqsize     atomic.Int32 // the length of the global queue

	lastpoll  atomic.Int64 // when an M polled last; 0: one does (see poll)
	pollUntil atomic.Int64 // until when it does; 0: it does not wait
	poller    poller       // where it waits

	netwaiters atomic.Int32 // Gs that wait for descriptors, and those that have just come back

	sysmonwait atomic.Bool // sysmon sleeps until it is woken
	sysmonnote bell        // on which it sleeps
	slicesOver atomic.Uint64
	latency    latencies    // of Gs, from when they may run until they do
	parked     atomic.Int64 // how long Gs were parked, in ns
	env        environment
	born       int64 // when it was made

	gcwaiting atomic.Bool   // the world is to stop; see world.go
	safePoint atomic.Uint64 // how many calls of ForEachP have begun; see safepoint.go
	stopnote  bell          // on which who stops it sleeps
	worldsema Semaphore     // who may, or may call ForEachP

	safePointFn     func(p int)         // of the last one
	safePointWait   atomic.Int32        // for how many Ps its call is not over
	safePointNote   bell                // on which ForEachP sleeps
	safePointFailed atomic.Pointer[any] // what a call has panicked with

	// Its lock is the one that is meant wherever "the lock" stands. It protects what follows
	// as well. (sched.lock)
	global       runq.Global
	pidle        *P // the idle Ps
	midle        *M // the idle Ms
	nmidle       int
	nmidlelocked int    // Ms that wait for their locked G
	wakes        uint64 // see Snapshot
	busyness     busyness
	watched      bool  // sysmon runs
	follows      bool  // there are as many Ps as runtime.GOMAXPROCS says, also when that changes
	following    bool  // a G is about to see to that
	mids         int32 // how many Ms there have been
	allm         []*M
	stopwait     int  // how many Ps have not stopped yet
	closing      bool // Close was called
	ended        bool // all has ended, and the Ms are to end
	errs         []error

	quiet note           // on which Close sleeps
	ms    sync.WaitGroup // the goroutines of Ms

	goidgen atomic.Uint64
	allg    struct {
		mu   sync.Mutex
		list []*G
	}
	gfree  freeAll[*G]
	stacks freeAll[*stack]
}

// New makes a scheduler. It starts no goroutine before there is a G to run.
func New(c Config) (*Scheduler, error) { return newIn(c, realTime{}) }

// newIn makes a scheduler in an environment.
func newIn(c Config, env environment) (*Scheduler, error) {
	follows := c.Procs == 0
	if follows {
		c.Procs = env.procs()
	}
	if c.Ring == 0 {
		c.Ring = runq.DefaultCapacity
	}
	if c.MaxMs == 0 {
		c.MaxMs = 10_000
	}
	switch {
	case c.Procs < 1 || c.Procs > MostProcs:
		return nil, fmt.Errorf("sched: Procs: expected 1 to %d, or 0 for the default, saw %d", MostProcs, c.Procs)
	case c.MaxMs < c.Procs:
		return nil, fmt.Errorf("sched: MaxMs: expected Procs, which is %d, or more, or 0 for 10,000, saw %d", c.Procs, c.MaxMs)
	case c.Ring < 2 || c.Ring > 1<<16 || c.Ring&(c.Ring-1) != 0:
		return nil, fmt.Errorf("sched: Ring: expected a power of two from 2 to 65536, or 0 for the default, saw %d", c.Ring)
	}
	s := &Scheduler{config: c, stealTries: 4, runnext: !c.Unwatched, worldsema: Semaphore{free: 1}, follows: follows && !c.Unwatched}
	s.env, s.sysmonnote, s.stopnote, s.safePointNote = env, env.newBell(), env.newBell(), env.newBell()
	s.poller.env, s.poller.bell = env, env.newBell()
	s.born = env.nanotime()
	s.busyness.at = env.ticks()
	s.lastpoll.Store(1) // outside: nobody else knows it yet
	s.quiet.init()
	s.setProcs(c.Procs)
	for _, p := range slices.Backward(s.allp) {
		s.pidleput(p)
	}
	return s, nil
}

func (s *Scheduler) newP(id int) *P {
	p := &P{id: id}
	c := runq.Config{Capacity: s.config.Ring, Overflow: s.overflow, BeforeStealNext: func(*runq.P) { s.backOff(p) }}
	if s.config.Randomised {
		c.Rand = rand.Uint32N
	}
	p.runq = runq.NewP(&s.global, c)
	return p
}

// newm makes an M, which begins to run when it is woken. The lock must be held.
func (s *Scheduler) newm() *M {
	if len(s.allm) >= s.config.MaxMs {
		// In a goroutine of its own: a caller could recover, with the lock held.
		go panic(fmt.Sprintf("sched: expected at most %d Ms (Config.MaxMs), saw that one more is needed", s.config.MaxMs))
		select {}
	}
	s.mids++
	m := &M{s: s, at: len(s.allm), id: s.mids, random: uint32(s.mids)}
	m.note.init()
	s.allm = append(s.allm, m)
	if !s.config.Unwatched && !s.watched {
		s.watched = true
		s.ms.Add(1) // outside: Close waits for it
		go s.sysmon()
	}
	return m
}

// forgetm takes m from the list of all Ms. The lock must be held.
func (s *Scheduler) forgetm(m *M) {
	last := len(s.allm) - 1
	s.allm[m.at] = s.allm[last]
	s.allm[m.at].at = m.at
	s.allm[last] = nil
	s.allm = s.allm[:last]
}

// ErrClosed is returned for what comes after Close.
var ErrClosed = errors.New("sched: the scheduler was closed")

// Go starts f as a G. The error is ErrClosed. A G that starts another calls its own Go.
func (s *Scheduler) Go(f func(*G)) error {
	if f == nil {
		panic("sched: Go of a nil function")
	}
	gs := s.gfree.take(nil, 1)
	isNew := len(gs) == 0
	if isNew {
		gs = append(gs, s.newG())
	}
	gp := gs[0]
	id := s.goidgen.Add(1) // outside: numbers of Gs
	s.global.Lock()        // Sched!InjectGlob
	if s.closing {
		s.global.Unlock() // outside: nothing was done
		return ErrClosed
	}
	if isNew {
		s.know(gp)
	}
	gp.init(f, id)
	s.inject(gp)
	return nil
}

// Ready makes a G runnable that waits in Park. It panics if the G does not. The error is
// ErrClosed: once Close was called, Gs alone can make Gs runnable. A G that does calls
// its own Ready.
func (s *Scheduler) Ready(gp *G) error {
	if gp == nil {
		panic("sched: Ready of a nil G")
	}
	s.global.Lock() // Sched!InjectGlob
	if s.closing {
		s.global.Unlock() // outside: nothing was done
		return ErrClosed
	}
	if !gp.status.CompareAndSwap(waiting, active) { // outside: the states of Gs
		s.global.Unlock() // outside: nothing was done
		gp.is("Ready")
	}
	gp.hasParked()
	s.inject(gp)
	return nil
}

// inject puts a G on the global queue, and gives the lock back. (injectglist)
func (s *Scheduler) inject(gp *G) {
	s.globrunqput(gp)
	s.global.Unlock() // with Sched!InjectGlob: the end of its section
	s.startIdle(1)
}

// panicked notes that a G has panicked.
func (s *Scheduler) panicked(e *PanicError) {
	s.global.Lock() // outside: a panic
	if len(s.errs) < mostErrors {
		s.errs = append(s.errs, e)
	}
	s.global.Unlock() // outside: a panic
}

// mostErrors is how many panics of Gs Close returns.
const mostErrors = 16

// A PanicError says that a G has panicked. The other Gs went on.
type PanicError struct {
	G     uint64 // its number
	Value any    // what it panicked with
	Stack []byte // where, as debug.Stack words it
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("sched: G %d panicked: %v\n\n%s", e.G, e.Value, e.Stack)
}

// A DeadlockError says that all Gs that there were waited, for nobody.
type DeadlockError struct{ Waiting []Waiting }

// Waiting is a G that waits.
type Waiting struct {
	G      uint64
	Reason string // as it was given to Park
}

func (e *DeadlockError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sched: deadlock: all Gs wait, %d of them:", len(e.Waiting))
	for i, w := range e.Waiting {
		if i == mostErrors {
			fmt.Fprintf(&b, " and %d more", len(e.Waiting)-i)
			break
		}
		fmt.Fprintf(&b, " G %d (%s)", w.G, w.Reason)
	}
	return b.String()
}

// An UnfinishedError says that Gs have not ended in the time that they were given.
type UnfinishedError struct {
	After time.Duration
	Gs
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("sched: expected all Gs to end within %v, saw %v", e.After, e.Gs)
}

// checkdead sees whether all Ms sleep, nothing is queued, and nobody may come from outside
// any more. Then all has ended, or the Gs that are left wait for ever. If one M may poll, or be about to, and there is
// nothing any more to wait for, it is told. The lock must be held.
func (s *Scheduler) checkdead() {
	awake := len(s.allm) - s.nmidle - s.nmidlelocked
	if !s.closing || s.ended || awake > 1 || s.global.Len() > 0 {
		return
	}
	if awake == 1 {
		if s.netwaiters.Load() == 0 && // outside: Close
			timeSleepUntil(s.allp) == 0 {
			s.poller.ring()
		}
		return
	}
	s.ended = true
	s.quiet.wakeup()
}

// Close waits until all Gs have ended, and ends the Ms. Nothing can come from outside once it
// was called. It returns, joined, a PanicError for each of the first 16 Gs that
// panicked, and a DeadlockError if there are Gs that wait and can never go on: these are
// then ended, with their deferred calls. A second Close returns ErrClosed. It must not
// be called by a G.
func (s *Scheduler) Close() error {
	if err := s.close(); err != nil {
		return err
	}
	return s.finish()
}

// CloseWithin is Close, but returns an UnfinishedError if not all Gs have ended after d. The
// Ms then end when the Gs do.
func (s *Scheduler) CloseWithin(d time.Duration) error {
	if err := s.close(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- s.finish() }()
	late := time.NewTimer(d)
	defer late.Stop()
	select {
	case err := <-ended:
		return err
	case <-late.C:
		return &UnfinishedError{After: d, Gs: s.gs()}
	}
}

// close sees to it that nothing comes from outside any more.
func (s *Scheduler) close() error {
	s.global.Lock()         // outside: Close
	defer s.global.Unlock() // outside: Close
	if s.closing {
		return ErrClosed
	}
	s.closing = true
	s.checkdead()
	return nil
}

// finish waits until all has ended, and takes down what is left.
func (s *Scheduler) finish() error {
	s.quiet.sleep()
	var stuck DeadlockError
	for _, g := range s.allg.list {
		switch state := g.status.Load(); state { // outside: the states of Gs
		case dead:
		case waiting:
			stuck.Waiting = append(stuck.Waiting, Waiting{g.ID(), g.reason})
		default:
			panic(fmt.Sprintf("sched: all Ms sleep, but G %d %s", g.ID(), statusNames[state]))
		}
	}
	s.global.Lock() // outside: Close
	for m := s.mget(); m != nil; m = s.mget() {
		m.wake()
	}
	for _, m := range s.allm {
		if m.lockedg != nil {
			m.note.wakeup()
		}
	}
	if !s.config.Unwatched {
		s.sysmonnote.ring()
	}
	errs := s.errs
	s.global.Unlock() // outside: Close
	s.ms.Wait()       // outside: Close
	s.poller.close()
	for _, m := range s.allm {
		m.flush()
	}
	for _, g := range s.allg.list {
		g.end()
	}
	s.endStacks()
	if len(stuck.Waiting) > 0 {
		errs = append(errs, &stuck)
	}
	return errors.Join(errs...)
}
