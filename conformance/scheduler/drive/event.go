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

	turn  int              // whose turn it is, of those that take turns
	turns []scheduler.Task // by their places: those that have parked until it is their turn
}

func newEvent(turns int) *event {
	return &event{gate: newGate(), turns: make([]scheduler.Task, turns)}
}

// rally hands the turn on, if the task at that place has it, and returns the one that is to be made ready, or nil. Else it parks the task until it
// has the turn. It reports whether the event has happened.
func (e *event) rally(p scheduler.Parker, t scheduler.Task, at int) (next scheduler.Task, parked, over bool) {
	e.mu.Lock()
	switch {
	case e.happened.Load():
		for i, t := range e.turns { // if nobody outside could make those ready
			if t != nil {
				next, e.turns[i] = t, nil
				break
			}
		}
		e.mu.Unlock()
		return next, false, true
	case e.turn == at:
		e.turn = (at + 1) % len(e.turns)
		next, e.turns[e.turn] = e.turns[e.turn], nil
		e.mu.Unlock()
		return next, false, false
	}
	e.turns[at] = t
	p.Park(e.mu.Unlock)
	return nil, true, false
}

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

// happen has the event happen, and returns the tasks that are to be made ready; none if who calls cannot.
func (e *event) happen(can bool) []scheduler.Task {
	e.mu.Lock()
	e.happened.Store(true)
	if !can {
		e.mu.Unlock()
		e.gate.open()
		return nil
	}
	parks := e.parks
	e.parks = nil
	for at, t := range e.turns {
		if t != nil {
			parks, e.turns[at] = append(parks, t), nil
		}
	}
	e.mu.Unlock()
	e.gate.open()
	return parks
}
