package checks

import (
	"sync"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// A turnPool has a queue for each worker, and one for what comes from outside, all behind one lock. Who differs is which task a worker takes next.
type turnPool struct {
	next    func(w *turnWorker) scheduler.Task // nil if there is none
	mu      sync.Mutex
	work    sync.Cond
	global  []any
	workers []*turnWorker
	closed  bool
	ended   sync.WaitGroup
	ring    int    // room in a local queue; 0: any
	flaw    string // of deepPool
}

type turnWorker struct {
	s      *turnPool
	local  []any
	slot   any // of some: what was spawned last
	slots  int // how often in a row a task came from there
	ticks  int
	useful bool // it has a slot
}

func newTurnPool(slot bool, next func(w *turnWorker) scheduler.Task) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		s := &turnPool{next: next}
		s.work.L = &s.mu
		s.ended.Add(workers)
		for range workers {
			s.workers = append(s.workers, &turnWorker{s: s, useful: slot})
		}
		for _, w := range s.workers {
			go w.run()
		}
		return s
	}
}

func (s *turnPool) Submit(f func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.global = append(s.global, f)
	s.work.Signal()
	return nil
}

func (w *turnWorker) Spawn(f func(scheduler.Task)) error {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	old := any(f)
	if w.useful {
		old, w.slot = w.slot, f
	}
	switch {
	case old == nil:
	case w.s.flaw == "a local queue of 100" && len(w.local) == 100: // wrong
	case w.s.ring > 0 && len(w.local) >= w.s.ring:
		w.overflow(old)
	default:
		w.local = append(w.local, old)
	}
	w.s.work.Signal()
	return nil
}

func (s *turnPool) Close() error {
	s.mu.Lock()
	s.closed = true
	s.work.Broadcast()
	s.mu.Unlock()
	s.ended.Wait()
	return nil
}

func (w *turnWorker) run() {
	defer w.s.ended.Done()
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	for {
		f := w.s.next(w)
		switch {
		case f != nil:
			w.s.mu.Unlock()
			f.(func(scheduler.Task))(w)
			w.s.mu.Lock()
		case w.s.closed:
			return
		default:
			w.s.work.Wait()
		}
	}
}

func oldestOf(q *[]any) (f any) {
	if len(*q) > 0 {
		f, *q = (*q)[0], (*q)[1:]
	}
	return f
}

func newestOf(q *[]any) (f any) {
	if last := len(*q) - 1; last >= 0 {
		f, *q = (*q)[last], (*q)[:last]
	}
	return f
}

// first returns the first that is not nil, of the places in order, and last what other workers have.
func (w *turnWorker) first(places ...func() any) any {
	for _, place := range places {
		if f := place(); f != nil {
			return f
		}
	}
	for _, v := range w.s.workers {
		if f := oldestOf(&v.local); f != nil {
			return f
		}
		if f := v.slot; f != nil {
			v.slot = nil
			return f
		}
	}
	return nil
}

func (w *turnWorker) fromGlobal() any { return oldestOf(&w.s.global) }
func (w *turnWorker) fromLocal() any  { return oldestOf(&w.local) }
func (w *turnWorker) newest() any     { return newestOf(&w.local) }

// fromSlot takes the task of the slot, up to most times in a row; 0: always.
func (w *turnWorker) fromSlot(most int) func() any {
	return func() any {
		f := w.slot
		if w.slots++; f == nil || most > 0 && w.slots > most {
			w.slots = 0
			return nil
		}
		w.slot = nil
		return f
	}
}

// sometimes takes one from the place each 61st time.
func (w *turnWorker) sometimes(place func() any) func() any {
	return func() any {
		if w.ticks++; w.ticks%61 == 0 {
			return place()
		}
		return nil
	}
}

// TestAgain: schedulers that let all others run, and such that do not.
func TestAgain(t *testing.T) {
	t.Attr("req", "FA-AGAIN")
	for _, c := range []struct {
		name  string
		right bool
		f     scheduler.Factory
	}{
		{"one queue, the oldest first", true, newPool("")},
		{"the local queue, and each 61st time the global one", true, newTurnPool(false, func(w *turnWorker) scheduler.Task {
			return w.first(w.sometimes(w.fromGlobal), w.fromLocal, w.fromGlobal)
		})},
		{"a slot, three times in a row, and each 61st time the global queue", true, newTurnPool(true, func(w *turnWorker) scheduler.Task {
			return w.first(w.sometimes(w.fromGlobal), w.fromSlot(3), w.fromLocal, w.fromGlobal)
		})},
		{"a slot, without end", false, newTurnPool(true, func(w *turnWorker) scheduler.Task {
			return w.first(w.sometimes(w.fromGlobal), w.fromSlot(0), w.fromLocal, w.fromGlobal)
		})},
		{"the newest first", false, newTurnPool(false, func(w *turnWorker) scheduler.Task {
			return w.first(w.sometimes(w.fromGlobal), w.newest, w.fromGlobal)
		})},
		{"the local queue first", false, newTurnPool(false, func(w *turnWorker) scheduler.Task { return w.first(w.fromLocal, w.fromGlobal) })},
		{"the global queue first", false, newTurnPool(false, func(w *turnWorker) scheduler.Task { return w.first(w.fromGlobal, w.fromLocal) })},
	} {
		t.Run(c.name, func(t *testing.T) {
			open := InProcess
			if !c.right {
				open = func(_ string, p spec.Profile, f scheduler.Factory) (Target, error) { return hurried(p, f) }
			}
			target, err := open("x", spec.Pool+",again=fair", c.f)
			if err != nil {
				t.Fatal(err)
			}
			o := suite.Options{Select: "^stress/again$", Seed: 1, Witnesses: []spec.Witness{spec.Stress}, Sink: func(e suite.Event) {
				switch {
				case e.Event == suite.FindingEvent && (c.right || e.Finding.Requirement != "FA-AGAIN"):
					t.Errorf("%s: expected %s, saw %s", e.Finding.Fingerprint, e.Finding.Expected, e.Finding.Observed)
				case e.Event == suite.RequirementEvent && e.Requirement.ID == "FA-AGAIN" && (e.Requirement.Standing == suite.Broken) == c.right:
					t.Errorf("expected it to be right: %v, saw %s %s", c.right, e.Requirement.Standing, e.Requirement.Reason)
				}
			}}
			if err := suite.Run(t.Context(), o, suite.Opened(Subject, target)); err != nil {
				t.Fatal(err)
			}
		})
	}
}
