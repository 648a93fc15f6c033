package checks

import (
	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/sync"
)

type slotBug int

const (
	noSlotBug      slotBug = iota
	keepsYielded           // a task that has yielded stays with the worker that blocks
	keepsReady             // so does one that was made ready there
	goesOnIfNeeded         // a worker whose task blocks goes on only if another task waits then
	stealsNever            // nobody takes what lies in a slot: wrong where tasks keep their workers, and right where they leave them
)

// slotPool has workers with a slot in front of the queue: in it lies what its task has spawned, or made ready. A worker whose task blocks goes on with others. It is right, or has one of the bugs above.
type slotPool struct {
	bug     slotBug
	mu      sync.Mutex
	work    sync.Cond
	queue   []*slotTask
	slots   []*slotWorker
	live    int
	running int // goroutines of workers
	closed  bool
}

type slotWorker struct {
	slot    *slotTask
	yielded []*slotTask
}

// slotTask is a task. It has a goroutine, which runs while a worker waits for it.
type slotTask struct {
	s     *slotPool
	w     *slotWorker
	kept  []*slotTask // by the worker that blocks with it
	back  bool        // its call has returned
	ready bool        // before it has parked
	gone  bool        // parked
	turn  *slotGate
	run   *slotRun // the last one
}

// slotRun is a task on a worker, until it leaves that.
type slotRun struct {
	over *slotGate
	why  slotLeave
}

type slotLeave int

const (
	slotEnds slotLeave = iota
	slotYields
	slotParks
	slotBlocks
)

// slotGate is opened again and again, by one each time, for another that waits.
type slotGate struct {
	mu   sync.Mutex
	cond sync.Cond
	open bool
}

func newSlotGate() *slotGate {
	g := new(slotGate)
	g.cond.L = &g.mu
	return g
}

func (g *slotGate) opens() {
	g.mu.Lock()
	g.open = true
	g.cond.Signal()
	g.mu.Unlock()
}

func (g *slotGate) waits() {
	g.mu.Lock()
	for !g.open {
		g.cond.Wait()
	}
	g.open = false
	g.mu.Unlock()
}

func newSlotPool(b slotBug) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &slotPool{bug: b, running: workers}
		s.work.L = &s.mu
		for range workers {
			s.slots = append(s.slots, new(slotWorker))
		}
		for _, w := range s.slots { // workers look through all slots
			hook.Go(func() { s.worker(w) })
		}
		return s
	}
}

func (s *slotPool) makes(f func(scheduler.Task)) *slotTask {
	t := &slotTask{s: s, turn: newSlotGate()}
	hook.Go(func() {
		t.turn.waits()
		defer t.leaves(slotEnds)
		f(t)
	})
	return t
}

func (t *slotTask) leaves(why slotLeave) {
	run := t.run // another worker may take it soon
	run.why = why
	run.over.opens()
}

func (s *slotPool) Submit(f func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.live++
	s.puts(s.makes(f))
	return nil
}

// puts queues tasks, and wakes workers for them.
func (s *slotPool) puts(list ...*slotTask) {
	s.queue = append(s.queue, list...)
	s.work.Broadcast()
}

func (t *slotTask) Spawn(f func(scheduler.Task)) error {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.s.live++
	t.s.slips(t.w, t.s.makes(f))
	return nil
}

// slips puts a task into the slot of a worker.
func (s *slotPool) slips(w *slotWorker, t *slotTask) {
	if w.slot != nil {
		s.puts(w.slot)
	}
	w.slot = t
	s.work.Broadcast()
}

func (t *slotTask) Yield() {
	t.leaves(slotYields)
	t.turn.waits()
}

func (t *slotTask) Park(unlock func()) {
	unlock()
	t.leaves(slotParks)
	t.turn.waits()
}

func (t *slotTask) Ready(other scheduler.Task) {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	o := other.(*slotTask)
	if !o.gone {
		o.ready = true
		return
	}
	o.gone = false
	t.s.slips(t.w, o)
}

// Ready makes a task ready from outside.
func (s *slotPool) Ready(other scheduler.Task) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := other.(*slotTask)
	if !o.gone {
		o.ready = true
		return nil
	}
	o.gone = false
	s.puts(o)
	return nil
}

func (t *slotTask) Block(call func()) {
	t.s.mu.Lock()
	t.back = false
	switch w := t.w; { // wrong: these wait for the call
	case t.s.bug == keepsYielded:
		t.kept, w.yielded = w.yielded, nil
	case t.s.bug == keepsReady && w.slot != nil:
		t.kept, w.slot = []*slotTask{w.slot}, nil
	}
	t.s.mu.Unlock()
	t.leaves(slotBlocks)
	call()
	t.s.mu.Lock()
	kept := t.kept
	t.kept, t.back = nil, true
	t.s.puts(append(kept, t)...)
	t.s.mu.Unlock()
	t.turn.waits()
}

// takes returns the next task for a worker, or nil. What has yielded comes behind all others.
func (s *slotPool) takes(w *slotWorker) (t *slotTask) {
	switch {
	case w.slot != nil:
		t, w.slot = w.slot, nil
	case len(s.queue) > 0:
		t, s.queue = s.queue[0], s.queue[1:]
	case len(w.yielded) > 0:
		t, w.yielded = w.yielded[0], w.yielded[1:]
	case s.bug != stealsNever:
		for _, o := range s.slots {
			if o.slot != nil {
				t, o.slot = o.slot, nil
				return t
			}
		}
	}
	return t
}

func (s *slotPool) worker(w *slotWorker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		t := s.takes(w)
		if t == nil {
			if s.closed && s.live == 0 {
				break
			}
			s.work.Wait()
			continue
		}
		run := &slotRun{over: newSlotGate()}
		t.w, t.run = w, run
		if s.bug != keepsYielded {
			s.puts(w.yielded...)
			w.yielded = nil
		}
		s.mu.Unlock()
		t.turn.opens()
		run.over.waits()
		s.mu.Lock()
		s.puts(w.yielded...)
		w.yielded = nil
		switch run.why {
		case slotEnds:
			s.live--
			s.work.Broadcast()
		case slotYields:
			w.yielded = append(w.yielded, t)
		case slotParks:
			if t.gone = !t.ready; t.ready {
				t.ready = false
				s.puts(t)
			}
		case slotBlocks:
			for waits := s.bug == goesOnIfNeeded && len(s.queue) == 0 && w.slot == nil; waits && !t.back; {
				s.work.Wait() // wrong: what comes meanwhile may need this worker
			}
		}
	}
	s.running--
	s.work.Broadcast()
}

func (s *slotPool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.work.Broadcast()
	for s.running > 0 {
		s.work.Wait()
	}
	return nil
}
