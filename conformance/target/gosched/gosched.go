// Package gosched adapts the Go runtime to the suite, as a black box: a task is a goroutine, and the workers are the
// threads of GOMAXPROCS.
package gosched

import (
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec"
)

// Profile is the contract that the runtime is held to. How many goroutines run at a time is the business of GOMAXPROCS; those
// that wait for another by a lock have parked, so that there is always a worker more.
const Profile = spec.Preemptive

// New makes a scheduler that starts a goroutine for each task, and waits for them at Close.
func New(int) scheduler.Scheduler { return new(goroutines) }

type goroutines struct {
	mu     sync.Mutex
	closed bool
	all    sync.WaitGroup

	resized bool
}

// procs is how many goroutines run at a time before anybody says otherwise.
var procs = runtime.GOMAXPROCS(0)

var errClosed = errors.New("gosched: closed")

func (s *goroutines) Submit(f func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.all.Add(1)
	go func() {
		defer s.all.Done()
		f(&task{s: s, ready: make(chan struct{}, 1)})
	}()
	return nil
}

func (s *goroutines) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.all.Wait()
	if s.resized {
		runtime.GOMAXPROCS(procs)
	}
	return nil
}

// Resize changes how many goroutines run at a time in the whole process, until Close.
func (s *goroutines) Resize(workers int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.resized = true
	runtime.GOMAXPROCS(workers)
	return nil
}

func (s *goroutines) Ready(parked scheduler.Task) error {
	parked.(*task).ready <- struct{}{}
	return nil
}

// task is a goroutine.
type task struct {
	s     *goroutines
	ready chan struct{}
}

// Spawn starts a goroutine. It may do so until Close returns: the goroutine that calls it is waited for.
func (t *task) Spawn(f func(scheduler.Task)) error {
	t.s.all.Add(1)
	go func() {
		defer t.s.all.Done()
		f(&task{s: t.s, ready: make(chan struct{}, 1)})
	}()
	return nil
}

func (t *task) Park(unlock func()) {
	unlock()
	<-t.ready
}

func (t *task) Ready(parked scheduler.Task) { parked.(*task).ready <- struct{}{} }

// Block has a thread of its own wait with the goroutine.
func (t *task) Block(call func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	call()
}

func (t *task) Yield() { runtime.Gosched() }

func (t *task) Sleep(d time.Duration) { time.Sleep(d) }
