package checks

import (
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// A deepPool is a turnPool whose tasks are counted, and whose local queues may be small.
type deepPool struct {
	*turnPool
	make func(workers, ring int) scheduler.Scheduler
}

func (s *deepPool) Sized(workers, ring int) scheduler.Scheduler { return s.make(workers, ring) }

func (s *deepPool) Submit(f func(scheduler.Task)) error {
	return s.turnPool.Submit(func(w scheduler.Task) { f(&deepTask{turnWorker: w.(*turnWorker)}) })
}

// newDeepPool makes pools with one flaw. If a local queue is full, half of it goes to the global queue, with what has no room.
func newDeepPool(flaw string) scheduler.Factory {
	var build func(workers, ring int) scheduler.Scheduler
	build = func(workers, ring int) scheduler.Scheduler {
		s := newTurnPool(flaw == "a slot that others empty after four in a row", func(w *turnWorker) scheduler.Task {
			if w.useful { // a slot
				if f := w.fromSlot(4)(); f != nil {
					return f
				}
				if f := w.fromLocal(); f != nil {
					return f
				}
				if f := w.fromGlobal(); f != nil {
					return f
				}
				for _, v := range w.s.workers { // wrong, if there is no other worker
					if f := v.slot; f != nil && v != w {
						v.slot = nil
						return f
					}
				}
				return nil
			}
			return w.first(w.fromLocal, w.fromGlobal)
		})(workers).(*turnPool)
		s.ring, s.flaw = ring, flaw
		return &deepPool{s, build}
	}
	return func(workers int) scheduler.Scheduler { return build(workers, 0) }
}

// A deepTask knows how many tasks are above it.
type deepTask struct {
	*turnWorker
	depth int
}

func (t *deepTask) Spawn(f func(scheduler.Task)) error {
	depth := t.depth + 1
	if t.s.flaw == "a depth in seven bits" && depth == 1<<7 {
		return nil // wrong
	}
	return t.turnWorker.Spawn(func(w scheduler.Task) { f(&deepTask{w.(*turnWorker), depth}) })
}

// overflow takes a task for which there is no room in the local queue.
func (w *turnWorker) overflow(f any) {
	if w.s.flaw == "drops what has no room" {
		return // wrong
	}
	half := len(w.local) / 2
	moved := append(append([]any(nil), w.local[:half]...), f)
	w.local = w.local[half:]
	if w.s.flaw == "loses one of what it moves" {
		moved = moved[1:] // wrong
	}
	if w.s.flaw == "moves one twice" {
		moved = append(moved, moved[0]) // wrong
	}
	w.s.global = append(w.s.global, moved...)
}

// TestDeep: pools that do not stand deep spawns, or full queues.
func TestDeep(t *testing.T) {
	t.Attr("req", "SC-LOST")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 1
	for _, c := range []struct{ flaw, id string }{
		{"none", ""}, {"a slot that others empty after four in a row", "SC-WORK"}, {"a depth in seven bits", "SC-WORK"}, {"a local queue of 100", "SC-WORK"},
		{"drops what has no room", "SC-WORK"}, {"loses one of what it moves", "SC-WORK"}, {"moves one twice", "SC-TWICE"},
	} {
		t.Run(c.flaw, func(t *testing.T) {
			rows, findings := carried(t, spec.Pool, newDeepPool(c.flaw), "^stress/deep$")
			for _, f := range findings {
				t.Logf("%s: %s, saw %s", f.Fingerprint, f.Expected, f.Observed)
			}
			if c.id == "" && len(findings) > 0 || c.id != "" && rows[c.id].Standing != suite.Broken {
				t.Errorf("expected broken: %q, saw %d findings", c.id, len(findings))
			}
		})
	}
	for name, f := range map[string]scheduler.Factory{"one queue": newPool(""), "goroutines": newGoroutines} {
		t.Run(name, func(t *testing.T) {
			if _, findings := carried(t, spec.Pool, f, "^stress/deep$"); len(findings) > 0 {
				t.Errorf("expected nothing, saw %v", findings)
			}
		})
	}
}
