package checks

import (
	"sync"

	"github.com/spindle-go/spindle/conformance/scheduler"
)

type blockBug int

const (
	noBlockBug blockBug = iota
	keepsWorker
	losesBlocked
	comesBeside
	fewSpare
	callsTwice
)

// blockPool gives a goroutine to each task, and lets as many run as it has workers. A task that blocks lets another run. It is right,
// or has one of the bugs above.
type blockPool struct {
	bug     blockBug
	mu      sync.Mutex
	free    sync.Cond // a worker is free
	idle    int
	blocked int
	closed  bool
	tasks   sync.WaitGroup
}

func newBlockPool(b blockBug) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &blockPool{bug: b, idle: workers}
		s.free.L = &s.mu
		return s
	}
}

func (s *blockPool) Submit(task func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.tasks.Go(func() {
		s.take()
		defer s.give()
		task(blockTask{s})
	})
	return nil
}

func (s *blockPool) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.tasks.Wait()
	return nil
}

func (s *blockPool) take() {
	s.mu.Lock()
	for s.idle <= 0 {
		s.free.Wait()
	}
	s.idle--
	s.mu.Unlock()
}

func (s *blockPool) give() {
	s.mu.Lock()
	s.idle++
	s.free.Signal()
	s.mu.Unlock()
}

type blockTask struct{ s *blockPool }

func (t blockTask) Block(call func()) {
	s := t.s
	s.mu.Lock()
	s.blocked++
	keeps := s.bug == keepsWorker || s.bug == fewSpare && s.blocked > 8
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
		select {} // wrong: nobody tells it
	default:
		s.take()
	}
}
