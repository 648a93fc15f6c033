package designs

import (
	"sync"
	"sync/atomic"
)

// An eventCount lets workers wait for a condition that no lock guards, here: some queue has a task. It is that of Dmitry Vyukov in
// Eigen (Eigen/src/ThreadPool/EventCount.h, classes EventCount and Waiter).
//
// Who waits says so first (prewait), looks at the condition again, and then either takes that back (cancel) or sleeps
// (commit). Who makes the condition true looks afterwards whether somebody waits (notify). Both write before they look, as in
// Dekker's algorithm, and Go's atomics have one order for all: so at least one of them sees the other.
//
// All is in one word: the top of a stack of those that sleep, how many stand between prewait and commit, how many of
// these have been notified, and a count against ABA, which changes each time the same waiter is pushed. There, notify and notifyAll
// are one function, and who wakes one cuts it off from the stack, since the same code wakes one and all.
//
//	63      42 41     28 27     14 13      0
//	[ epoch  ] [signals ] [prewait ] [ stack ]
type eventCount struct {
	state   atomic.Uint64
	waiters []waiter // one for each worker
}

const (
	waiterBits = 14
	emptyStack = 1<<waiterBits - 1
	waiterInc  = 1 << waiterBits
	waiterMask = emptyStack << waiterBits
	signalBits = 2 * waiterBits
	signalInc  = 1 << signalBits
	signalMask = emptyStack << signalBits
	epochInc   = 1 << (3 * waiterBits)
	epochMask  = 1<<64 - epochInc
)

// A waiter is a worker that may sleep.
type waiter struct {
	next  atomic.Uint64 // below it on the stack, with the epoch of that one
	epoch uint64        // its owner's

	mu       sync.Mutex
	signaled bool
	cond     sync.Cond
}

func newEventCount(waiters int) *eventCount {
	ec := &eventCount{waiters: make([]waiter, waiters)}
	ec.state.Store(emptyStack)
	for i := range ec.waiters {
		w := &ec.waiters[i]
		w.cond.L = &w.mu
	}
	return ec
}

// prewait says that a worker is about to wait. It must look at the condition then, and call cancel or commit.
func (ec *eventCount) prewait() { ec.state.Add(waiterInc) }

// commit has waiter i sleep until it is notified. If somebody was notified who stands before commit, it takes that for itself.
func (ec *eventCount) commit(i int) {
	w := &ec.waiters[i]
	w.signaled = false // nobody else looks: w is not on the stack
	for {
		state := ec.state.Load()
		if state&signalMask != 0 {
			if ec.state.CompareAndSwap(state, state-waiterInc-signalInc) {
				return
			}
			continue
		}
		w.next.Store(state & (epochMask | emptyStack))
		if ec.state.CompareAndSwap(state, (state&waiterMask-waiterInc)|uint64(i)|w.epoch) {
			w.epoch += epochInc
			w.park()
			return
		}
	}
}

// cancel takes prewait back. If all that stand before commit were notified, the one who leaves was, too: it has no use for
// that, and passes it on.
func (ec *eventCount) cancel() {
	for {
		state := ec.state.Load()
		next := state - waiterInc
		all := state&waiterMask>>waiterBits == state&signalMask>>signalBits
		if all {
			next -= signalInc
		}
		if ec.state.CompareAndSwap(state, next) {
			if all {
				ec.notify()
			}
			return
		}
	}
}

// notify wakes one waiter, if there is any that was not notified. It is called behind what makes the condition true.
func (ec *eventCount) notify() {
	for {
		state := ec.state.Load()
		switch prewait, signals := state&waiterMask>>waiterBits, state&signalMask>>signalBits; {
		case signals < prewait:
			if ec.state.CompareAndSwap(state, state+signalInc) {
				return
			}
		case state&emptyStack == emptyStack:
			return
		default:
			w := &ec.waiters[state&emptyStack]
			if ec.state.CompareAndSwap(state, state&(waiterMask|signalMask)|w.next.Load()) {
				w.unpark()
				return
			}
		}
	}
}

// notifyAll wakes all waiters.
func (ec *eventCount) notifyAll() {
	for {
		state := ec.state.Load()
		prewait := state & waiterMask >> waiterBits
		if !ec.state.CompareAndSwap(state, prewait<<waiterBits|prewait<<signalBits|emptyStack) {
			continue
		}
		for top := state & emptyStack; top != emptyStack; {
			w := &ec.waiters[top]
			top = w.next.Load() & emptyStack // before it is woken: it may sleep again
			w.unpark()
		}
		return
	}
}

func (w *waiter) park() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.signaled {
		w.cond.Wait()
	}
}

func (w *waiter) unpark() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.signaled = true
	w.cond.Signal()
}
