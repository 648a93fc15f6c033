package checks

import (
	"sync"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// A latePool starts a worker with a submission, while there are fewer than it may have. It makes the worker without its lock.
type latePool struct {
	flaw    string
	most    int
	mu      sync.Mutex
	change  sync.Cond
	queue   []func(scheduler.Task)
	running int // workers, those counted that are about to be started
	closed  bool
}

func newLatePool(flaw string) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &latePool{flaw: flaw, most: workers}
		s.change.L = &s.mu
		return s
	}
}

func (s *latePool) Submit(f func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return errClosed
	case s.running == s.most:
		s.queue = append(s.queue, f)
		s.change.Signal()
		return nil
	}
	s.running++
	s.mu.Unlock()
	scratch := make([]byte, 1<<14) // what a worker has
	s.mu.Lock()
	if s.running == 1 && s.flaw == "begins with an empty queue" {
		s.queue = nil // wrong: others have submitted meanwhile
	}
	if s.closed {
		switch s.flaw {
		case "takes its worker back": // wrong: others rely on it, and have queued their tasks
			s.running--
			s.change.Broadcast()
			return errClosed
		case "leaves it to nobody": // wrong: Close may have found no worker
			s.running--
			s.queue = append(s.queue, f)
			s.change.Broadcast()
			return nil
		}
	}
	go s.work(f, scratch)
	return nil
}

func (s *latePool) work(f func(scheduler.Task), _ []byte) {
	for {
		f(nil)
		s.mu.Lock()
		for len(s.queue) == 0 && !s.closed {
			s.change.Wait()
		}
		if len(s.queue) == 0 {
			break
		}
		f, s.queue = s.queue[0], s.queue[1:]
		s.mu.Unlock()
	}
	s.running--
	s.change.Broadcast()
	s.mu.Unlock()
}

func (s *latePool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.change.Broadcast()
	for s.running > 0 {
		s.change.Wait()
	}
	return nil
}

// TestEarly: pools whose workers come with the first submissions. That of java.util.concurrent.ThreadPoolExecutor takes its worker back.
func TestEarly(t *testing.T) {
	t.Attr("req", "SC-LOST")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 1
	for _, c := range []struct {
		name, id string // the id is empty where it is right
		f        scheduler.Factory
	}{
		{"right", "", newLatePool("")}, {"workers from the beginning", "", newPool("")}, {"goroutines", "", newGoroutines},
		{"takes its worker back", "SC-LOST", newLatePool("takes its worker back")},
		{"leaves it to nobody", "SC-LOST", newLatePool("leaves it to nobody")},
		{"begins with an empty queue", "SC-LOST", newLatePool("begins with an empty queue")},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, findings := carried(t, spec.Pool, c.f, "^stress/early$")
			for _, f := range findings {
				t.Logf("%s: %s, saw %s", f.Fingerprint, f.Expected, f.Observed)
			}
			if c.id == "" && len(findings) > 0 || c.id != "" && rows[c.id].Standing != suite.Broken {
				t.Errorf("expected broken: %q, saw %d findings", c.id, len(findings))
			}
		})
	}
}
