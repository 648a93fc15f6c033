package designs

import (
	"sync"
	"sync/atomic"
)

// sleepCounters decide when workers sleep and who is woken. They are those of Rayon (rayon-core/src/sleep/mod.rs and counters.rs,
// described in the README there: start_looking, work_found, no_work_found, announce_sleepy, sleep, new_jobs, wake_any_threads).
// There, jobs may be announced several at once; here, each is.
//
// A worker that finds nothing becomes sleepy first: it makes the counter of jobs odd, unless that is odd already, and notes
// it. Then it looks for work once more, and falls asleep only if the counter is still what it noted. Who has queued a
// task makes an odd counter even. So a task that was queued behind the last look keeps the worker awake, or its submitter
// sees a sleeper.
//
// All is in one word, so that both can be told from one moment:
//
//	63                       32 31       16 15        0
//	[ counter of jobs          ] [ inactive ] [ sleeping ]
type sleepCounters struct {
	word    atomic.Uint64
	workers []sleepState // one for each worker
}

const (
	oneSleeping  = 1
	oneInactive  = 1 << 16
	oneJob       = 1 << 32
	sleepingMask = oneInactive - 1
	threadsMask  = oneJob - 1
)

// sleepState is where one worker sleeps.
type sleepState struct {
	latch latch

	mu      sync.Mutex
	blocked bool // it sleeps, and nobody has woken it
	cond    sync.Cond
}

// idle is what a worker knows that looks for work.
type idle struct {
	sleepy bool   // it looks for the last time
	jobs   uint64 // the counter of jobs when it became sleepy
}

func newSleepCounters(workers int) *sleepCounters {
	s := &sleepCounters{workers: make([]sleepState, workers)}
	for i := range s.workers {
		s.workers[i].cond.L = &s.workers[i].mu
	}
	return s
}

// startLooking is called by a worker that has nothing to do.
func (s *sleepCounters) startLooking() { s.word.Add(oneInactive) }

// workFound is called by a worker that has looked for work and found it. Those who queued more meanwhile may have counted on it:
// so it wakes up to two that sleep.
func (s *sleepCounters) workFound() {
	now := s.word.Add(^uint64(oneInactive - 1))
	s.wakeAny(min(now&sleepingMask, 2))
}

// noWorkFound is called by worker i each time that it has looked in vain. It returns when to look again. injected says
// whether a task from outside waits. There, a worker looks 32 times before it becomes sleepy; that is for speed alone.
func (s *sleepCounters) noWorkFound(i int, w *idle, injected func() bool) {
	if !w.sleepy {
		w.sleepy, w.jobs = true, s.becomeSleepy()
		return
	}
	s.sleep(i, w, injected)
	w.sleepy = false
}

// becomeSleepy makes the counter of jobs odd, and returns it.
func (s *sleepCounters) becomeSleepy() (jobs uint64) {
	for {
		word := s.word.Load()
		if jobs = word / oneJob; jobs&1 == 1 {
			return jobs
		}
		if s.word.CompareAndSwap(word, word+oneJob) {
			return jobs + 1
		}
	}
}

// sleep puts worker i to sleep, unless tasks were queued since it became sleepy, or its latch was set.
func (s *sleepCounters) sleep(i int, w *idle, injected func() bool) {
	own := &s.workers[i]
	if !own.latch.getSleepy() {
		return
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	if !own.latch.fallAsleep() {
		return
	}
	for {
		word := s.word.Load()
		if word/oneJob != w.jobs {
			own.latch.wakeUp()
			return
		}
		if s.word.CompareAndSwap(word, word+oneSleeping) {
			break
		}
	}
	// The counter of jobs comes round after 2^31 tasks. Then a task from outside may have been missed by all.
	if injected() {
		s.word.Add(^uint64(oneSleeping - 1))
	} else {
		// Who wakes it waits for the lock, which was taken before anybody could see it sleep.
		for own.blocked = true; own.blocked; {
			own.cond.Wait()
		}
	}
	own.latch.wakeUp()
}

// newJob is called behind each task that was queued. If the queue had others, somebody is woken in any case; else, if
// nobody looks for work.
func (s *sleepCounters) newJob(queueWasEmpty bool) {
	word := s.word.Load()
	for word/oneJob&1 == 1 {
		if s.word.CompareAndSwap(word, (word + oneJob)) {
			break
		}
		word = s.word.Load()
	}
	sleeping := word & sleepingMask
	looking := word&threadsMask/oneInactive - sleeping
	if sleeping > 0 && (!queueWasEmpty || looking == 0) {
		s.wakeAny(1)
	}
}

// wakeAny wakes so many that sleep, or all.
func (s *sleepCounters) wakeAny(n uint64) {
	for i := range s.workers {
		if n == 0 {
			return
		}
		if s.wake(i) {
			n--
		}
	}
}

// wake wakes worker i, and reports whether it slept. It is counted as awake from now on, not only when it runs.
func (s *sleepCounters) wake(i int) bool {
	w := &s.workers[i]
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.blocked {
		return false
	}
	w.blocked = false
	w.cond.Signal()
	s.word.Add(^uint64(oneSleeping - 1))
	return true
}

// A latch is set once, and tells the worker that waits for it. Who sets it must know whether that one may sleep.
type latch struct{ state atomic.Int32 }

// The states of a latch.
const (
	unset int32 = iota
	sleepy
	asleep
	set
)

func (l *latch) probe() bool      { return l.state.Load() == set }
func (l *latch) getSleepy() bool  { return l.state.CompareAndSwap(unset, sleepy) }
func (l *latch) fallAsleep() bool { return l.state.CompareAndSwap(sleepy, asleep) }

// wakeUp says that the worker is awake, unless the latch is set.
func (l *latch) wakeUp() {
	if !l.probe() {
		l.state.CompareAndSwap(asleep, unset)
	}
}

// set sets it, and reports whether the worker must be woken.
func (l *latch) set() (sleeps bool) { return l.state.Swap(set) == asleep }
