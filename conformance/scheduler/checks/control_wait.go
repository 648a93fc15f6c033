package checks

import (
	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/sync"
)

type waitBug int

const (
	noWaitBug waitBug = iota
	waitsByTicket
	wakesOneWaiter
	waitsForQueue
	looksBeforeItWaits
	waitsForClose
	secondReturns
	secondPanics
	secondHangs
	losesExited
	countsBehind
	replacesTwice
	forgetsReplaced
)

// waitPool is a pool that threads wait for, and that several close; a worker whose task ends by runtime.Goexit is replaced. It is right in two
// ways, or has one of the bugs above.
type waitPool struct {
	bug     waitBug
	mu      sync.Mutex
	work    sync.Cond // there is a task, or the end
	change  sync.Cond // a task has ended, or the last one
	queue   []waitJob
	next    int // the number of the next task
	live    map[int]bool
	closed  bool
	workers sync.WaitGroup
}

type waitJob struct {
	number int
	task   func(scheduler.Task)
}

func newWaitPool(b waitBug) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &waitPool{bug: b, live: make(map[int]bool)}
		s.work.L, s.change.L = &s.mu, &s.mu
		s.workers.Add(workers)
		for range workers {
			hook.Go(s.worker)
		}
		return s
	}
}

func (s *waitPool) Submit(task func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.queue = append(s.queue, waitJob{s.next, task})
	s.live[s.next] = true
	s.next++
	s.work.Signal()
	return nil
}

func (s *waitPool) worker() {
	defer s.workers.Done()
	for {
		s.mu.Lock()
		for len(s.queue) == 0 && !s.closed {
			s.work.Wait()
		}
		if len(s.queue) == 0 {
			s.mu.Unlock()
			return
		}
		job := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()
		s.run(job)
	}
}

// run runs a task. What ends it by runtime.Goexit ends the worker, too.
func (s *waitPool) run(job waitJob) {
	returned := false
	defer func() {
		exits := !returned && recover() == nil
		if !exits || s.bug != countsBehind { // wrong: nobody counts it
			s.ended(job.number)
		}
		if !exits || s.bug == losesExited { // wrong: there is a worker less
			return
		}
		if s.bug != forgetsReplaced { // wrong: Close does not wait for it
			s.workers.Add(1)
			hook.Go(s.worker)
		} else {
			hook.Go(func() { s.workers.Add(1); s.worker() })
		}
		if s.bug == replacesTwice { // wrong
			s.workers.Add(1)
			hook.Go(s.worker)
		}
	}()
	job.task(nil)
	returned = true
}

func (s *waitPool) ended(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.live, number)
	switch {
	case s.bug == wakesOneWaiter && len(s.live) == 0:
		s.change.Signal() // wrong: others may wait, too
	case s.bug == waitsByTicket || len(s.live) == 0:
		s.change.Broadcast()
	}
}

func (s *waitPool) WaitTasks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.bug {
	case waitsByTicket:
		for n := s.next; s.before(n); {
			s.change.Wait()
		}
	case waitsForQueue:
		for len(s.queue) > 0 { // wrong: what was taken from it may run
			s.change.Wait()
		}
	case looksBeforeItWaits:
		if len(s.live) == 0 {
			return
		}
		s.mu.Unlock() // wrong: the last task may end here
		s.mu.Lock()
		s.change.Wait()
	case waitsForClose:
		for len(s.live) > 0 || s.next > 1 && !s.closed { // wrong
			s.change.Wait()
		}
	default:
		for len(s.live) > 0 {
			s.change.Wait()
		}
	}
}

// before reports whether a task is left whose number is below n.
func (s *waitPool) before(n int) bool {
	for number := range s.live {
		if number < n {
			return true
		}
	}
	return false
}

func (s *waitPool) Close() error {
	s.mu.Lock()
	again := s.closed
	s.closed = true
	s.work.Broadcast()
	if again && s.bug == secondHangs {
		s.change.Wait() // wrong: it may have been told before
	}
	if s.bug == countsBehind {
		for len(s.live) > 0 {
			s.change.Wait()
		}
	}
	s.mu.Unlock()
	switch {
	case again && s.bug == secondReturns:
		return nil // wrong: tasks may run
	case again && s.bug == secondPanics:
		panic("close of closed channel") // wrong
	}
	s.workers.Wait()
	return nil
}
