package checks

import (
	"sync"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// handsOver is a pool without a queue: Submit gives a task to a worker, and waits until one takes it.
type handsOver struct {
	tasks   chan func(scheduler.Task)
	closed  chan struct{}
	workers sync.WaitGroup
}

func newHandsOver(workers int) scheduler.Scheduler {
	s := &handsOver{tasks: make(chan func(scheduler.Task)), closed: make(chan struct{})}
	for range workers {
		s.workers.Go(func() {
			for {
				select {
				case task := <-s.tasks:
					task(nil)
				case <-s.closed:
					return
				}
			}
		})
	}
	return s
}

func (s *handsOver) Submit(task func(scheduler.Task)) error {
	select {
	case <-s.closed:
		return errClosed
	default:
	}
	select {
	case s.tasks <- task:
		return nil
	case <-s.closed:
		return errClosed
	}
}

func (s *handsOver) Close() error {
	close(s.closed)
	s.workers.Wait()
	return nil
}

// tickets is a goroutine for each task, that needs a ticket. Submit waits until there is one.
type tickets struct {
	mu        sync.Mutex
	back      sync.Cond // a ticket has come back, or the end
	out, most int
	silent    bool // wrong: nobody is told of a ticket that comes back
	closed    bool
	tasks     sync.WaitGroup
}

func newTickets(silent bool) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &tickets{most: workers, silent: silent}
		s.back.L = &s.mu
		return s
	}
}

func (s *tickets) Submit(task func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.out == s.most && !s.closed {
		s.back.Wait()
	}
	if s.closed {
		return errClosed
	}
	s.out++
	s.tasks.Go(func() {
		task(nil)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.out--; !s.silent {
			s.back.Signal()
		}
	})
	return nil
}

func (s *tickets) Close() error {
	s.mu.Lock()
	s.closed = true
	s.back.Broadcast()
	s.mu.Unlock()
	s.tasks.Wait()
	return nil
}

// TestWaits: a submission may wait for a worker where the contract says so, and for nothing else.
func TestWaits(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-CALLS")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 1
	for name, c := range map[string]struct {
		p spec.Profile
		f scheduler.Factory
	}{
		"hands over, and does not say so": {spec.Pool, newHandsOver},
		"tickets, and does not say so":    {spec.Pool, newTickets(false)},
		"a ticket that nobody is told of": {spec.Pool + ",waits=worker", newTickets(true)},
	} {
		t.Run(name, func(t *testing.T) {
			rows, findings := carried(t, c.p, c.f, "^stress/graphs$")
			for _, f := range findings {
				t.Logf("%s: %s, saw %s", f.Fingerprint, f.Expected, f.Observed)
			}
			if rows["SC-CALLS"].Standing != suite.Broken {
				t.Errorf("expected SC-CALLS broken, saw %s %s", rows["SC-CALLS"].Standing, rows["SC-CALLS"].Reason)
			}
		})
	}
}
