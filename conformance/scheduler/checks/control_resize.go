package checks

import (
	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/sync"
)

type resizeBug int

const (
	noResizeBug   resizeBug = iota // a worker too many leaves when its task has ended
	waitsForTasks                  // right, if it says so
	dropsQueues
	growsLater
	waitsFirst
	neverShrinks
	takesOneMore
	looksAtFew
)

// resizePool has a queue for each worker, and workers with nothing to do look at all of them. The number of workers changes. It is right, or has
// one of the bugs above.
type resizePool struct {
	basePool
	bug     resizeBug
	want    int
	queues  [][]func(scheduler.Task) // by worker
	made    int                      // workers that are there, or are to leave
	at      int
	running int
}

func newResizePool(b resizeBug) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &resizePool{bug: b}
		s.change.L = &s.mu
		s.mu.Lock()
		defer s.mu.Unlock()
		s.want = workers
		s.start()
		return s
	}
}

// start starts the workers that are missing.
func (s *resizePool) start() {
	for ; s.made < s.want; s.made++ {
		if len(s.queues) <= s.made {
			s.queues = append(s.queues, nil)
		}
		s.workers.Add(1)
		made := s.made
		hook.Go(func() { s.worker(made) })
	}
}

func (s *resizePool) Submit(task func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.start() // those that have left and are wanted again; growsLater: those that were wanted long ago
	s.at++
	i := s.at % s.want
	s.queues[i] = append(s.queues[i], task)
	s.change.Broadcast()
	return nil
}

func (s *resizePool) Resize(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	before := s.want
	s.want = n
	switch {
	case n < before && s.bug == neverShrinks:
		return nil // wrong
	case n < before:
		if s.bug == takesOneMore && n > 1 {
			s.want-- // wrong
		}
		for i := n; i < len(s.queues); i++ {
			if s.bug != dropsQueues { // wrong
				s.queues[0] = append(s.queues[0], s.queues[i]...)
			}
			s.queues[i] = nil
		}
	case s.bug != growsLater: // wrong: until the next task comes
		s.start()
	}
	s.change.Broadcast()
	for s.bug == waitsForTasks && s.running > 0 {
		s.change.Wait()
	}
	return nil
}

// basePool is what a pool needs whose workers all end when it is closed.
type basePool struct {
	mu      sync.Mutex
	change  sync.Cond // of anything that a worker or a task may wait for
	closed  bool
	workers sync.WaitGroup
}

func (s *basePool) Close() error {
	s.mu.Lock()
	s.closed = true
	s.change.Broadcast()
	s.mu.Unlock()
	s.workers.Wait()
	return nil
}

func (s *resizePool) worker(i int) {
	defer s.workers.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bug == waitsFirst && i > 0 && !s.closed {
		s.change.Wait() // wrong: what is there already wakes nobody
	}
	for {
		// The last one leaves first, so that those that are left have the numbers from 0 on.
		if s.made > s.want && i == s.made-1 && s.bug != neverShrinks {
			s.made--
			s.change.Broadcast()
			return
		}
		task := s.take(i)
		switch {
		case task != nil:
			s.running++
			s.mu.Unlock()
			task(nil)
			s.mu.Lock()
			s.running--
			s.change.Broadcast()
		case s.closed:
			return
		default:
			s.change.Wait()
		}
	}
}

// take takes a task from any queue, for a worker that is not to leave.
func (s *resizePool) take(i int) (task func(scheduler.Task)) {
	if i >= s.want && s.bug != neverShrinks {
		return nil
	}
	for k := range s.queues {
		if s.bug == looksAtFew && k > 0 && s.running > 0 && k != i {
			return nil // wrong
		}
		if q := s.queues[k]; len(q) > 0 {
			s.queues[k] = q[1:]
			return q[0]
		}
	}
	return nil
}
