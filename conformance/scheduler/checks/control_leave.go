package checks

import (
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/sync"
)

type leaveBug int

const (
	noLeaveBug leaveBug = iota
	keepsWorker
	losesBlocked
	comesBeside
	fewSpare
	keepsAllButOne // which is right where one worker is enough (block=one)
	spareOnce
	callsTwice
	roundsDown
	roundsUp // right
	looksNotAgain
	looksBehind
	sleepsOn
)

// leavePool gives a goroutine to each task, and lets as many run as it has workers. A task that blocks or sleeps lets another run. It is
// right, or has one of the bugs above.
type leavePool struct {
	bug     leaveBug
	mu      sync.Mutex
	free    sync.Cond // a worker is free
	workers int
	idle    int
	blocked int
	spares  int
	closed  bool
	tasks   sync.WaitGroup
}

func newLeavePool(b leaveBug) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &leavePool{bug: b, workers: workers, idle: workers}
		s.free.L = &s.mu
		return s
	}
}

func (s *leavePool) Submit(task func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.tasks.Add(1)
	hook.Go(func() {
		defer s.tasks.Done()
		s.take()
		defer s.give()
		task(leaveTask{s})
	})
	return nil
}

func (s *leavePool) Close() error {
	s.mu.Lock()
	s.closed = true
	s.free.Broadcast()
	s.mu.Unlock()
	s.tasks.Wait()
	return nil
}

func (s *leavePool) take() {
	s.mu.Lock()
	for s.idle <= 0 {
		s.free.Wait()
	}
	s.idle--
	s.mu.Unlock()
}

func (s *leavePool) give() {
	s.mu.Lock()
	s.idle++
	s.free.Broadcast() // those that sleep may look there
	s.mu.Unlock()
}

type leaveTask struct{ s *leavePool }

func (t leaveTask) Block(call func()) {
	s := t.s
	s.mu.Lock()
	s.blocked++
	keeps := s.bug == keepsWorker || s.bug == fewSpare && s.blocked > 8 || s.bug == keepsAllButOne && s.blocked < s.workers
	if s.bug == spareOnce {
		keeps = s.blocked < s.workers || s.spares > 0 // wrong: there is one for the first time alone
		if !keeps {
			s.spares++
		}
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.blocked--
		s.mu.Unlock()
	}()
	if keeps {
		call() // wrong
		return
	}
	s.give()
	call()
	if s.bug == callsTwice {
		call() // wrong
	}
	switch s.bug {
	case comesBeside:
		s.mu.Lock()
		s.idle-- // wrong: there may be no idle one
		s.mu.Unlock()
	case losesBlocked:
		s.mu.Lock()
		for {
			s.free.Wait() // wrong: nobody lets it go
		}
	default:
		s.take()
	}
}

func (t leaveTask) Sleep(d time.Duration) {
	s := t.s
	over := time.Now().Add(d)
	if s.bug == sleepsOn {
		time.Sleep(d) // wrong: on its worker
		return
	}
	s.give()
	switch s.bug {
	case roundsDown:
		time.Sleep(d.Truncate(time.Millisecond)) // wrong
	case roundsUp:
		time.Sleep(d + 10*time.Millisecond - time.Duration(time.Now().UnixNano())%(10*time.Millisecond))
	case looksNotAgain, looksBehind:
		s.mu.Lock()
		for left := time.Until(over); left > 0; left = time.Until(over) {
			if busy := s.idle < s.workers; busy == (s.bug == looksBehind) {
				s.free.Wait() // wrong: looksNotAgain, since nobody may come; looksBehind, since who is there may be there for long
				continue
			}
			s.mu.Unlock()
			time.Sleep(left)
			s.mu.Lock()
		}
		s.mu.Unlock()
	default:
		time.Sleep(d)
	}
	s.take()
}
