package sched

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// A P does idle-priority work when it has nothing else to do. In the runtime, workers of the garbage collector are such
// work. A further source of work needs four rules. A G that puts something there wakes an M. The search looks there. An M
// that has stopped to spin looks there again. handoffp looks there. In small scenes the first and the third rule do
// the work of the other two. The model shows what those are for (its bugs search_no_extra and handoff_no_extra).

// idlework is what waits to be done by an idle P.
type idlework struct {
	state atomic.Uint32 // noExtra, extraWaits or extraTaken
	mu    sync.Mutex
	list  []func() // the first is the one that waits, or is done
}

const (
	noExtra    uint32 = iota
	extraWaits        // to be done
	extraTaken        // it is being done
)

// Idle has f called once, when a P has no G to run. One such function runs at a time, and the next when a P is idle
// again. f has no G. It is to be short. It must not call the scheduler, block, or call runtime.Goexit. Its panic is a
// PanicError of Close, which waits until all such functions have been called. (enlistWorker)
func (g *G) Idle(f func()) {
	if f == nil {
		panic("sched: Idle of a nil function")
	}
	s := g.running("Idle").s
	s.idleworks.Store(true) // outside: it is looked at from now on
	w := &s.idlework
	w.mu.Lock() // outside: functions that wait behind another
	w.list = append(w.list, f)
	first := len(w.list) == 1
	if first {
		w.state.Store(extraWaits) // Sched!SubmitExtra
	}
	w.mu.Unlock() // outside: functions that wait behind another
	if first {
		s.enlistWorker()
	}
}

// enlistWorker has an M look for idle-priority work, if a P is idle and nobody looks.
func (s *Scheduler) enlistWorker() {
	if s.npidle.Load() != 0 && // Sched!EnlistLoad
		s.nmspinning.Load() == 0 { // Sched!EnlistSpin
		s.wakep()
	}
}

// extraHere reports whether idle-priority work waits.
func (s *Scheduler) extraHere() bool {
	return s.idleworks.Load() && // outside: whether there ever was any
		s.idlework.state.Load() == extraWaits // Sched!RecheckExtra, HandoffExtra
}

// takeExtra takes idle-priority work, if some waits.
func (s *Scheduler) takeExtra() bool {
	return s.idleworks.Load() && // outside: whether there ever was any
		s.idlework.state.CompareAndSwap(extraWaits, extraTaken) // Sched!Extra
}

// recheckExtra looks for idle-priority work again, without a P. If there is some, and an idle P, m takes both.
// (checkIdleGCNoP)
func (m *M) recheckExtra() bool {
	s := m.s
	if !s.extraHere() {
		return false
	}
	s.global.Lock() // Sched!RecheckExtraGet
	var p *P
	// takeExtra takes it without the lock: a load and a store would take what another M has taken.
	if s.pidle != nil &&
		s.idlework.state.CompareAndSwap(extraWaits, extraTaken) { // with Sched!RecheckExtraGet: what it reads and writes
		p = s.pidleget()
	}
	s.global.Unlock() // with Sched!RecheckExtraGet, RecheckExtraIdle: the end of their section
	if p == nil {
		return false
	}
	m.acquirep(p)
	m.becomeSpinning()
	return true
}

// runExtra does the idle-priority work that m has taken. The next may wait then.
func (m *M) runExtra() {
	s := m.s
	if m.spinning {
		m.resetspinning()
	}
	w := &s.idlework
	w.mu.Lock() // outside: functions that wait behind another
	f := w.list[0]
	w.mu.Unlock() // outside: functions that wait behind another
	s.callsExtra(f)
	w.mu.Lock() // outside: functions that wait behind another
	w.list = w.list[1:]
	more := len(w.list) > 0
	if more {
		w.state.Store(extraWaits) // outside: functions that wait behind another
	} else {
		w.state.Store(noExtra) // Sched!ExtraDone
	}
	w.mu.Unlock() // outside: functions that wait behind another
	if more {
		s.enlistWorker()
	}
}

// callsExtra calls f, whose panic is an error of Close.
func (s *Scheduler) callsExtra(f func()) {
	defer func() {
		if v := recover(); v != nil {
			s.panicked(&PanicError{Value: v, Stack: debug.Stack()})
		}
	}()
	f()
}
