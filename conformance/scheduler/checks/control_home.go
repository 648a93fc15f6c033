package checks

import (
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
)

type homeBug int

const (
	noHomeBug       homeBug = iota
	countsGone              // a worker that has gone home is counted as one that waits
	neverReplaces           // it is counted as one of those that there may be
	looksNotAtQueue         // a worker whose time is over goes home, whatever has come
	startsForTwo            // when all have gone home, one is started for the second task
	startsEmpty             // then the first to submit starts one, which begins with that task alone
)

// A homePool starts its workers when they are needed, and sends one home that was idle for so long. It is right, or has one of the bugs above.
type homePool struct {
	bug     homeBug
	after   time.Duration
	most    int
	mu      sync.Mutex
	change  sync.Cond
	queue   []func(scheduler.Task)
	running int  // workers
	gone    bool // some have gone home
	idle    int  // of these, those that wait
	closed  bool
}

func newHomePool(after time.Duration, b homeBug) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &homePool{bug: b, after: after, most: workers}
		s.change.L = &s.mu
		return s
	}
}

func (s *homePool) IdleTimes() []time.Duration { return []time.Duration{s.after} }

func (s *homePool) Submit(f func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	if s.bug == startsEmpty && s.gone && s.running == 0 {
		s.running++
		s.mu.Unlock()
		time.Sleep(time.Millisecond) // it makes its stack
		s.mu.Lock()
		s.running--
		s.queue = nil // wrong: others may have submitted meanwhile
	}
	s.queue = append(s.queue, f)
	s.change.Broadcast()
	if s.bug == startsForTwo && s.gone && s.running == 0 && s.most > 1 && len(s.queue) == 1 {
		return nil // wrong: there may be no second one
	}
	if len(s.queue) > s.idle && s.running < s.most {
		s.running++
		go s.work()
	}
	return nil
}

func (s *homePool) work() {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.change.Broadcast()
	for s.waits() {
		f := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()
		f(nil)
		s.mu.Lock()
	}
	if s.bug != neverReplaces { // wrong: no other worker is started
		s.running--
	}
}

// waits waits for a task, and reports whether there is one: else the worker goes home.
func (s *homePool) waits() bool {
	late := false
	if len(s.queue) == 0 && !s.closed {
		clock := time.AfterFunc(s.after, func() {
			s.mu.Lock()
			late = true
			s.change.Broadcast()
			s.mu.Unlock()
		})
		defer clock.Stop()
	}
	s.idle++
	for len(s.queue) == 0 && !s.closed && !late {
		s.change.Wait()
	}
	s.gone = s.gone || late
	if s.bug == looksNotAtQueue && late {
		s.idle--
		return false // wrong: there may be a task by now
	}
	if s.bug != countsGone || !late { // wrong: it goes home
		s.idle--
	}
	return len(s.queue) > 0
}

func (s *homePool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.change.Broadcast()
	for s.running > 0 && s.bug != neverReplaces || len(s.queue) > 0 {
		s.change.Wait()
	}
	return nil
}
