package drive

import (
	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/sync"
)

// A gate is shut until somebody opens it, for ever. Its lock is held until then.
type gate struct {
	opened atomic.Bool
	mu     sync.Mutex
}

func newGate() *gate {
	g := new(gate)
	g.mu.Lock()
	return g
}

// open opens the gate. Any number of threads may do so.
func (g *gate) open() {
	if g.opened.CompareAndSwap(false, true) {
		g.mu.Unlock()
	}
}

// wait waits until the gate is open, and keeps the thread.
func (g *gate) wait() {
	g.mu.Lock()
	defer g.mu.Unlock() // for the next one
}

// An event has not happened, and then it has, for ever.
type event struct {
	gate     *gate        // for who keeps its worker
	came     atomic.Int64 // of a meeting: who has come
	happened atomic.Bool

	mu    sync.Mutex // for who parks
	parks []scheduler.Task
}

func newEvent() *event { return &event{gate: newGate()} }

// park parks the task until the event, and reports whether it had to.
func (e *event) park(p scheduler.Parker, t scheduler.Task) (parked bool) {
	e.mu.Lock()
	if e.happened.Load() {
		e.mu.Unlock()
		return false
	}
	e.parks = append(e.parks, t)
	p.Park(e.mu.Unlock)
	return true
}

// happen has the event happen, and returns the tasks that are to be made ready.
func (e *event) happen() []scheduler.Task {
	e.mu.Lock()
	e.happened.Store(true)
	parks := e.parks
	e.parks = nil
	e.mu.Unlock()
	e.gate.open()
	return parks
}
