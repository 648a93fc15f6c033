package twolevel

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

// ErrClosed is returned by Go when all has ended after Close, and by a second Close.
var ErrClosed = errors.New("twolevel: the scheduler was closed")

// A Scheduler runs tasks with so many Ps. A P has nothing of its own, since there is one queue: so the free ones are a number.
type Scheduler struct {
	procs int32        // how many Ps there are
	queue queue        // of tasks that wait for an M
	free  atomic.Int32 // how many Ps no M has
	nspin atomic.Int32 // how many Ms spin, of both kinds, and how many are counted and still to be woken
	ntwo  atomic.Int32 // how many Ms wait for a P
	tasks atomic.Int64 // how many tasks there are, and one more before Close
	idle  idle

	closing atomic.Bool
	quiet   note           // on which Close sleeps
	ms      sync.WaitGroup // the goroutines of Ms
}

// An M runs tasks while it has a P.
type M struct {
	s     *Scheduler
	p     bool // it has one
	spin  spin
	again bool  // it stopped spinning, and there is what it was looking for
	curg  *Task // that it runs
	born  bool  // its goroutine runs
	note  note  // on which it sleeps
}

// A spin is the kind in which an M spins.
type spin uint8

const (
	none spin = iota
	one       // with a P, looking for tasks
	two       // without a P, looking for one
)

// idle are the Ms that sleep, and what else has the same lock.
type idle struct {
	mu    sync.Mutex
	ms    []*M
	wakes uint64
	ended bool // all has ended, and the Ms are to end
	errs  []error
}

// A queue is a list of tasks, and first comes what was put first.
type queue struct {
	mu          sync.Mutex
	first, last *Task
	size        atomic.Int64 // how many there are: an M looks without the lock
}

// put puts t behind the others.
func (q *queue) put(t *Task) {
	q.mu.Lock() // with TwoLevel!Spawn, ExitPut: the start of their section
	if t.link = nil; q.first == nil {
		q.first = t
	} else {
		q.last.link = t
	}
	q.last = t
	q.size.Add(1) // TwoLevel!Spawn, ExitPut
	q.mu.Unlock() // with TwoLevel!Spawn, ExitPut: the end of their section
}

// get takes the first, or returns nil.
func (q *queue) get() *Task {
	if q.size.Load() == 0 { // TwoLevel!Get
		return nil
	}
	q.mu.Lock()             // with TwoLevel!Get: the start of its section
	defer q.mu.Unlock()     // with TwoLevel!Get: the end of its section
	if q.size.Load() == 0 { // TwoLevel!Get
		return nil
	}
	t := q.first
	q.first = t.link
	q.size.Add(-1) // TwoLevel!Get
	return t
}

// A note is for one goroutine to sleep on until another wakes it, again and again. Its lock is held, but from
// wakeup to the end of sleep. (note)
type note struct{ mu sync.Mutex }

func (n *note) init()   { n.mu.Lock() }   // outside: no other M knows it yet
func (n *note) sleep()  { n.mu.Lock() }   // outside: the M has parked before
func (n *note) wakeup() { n.mu.Unlock() } // with TwoLevel!EnsureWake: the M was chosen before

// New makes a scheduler with so many Ps. It starts no goroutine before there is a task.
func New(procs int) (*Scheduler, error) {
	if procs < 1 || procs > math.MaxInt32 {
		return nil, fmt.Errorf("twolevel: expected 1 P or more, saw %d", procs)
	}
	s := &Scheduler{procs: int32(procs)}
	s.free.Store(s.procs) // outside: no M knows it yet
	s.tasks.Store(1)      // outside: no M knows it yet
	s.quiet.init()
	return s, nil
}

// newm makes an M that is to spin, of kind 2. It begins to run when it is woken.
func (s *Scheduler) newm() *M {
	m := &M{s: s, spin: two}
	m.note.init()
	return m
}

// wake wakes an M that has parked, or a new one. (notewakeup; newm)
func (m *M) wake() {
	if m.born {
		m.note.wakeup()
		return
	}
	m.born = true
	go m.mstart()
}

// Wakes returns how many Ms were woken or made.
func (s *Scheduler) Wakes() uint64 {
	s.idle.mu.Lock()         // outside: a count
	defer s.idle.mu.Unlock() // outside: a count
	return s.idle.wakes
}

// Close waits until all tasks have ended, and ends the Ms. What is submitted meanwhile runs, or is refused. The error
// joins a PanicError for each of the first 16 tasks that panicked. A second Close returns ErrClosed. A task must not
// call it.
func (s *Scheduler) Close() error {
	if s.closing.Swap(true) { // outside: Close
		return ErrClosed
	}
	s.ended()
	s.quiet.sleep()
	s.ms.Wait() // outside: Close
	return s.failed()
}

// ended counts a task that has ended, or the call of Close. If it is the last of all, the Ms are to end.
func (s *Scheduler) ended() {
	if s.tasks.Add(-1) > 0 { // TwoLevel!Block
		return
	}
	s.idle.mu.Lock() // outside: Close
	s.idle.ended = true
	for _, m := range s.idle.ms {
		m.wake()
	}
	s.idle.mu.Unlock() // outside: Close
	s.quiet.wakeup()
}
