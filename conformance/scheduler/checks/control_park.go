package checks

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/sync"
)

type parkBug int

const (
	noParkBug parkBug = iota
	hidesDeadlock
	waitsInDeadlock
	countsSleepers
	countsBlocked
	countsRunning
	countsOneLess
	saysItAlways
	forgetsReady
	losesReady
	handsOn
	helpsParked
	leavesDead // which is right: what becomes of them is not checked
)

// parkPool is a leavePool whose tasks park, and whose Close says when those that are left wait for nobody. It is right, or has one of the
// bugs above.
type parkPool struct {
	*leavePool
	bug    parkBug
	mu     sync.Mutex
	change sync.Cond
	live   int // tasks that have not ended
	parked int
	asleep int
	blocks int
	ran    int
	dead   bool      // those that are left are to end
	next   *parkTask // of handsOn: it was made ready, and gets the worker of the next that parks
}

// deadlocked is the error of Close.
type deadlocked struct{ tasks int }

func (e *deadlocked) Error() string { return fmt.Sprintf("%d tasks wait for nobody", e.tasks) }

func newParkPool(b parkBug) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &parkPool{leavePool: newLeavePool(noLeaveBug)(workers).(*leavePool), bug: b}
		s.change.L = &s.mu
		return s
	}
}

func (s *parkPool) count(n *int, by int) {
	s.mu.Lock()
	*n += by
	s.change.Broadcast()
	s.mu.Unlock()
}

func (s *parkPool) Submit(task func(scheduler.Task)) error {
	s.count(&s.live, 1)
	err := s.leavePool.Submit(func(t scheduler.Task) {
		defer s.count(&s.live, -1)
		defer s.handOver(nil, false)
		s.count(&s.ran, 1)
		task(&parkTask{s: s, leaveTask: t.(leaveTask)})
	})
	if err != nil {
		s.count(&s.live, -1)
	}
	return err
}

func (s *parkPool) Close() error {
	s.mu.Lock()
	for {
		waits := s.parked
		switch s.bug {
		case countsSleepers:
			waits += s.asleep // wrong: their time will be over
		case countsBlocked:
			waits += s.blocks // wrong: their calls may return
		case countsRunning:
			if s.parked > 0 {
				waits = s.live // wrong: others may make them ready
			}
		}
		if s.live == waits && (s.bug != waitsInDeadlock || waits == 0) { // wrong: nobody comes
			break
		}
		s.change.Wait()
	}
	n := s.parked
	if s.bug == saysItAlways && n == 0 && s.ran > 1 {
		n = 1 // wrong
	}
	if n > 0 {
		s.dead = true
		s.change.Broadcast()
	}
	s.mu.Unlock()
	if n > 0 && s.bug == leavesDead {
		return &deadlocked{n}
	}
	err := s.leavePool.Close()
	switch {
	case n == 0 || s.bug == hidesDeadlock: // wrong
		return err
	case s.bug == countsOneLess && n > 1:
		n-- // wrong
	}
	return &deadlocked{n}
}

func (s *parkPool) Deadlock(err error) int {
	if d := (*deadlocked)(nil); errors.As(err, &d) {
		return d.tasks
	}
	return 0
}

type parkTask struct {
	leaveTask
	s      *parkPool
	ready  bool
	handed bool // with a worker
}

// handOver makes the next task ready, and next is the next one then. It reports whether it gave that task the worker of who calls.
func (s *parkPool) handOver(next *parkTask, worker bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.next
	if s.next = next; t == nil {
		return false
	}
	t.ready, t.handed = true, worker
	s.change.Broadcast()
	return worker
}

func (t *parkTask) Park(unlock func()) {
	t.s.count(&t.s.parked, 1)
	if t.s.bug == helpsParked { // wrong
		t.s.tasks.Add(1)
		hook.Go(t.s.helps)
	}
	unlock()
	if !t.s.handOver(nil, true) {
		t.leaveTask.s.give()
	}
	t.s.mu.Lock()
	if t.s.bug == forgetsReady {
		t.ready = false // wrong: Ready may have come already
	}
	for !t.ready && (!t.s.dead || t.s.bug == leavesDead) {
		t.s.change.Wait()
	}
	ready, handed := t.ready, t.handed
	t.ready, t.handed = false, false
	t.s.mu.Unlock()
	if !ready {
		runtime.Goexit()
	}
	if !handed {
		t.leaveTask.s.take()
	}
}

// helps waits until Close.
func (s *parkPool) helps() {
	defer s.tasks.Done()
	s.leavePool.mu.Lock()
	for !s.closed {
		s.free.Wait()
	}
	s.leavePool.mu.Unlock()
}

func (t *parkTask) Ready(parked scheduler.Task) {
	if t.s.bug == handsOn {
		t.s.count(&t.s.parked, -1)
		t.s.handOver(parked.(*parkTask), false) // wrong: who waits for a worker never gets it
		return
	}
	t.s.mu.Lock()
	if t.s.bug == losesReady {
		t.s.mu.Unlock()
		return // wrong
	}
	parked.(*parkTask).ready = true
	t.s.parked--
	t.s.change.Broadcast()
	t.s.mu.Unlock()
}

func (t *parkTask) Sleep(d time.Duration) {
	t.s.count(&t.s.asleep, 1)
	defer t.s.count(&t.s.asleep, -1)
	t.leaveTask.Sleep(d)
}

func (t *parkTask) Block(call func()) {
	t.s.count(&t.s.blocks, 1)
	defer t.s.count(&t.s.blocks, -1)
	t.leaveTask.Block(call)
}
