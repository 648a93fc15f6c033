package checks

import "github.com/spindle-go/spindle/conformance/scheduler"

// apart is as many pools of one worker, which get tasks in turn: wrong, since nobody takes what another has too much of.
type apart struct {
	pools []scheduler.Scheduler
	turns chan int
}

func newApart(workers int) scheduler.Scheduler {
	s := &apart{turns: make(chan int, 1)}
	for range workers {
		s.pools = append(s.pools, newPool("")(1))
	}
	s.turns <- 0
	return s
}

func (s *apart) Submit(task func(scheduler.Task)) error {
	turn := <-s.turns
	s.turns <- turn + 1
	return s.pools[turn%len(s.pools)].Submit(task)
}

func (s *apart) Close() (err error) {
	for _, p := range s.pools {
		err = p.Close()
	}
	return err
}
