package checks

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// timers is a pool with one list of times, as an M:N scheduler has it: a worker that has nothing to do waits for the first of them, and the others
// wait for work. A task runs on a goroutine of its own, while a worker waits for it. It is right, or has one flaw.
type timers struct {
	flaw    string
	mu      sync.Mutex
	work    sync.Cond // for workers that do not wait for a time
	idle    int
	kick    chan struct{} // for the one that does
	polling bool
	until   time.Time // when it wakes
	ready   []*timed
	sleeps  []*timed
	live    int
	closed  bool
	workers sync.WaitGroup
}

// timed is a task.
type timed struct {
	s      *timers
	owner  int // on which it ran last
	due    time.Time
	resume chan int // the number of the worker
	left   chan bool
}

func newTimers(flaw string) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &timers{flaw: flaw, kick: make(chan struct{}, 1)}
		s.work.L = &s.mu
		for i := range workers {
			s.workers.Add(1)
			go s.worker(i)
		}
		return s
	}
}

func (s *timers) Submit(f func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	t := &timed{s: s, resume: make(chan int), left: make(chan bool)}
	go func() {
		t.owner = <-t.resume
		f(t)
		t.left <- true
	}()
	s.live++
	s.ready = append(s.ready, t)
	s.wake()
	return nil
}

// wake wakes one that looks for work.
func (s *timers) wake() {
	switch {
	case s.idle > 0:
		s.work.Signal()
	case s.polling && s.flaw != "who waits for a time is not told of work":
		s.tell()
	}
}

func (s *timers) tell() {
	select {
	case s.kick <- struct{}{}:
	default:
	}
}

func (s *timers) Close() error {
	s.mu.Lock()
	s.closed = true
	s.work.Broadcast()
	s.tell()
	s.mu.Unlock()
	s.workers.Wait()
	return nil
}

func (t *timed) Sleep(d time.Duration) {
	s := t.s
	s.mu.Lock()
	t.due = time.Now().Add(d)
	switch s.flaw {
	case "rounds to milliseconds":
		t.due = time.Now().Add(d).Truncate(time.Millisecond)
	case "a wheel of 10 ms":
		t.due = t.due.Truncate(10 * time.Millisecond).Add(10 * time.Millisecond)
	case "a wheel of 10 ms, down":
		t.due = t.due.Truncate(10 * time.Millisecond)
	}
	if s.flaw == "newest first" {
		s.sleeps = append([]*timed{t}, s.sleeps...)
	} else {
		s.sleeps = append(s.sleeps, t)
		slices.SortStableFunc(s.sleeps, func(a, b *timed) int { return a.due.Compare(b.due) })
	}
	if s.polling && t.due.Before(s.until) && s.flaw != "who waits for a time is not told of an earlier one" {
		s.tell()
	}
	s.mu.Unlock()
	t.left <- false
	t.owner = <-t.resume
}

func (s *timers) worker(i int) {
	defer s.workers.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		now := time.Now()
		for k := 0; k < len(s.sleeps); {
			t := s.sleeps[k]
			if t.due.After(now) || s.flaw == "times lie with a worker" && t.owner != i {
				k++
				continue
			}
			s.sleeps = slices.Delete(s.sleeps, k, k+1)
			s.ready = append(s.ready, t)
		}
		if len(s.ready) > 0 {
			t := s.ready[0]
			s.ready = s.ready[1:]
			if len(s.ready) > 0 || len(s.sleeps) > 0 && !s.polling && s.flaw != "nobody waits in place of who found work" {
				s.wake()
			}
			s.mu.Unlock()
			t.resume <- i
			ended := <-t.left
			s.mu.Lock()
			if ended {
				s.live--
			}
			continue
		}
		if s.closed && s.live == 0 {
			s.work.Broadcast()
			s.tell()
			return
		}
		own := slices.ContainsFunc(s.sleeps, func(t *timed) bool { return t.owner == i }) || s.flaw != "times lie with a worker"
		if len(s.sleeps) > 0 && own && !s.polling && s.flaw != "the last one goes to sleep" {
			s.polling, s.until = true, s.sleeps[0].due
			s.mu.Unlock()
			late := time.NewTimer(time.Until(s.until))
			select {
			case <-late.C:
			case <-s.kick:
			}
			late.Stop()
			s.mu.Lock()
			s.polling = false
			continue
		}
		s.idle++
		s.work.Wait()
		s.idle--
	}
}

// TestTimers: what is wrong with the times of a scheduler that has them as the Go runtime does is found, in each run, and none of the rest.
func TestTimers(t *testing.T) {
	t.Attr("req", "TM-BESIDE")
	tier.OnlyFull(t)
	defer func(most int, stall time.Duration) { mostStops, drive.Stall = most, stall }(mostStops, drive.Stall)
	mostStops, drive.Stall = 2, 500*time.Millisecond
	all := []string{"TM-LOST", "TM-BESIDE", "TM-LEAVES", "SC-WORK", "SC-TOGETHER"}
	for _, c := range tier.Some(t, []struct {
		flaw  string
		falls []string
	}{
		{"none", nil}, {"a wheel of 10 ms", nil}, {"rounds to milliseconds", []string{"TM-EARLY"}}, {"a wheel of 10 ms, down", []string{"TM-EARLY"}},
		{"the last one goes to sleep", []string{"TM-LOST", "TM-BESIDE"}}, {"times lie with a worker", []string{"TM-BESIDE", "TM-LOST"}},
		{"who waits for a time is not told of an earlier one", []string{"TM-LOST"}}, {"who waits for a time is not told of work", all},
		{"nobody waits in place of who found work", all}, {"newest first", all},
	}, 2) {
		t.Run(c.flaw, func(t *testing.T) {
			judgedBy(t, spec.Pool+",workers=exact", newTimers(c.flaw), "^stress/sleep$", c.falls, "TM-EARLY", "TM-LOST", "TM-BESIDE", "TM-LEAVES")
		})
	}
}
