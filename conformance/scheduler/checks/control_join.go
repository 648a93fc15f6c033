package checks

import (
	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/hook"
)

type joinBug int

const (
	helpsAny joinBug = iota // right where the contract says joins=any, and wrong where it says joins=own
	helpsOwn                // right
	helpsNone
	helpsOnce
	joinsBegun
	wakesOneJoiner
)

// joinPool is a pool of workers with one queue, whose tasks join others: meanwhile they run those that wait.
type joinPool struct {
	basePool
	bug   joinBug
	queue []*joinJob
	live  int // tasks that have not ended
}

type joinJob struct {
	s           *joinPool
	task        func(scheduler.Task)
	by          *joinJob
	begun, done bool
}

func newJoinPool(b joinBug) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &joinPool{bug: b}
		s.change.L = &s.mu
		s.workers.Add(workers)
		for range workers {
			hook.Go(s.worker)
		}
		return s
	}
}

func (s *joinPool) Submit(task func(scheduler.Task)) error {
	_, err := s.submit(task, nil)
	return err
}

func (s *joinPool) submit(task func(scheduler.Task), by *joinJob) (*joinJob, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed && by == nil {
		return nil, errClosed
	}
	j := &joinJob{s: s, task: task, by: by}
	s.queue = append(s.queue, j)
	s.live++
	s.change.Broadcast()
	return j, nil
}

// take takes the oldest task that waits; with by, the oldest that comes of that.
func (s *joinPool) take(by *joinJob) *joinJob {
	for i, j := range s.queue {
		of := j.by
		for by != nil && of != nil && of != by {
			of = of.by
		}
		if by == nil || of == by {
			s.queue = append(s.queue[:i:i], s.queue[i+1:]...)
			return j
		}
	}
	return nil
}

func (s *joinPool) worker() {
	defer s.workers.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if j := s.take(nil); j != nil {
			s.run(j)
		} else if s.closed && s.live == 0 {
			return
		} else {
			s.change.Wait()
		}
	}
}

func (s *joinPool) run(j *joinJob) {
	j.begun = true
	s.mu.Unlock()
	j.task(j)
	s.mu.Lock()
	j.done = true
	if s.live--; s.live == 0 {
		s.change.Broadcast()
	}
	if s.bug == wakesOneJoiner {
		s.change.Signal() // wrong: it may be a worker, or the wrong task
	} else {
		s.change.Broadcast()
	}
}

func (j *joinJob) Spawn(task func(scheduler.Task)) error {
	_, err := j.s.submit(task, j)
	return err
}

func (j *joinJob) Fork(task func(scheduler.Task)) (func(), error) {
	other, err := j.s.submit(task, j)
	return func() { j.join(other) }, err
}

func (j *joinJob) join(other *joinJob) {
	s := j.s
	s.mu.Lock()
	defer s.mu.Unlock()
	for helped := false; !other.done && !(s.bug == joinsBegun && other.begun); { // wrong: it may not have ended
		var next *joinJob
		switch {
		case s.bug == helpsNone, s.bug == helpsOnce && helped: // wrong: all workers may wait so
		case s.bug == helpsOwn:
			next = s.take(j)
		default:
			next = s.take(nil)
		}
		if helped = true; next != nil {
			s.run(next)
		} else {
			s.change.Wait()
		}
	}
}
