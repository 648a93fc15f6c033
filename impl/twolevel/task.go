package twolevel

import (
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
)

// A Task is a function that has a stack of its own: a coroutine, since it may go on elsewhere after a syscall. Its methods
// are to be called by that function.
type Task struct {
	s      *Scheduler
	f      func(*Task)
	m      *M    // that runs it
	link   *Task // the next one in the queue
	resume func() (struct{}, bool)
	stop   func(struct{}) bool
}

// Go starts f as a task. The error is ErrClosed, if all has ended after Close.
func (s *Scheduler) Go(f func(*Task)) error {
	if f == nil {
		panic("twolevel: Go of a nil function")
	}
	for {
		n := s.tasks.Load() // outside: a call from outside
		if n == 0 {
			return ErrClosed
		}
		if s.tasks.CompareAndSwap(n, n+1) { // outside: a call from outside
			s.newproc(f)
			return nil
		}
	}
}

// Go starts f as a task.
func (t *Task) Go(f func(*Task)) {
	if f == nil {
		panic("twolevel: Go of a nil function")
	}
	t.running("Go")
	t.s.tasks.Add(1) // with TwoLevel!Spawn: it counts as blocked no more
	t.s.newproc(f)
}

// newproc puts a task that is counted in the queue.
func (s *Scheduler) newproc(f func(*Task)) {
	s.queue.put(&Task{s: s, f: f})
	s.wakep()
}

// Block calls f, which may take long or wait for something that the scheduler does not know of. Other tasks run on the P
// at once. f must not use the task. (entersyscall, exitsyscall)
func (t *Task) Block(f func()) {
	if f == nil {
		panic("twolevel: Block of a nil function")
	}
	m := t.running("Block")
	t.entersyscall(m)
	defer t.exitsyscall(m)
	f()
}

// running returns the M that runs t, which has called what.
func (t *Task) running(what string) *M {
	if t == nil || t.m == nil {
		panic("twolevel: " + what + " outside a task that runs")
	}
	return t.m
}

// execute runs t until it ends, or has come back from a syscall without a P.
func (m *M) execute(t *Task) {
	t.m, m.curg = m, t
	if t.resume == nil {
		t.resume, _ = iter.Pull(t.body)
	}
	_, stopped := t.resume()
	m.curg = nil
	if !stopped {
		m.s.ended()
		return
	}
	m.s.queue.put(t)
	m.again = true
}

// body is what runs on the coroutine.
func (t *Task) body(yield func(struct{}) bool) {
	t.stop = yield
	defer func() {
		if v := recover(); v != nil {
			t.s.panicked(&PanicError{Value: v, Stack: debug.Stack()})
		}
	}()
	t.f(t)
}

// mexit ends the goroutine of an M. A task that calls runtime.Goexit ends it, too, since a coroutine hands that on to its
// M; the M then goes on with another one.
func (m *M) mexit() {
	if m.curg != nil {
		m.curg = nil
		m.s.ended()
		go m.mstart()
		return
	}
	m.s.ms.Done() // outside: Close waits for it
}

// A PanicError says that a task has panicked. The others went on.
type PanicError struct {
	Value any    // what it panicked with
	Stack []byte // where, as debug.Stack words it
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("twolevel: a task panicked: %v\n\n%s", e.Value, e.Stack)
}

// mostErrors is how many panics of tasks Close returns.
const mostErrors = 16

// panicked notes that a task has panicked.
func (s *Scheduler) panicked(e *PanicError) {
	s.idle.mu.Lock() // outside: a panic
	if len(s.idle.errs) < mostErrors {
		s.idle.errs = append(s.idle.errs, e)
	}
	s.idle.mu.Unlock() // outside: a panic
}

// failed returns what tasks have panicked with.
func (s *Scheduler) failed() error {
	s.idle.mu.Lock()         // outside: Close
	defer s.idle.mu.Unlock() // outside: Close
	return errors.Join(s.idle.errs...)
}
