package checks

import (
	"errors"
	"runtime"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/cputime"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// The positive controls: schedulers that are wrong on purpose, judged in the same process by the same checks in every run. If
// a check misses the fault of its control, its silence on the real target means nothing.

// hurried is a target whose tasks need not take turns for long.
func hurried(p spec.Profile, f scheduler.Factory) (Target, error) {
	t, err := InProcess("control", p, f)
	if err == nil {
		in := t.(*inProcess)
		in.control, in.options.Turns = true, 300*time.Millisecond
	}
	return t, err
}

// controls are the wrong schedulers, one at least for each check.
func controls(checks []suite.Check) []suite.Control {
	of := func(check, what string, p spec.Profile, f scheduler.Factory, falls ...string) suite.Control {
		return suite.Control{Check: named(checks, check), What: what, Falls: falls, With: true, Open: func() (suite.Target, error) {
			if named(checks, check).Witness == spec.Interleave {
				t, err := Instrumented("control", p, f, harness.Part{Of: 1})
				if err == nil {
					t.(*inProcess).control = true
				}
				return t, err
			}
			return hurried(p, f)
		}}
	}
	control := func(check, what string, p spec.Profile, b bug, falls ...string) suite.Control {
		return of(check, what, p, wrong(b), falls...)
	}
	leaving := func(check, what string, p spec.Profile, b leaveBug, falls string) suite.Control {
		return of(check, what, p, newLeavePool(b), falls)
	}
	resizing := func(what string, p spec.Profile, b resizeBug, falls ...string) suite.Control {
		return of("stress/resize", what, p, newResizePool(b), falls...)
	}
	parking := func(what string, b parkBug, falls string) suite.Control {
		return of("stress/deadlock", what, spec.Pool+",deadlock=reported", newParkPool(b), falls)
	}
	list := []suite.Control{
		control("stress/graphs", "a pool that takes tasks after it was closed", spec.Pool, acceptsLate, "SC-CLOSED"),
		control("stress/graphs", "a pool whose Submit waits until all workers are free", spec.Pool+",waits=worker", waitsForAll, "SC-CALLS"),
		of("stress/graphs", "a pool that loses tasks that are made ready", spec.Pool+",tasks=cooperative", newParkPool(losesReady), "SC-WAKE"),
		control("stress/meet", "a pool that wakes a worker only if its queue was empty", spec.Pool, wakesFirst, "SC-TOGETHER"),
		control("stress/storm", "a pool that queues every 16th task twice", spec.Pool, queuesTwice, "SC-TWICE"),
		control("stress/flood", "a pool that drops a task if 1,024 wait", spec.Pool, dropsWhenFull, "SC-LOST"),
		control("stress/deep", "a pool that loses the hundredth task of a chain", spec.Pool, losesDeep, "SC-WORK", "SC-LOST"),
		of("stress/deep", "a pool that drops a task if the queue of its worker is full", spec.Pool, newSmall, "SC-WORK", "SC-LOST"),
		control("stress/close", "a pool whose Close does not wait for tasks that run", spec.Pool, closesEarly, "SC-CLOSE-WAITS", "SC-CLOSE-WORKERS"),
		control("stress/early", "a pool that empties its queue when it has started its workers, which come with the first task", spec.Pool, startsLate, "SC-LOST", "SC-CLOSE-WAITS"),
		control("stress/panic", "a pool whose worker ends by a panic of its task", spec.Pool+",panics=isolated", losesWorkers, "SC-PANIC"),
		of("stress/exit", "a pool whose worker ends with a task that ends by runtime.Goexit", spec.Pool+",exits=isolated", newWaitPool(losesExited), "SC-EXIT"),
		of("stress/join", "a pool whose tasks keep their workers while they join", spec.Pool, newJoinPool(helpsNone), "SC-JOIN"),
		of("stress/join", "a pool whose tasks run any other while they join", spec.Pool+",joins=own", newJoinPool(helpsAny), "SC-JOIN"),
		of("stress/wait", "a pool that wakes one of those that wait for all tasks", spec.Pool, newWaitPool(wakesOneWaiter), "SC-WAIT-RETURNS"),
		of("stress/wait", "a pool whose WaitTasks looks at its queue alone", spec.Pool, newWaitPool(waitsForQueue), "SC-WAIT-WAITS"),
		of("stress/closers", "a pool whose second Close does not wait", spec.Pool+",closers=any", newWaitPool(secondReturns), "SC-CLOSE-WAITS"),
		leaving("stress/block", "a pool whose workers wait with their tasks", spec.Pool, keepsWorker, "SY-BLOCK"),
		leaving("stress/block", "a pool whose blocked tasks do not come back", spec.Pool, losesBlocked, "SY-RETURN"),
		leaving("stress/block", "a pool whose blocked tasks come back beside those that took their workers", spec.Pool+",workers=exact", comesBeside, "SC-WORKERS"),
		leaving("stress/block", "a pool whose workers wait with their tasks, however many", spec.Pool+",block=one", keepsWorker, "SY-BLOCK"),
		of("stress/block", "a pool in which tasks that have yielded stay with a worker that blocks", spec.Pool, newSlotPool(keepsYielded), "SY-BLOCK"),
		leaving("stress/sleep", "a pool that rounds times down", spec.Pool, roundsDown, "TM-EARLY"),
		leaving("stress/sleep", "a pool that looks at no clock once all its workers are idle", spec.Pool, looksNotAgain, "TM-LOST"),
		leaving("stress/sleep", "a pool whose times lie with a worker that is busy", spec.Pool, looksBehind, "TM-BESIDE"),
		leaving("stress/sleep", "a pool whose tasks sleep on their workers", spec.Pool, sleepsOn, "TM-LEAVES"),
		resizing("a pool that drops the queue of a worker that it takes away", spec.Pool, dropsQueues, "SC-LOST", "SC-WORK"),
		resizing("a pool that starts more workers when the next task comes", spec.Pool, growsLater, "SC-GROW"),
		resizing("a pool that takes no worker away", spec.Pool+",workers=exact", neverShrinks, "SC-SHRINK"),
		parking("a pool whose Close waits in a deadlock", waitsInDeadlock, "SC-DEADLOCK"),
		parking("a pool that takes a sleeping task for one that can never go on", countsSleepers, "SC-DEADLOCK-TRUE"),
		control("stress/wakes", "a pool that wakes all workers for each task", spec.Pool+",wakes=two", wakesAll, "SC-WAKES"),
		control("stress/threads", "a pool that has a helper for each task, until Close", spec.Pool, helpsEach, "SC-THREADS"),
		of("stress/threads", "a pool that has a helper for each park, until Close", spec.Pool, newParkPool(helpsParked), "SC-THREADS"),
		control("stress/yield", "a pool whose yields let no other task run", spec.Pool+",fair=yield", yieldsToNobody, "FA-YIELD"),
		of("stress/ready", "a pool whose tasks hand their workers to those that they have made ready", spec.Pool+",fair=switch", newParkPool(handsOn), "FA-READY"),
		control("stress/again", "a pool that takes the newest task first", spec.Pool+",again=fair", takesNewest, "FA-AGAIN"),
		of(valveCheck.Name, "a pool whose valves are shut", spec.Pool+",parts=runtime", newShut, shownByScenes...),
		control("stress/spin", "a pool that says that it preempts, and does not", spec.Preemptive, noBug, "FA-PREEMPT"),
		of("stress/timeouts", "a pool that counts a worker which has gone home", spec.Pool, newHomePool(5*time.Millisecond, countsGone), "SC-AFTER-IDLE"),
		control("stress/idle", "a pool whose workers look for work without end", spec.Pool, looksForEver, "SC-IDLE"),
		control("stress/idle", "a pool whose workers look for work as long as one has a task", spec.Pool, looksBeside, "SC-SPIN"),
		control(exploreCheck.Name, "a pool whose workers look at the queue, and then go to sleep", spec.Pool, looksThenSleeps, "SC-WORK", "SC-TOGETHER", "SC-STEAL"),
		control(exploreCheck.Name, "a pool that queues every 16th task twice", spec.Pool, queuesTwice, "SC-TWICE"),
		control(exploreCheck.Name, "a pool whose worker ends by a panic of its task", spec.Pool+",panics=isolated", losesWorkers, "SC-PANIC"),
		of(exploreCheck.Name, "a pool whose worker ends with a task that ends by runtime.Goexit", spec.Pool+",exits=isolated", newWaitPool(losesExited), "SC-EXIT"),
		of(exploreCheck.Name, "a pool whose tasks keep their workers while they join", spec.Pool, newJoinPool(helpsNone), "SC-JOIN"),
		of(exploreCheck.Name, "a pool whose tasks run any other while they join", spec.Pool+",joins=own", newJoinPool(helpsAny), "SC-JOIN"),
		of(exploreCheck.Name, "a pool that wakes one of those that wait for all tasks", spec.Pool, newWaitPool(wakesOneWaiter), "SC-WAIT-RETURNS"),
		of(exploreCheck.Name, "a pool whose WaitTasks looks at its queue alone", spec.Pool, newWaitPool(waitsForQueue), "SC-WAIT-WAITS"),
		of(exploreCheck.Name, "a pool whose Close waits in a deadlock", spec.Pool+",deadlock=reported", newParkPool(waitsInDeadlock), "SC-DEADLOCK"),
		of(exploreCheck.Name, "a pool that takes a blocked task for one that can never go on", spec.Pool+",deadlock=reported", newParkPool(countsBlocked), "SC-DEADLOCK-TRUE"),
		of(exploreCheck.Name, "a pool that starts more workers when the next task comes", spec.Pool, newResizePool(growsLater), "SC-GROW"),
		of(exploreCheck.Name, "a pool that takes no worker away", spec.Pool+",workers=exact", newResizePool(neverShrinks), "SC-SHRINK"),
		of(exploreCheck.Name, "a pool whose workers wait with their tasks", spec.Pool, newLeavePool(keepsWorker), "SY-BLOCK"),
		of(exploreCheck.Name, "a pool that drops a task if the queue of its worker is full", spec.Pool, newSmall, "SC-WORK", "SC-LOST", "SC-CLOSE-WAITS"),
		control(restCheck.Name, "a pool whose workers look for work without end", spec.Pool, looksForEver, "SC-IDLE"),
		control(restCheck.Name, "a pool whose workers look for work as long as one has a task", spec.Pool, looksBeside, "SC-SPIN"),
	}
	if cputime.Used() > 0 { // else the looks alone decide, and do not see it
		list = append(list, control("stress/idle", "a pool of which a worker looks for work half of the time", spec.Pool, looksOften, "SC-IDLE"))
	}
	return list
}

// WrongPool is the factory of one of the controls, for whoever wants to see what a failure looks like. Its profile is spec.Pool.
func WrongPool() scheduler.Factory { return wrong(wakesFirst) }

func wrong(b bug) scheduler.Factory {
	return func(workers int) scheduler.Scheduler { return newWrongPool(workers, b) }
}

type bug int

const (
	noBug bug = iota
	acceptsLate
	waitsForAll
	wakesFirst
	queuesTwice
	dropsWhenFull
	closesEarly
	losesWorkers
	letsThrough
	yieldsToNobody
	looksForEver
	looksOften
	looksBeside
	looksThenSleeps
	wakesAll
	wakesIdle
	helpsEach
	takesNewest
	startsLate
	losesDeep
)

// wrongPool is a pool of workers with a queue behind a lock, and with one of the bugs above. It uses the explorer's own
// locks, so that it is controlled in a binary that is not instrumented.
type wrongPool struct {
	bug     bug
	most    int // workers
	mu      sync.Mutex
	work    sync.Cond // there is a task, or the end
	rest    sync.Cond // no task waits or runs, or the end
	busy    int       // tasks that wait or run
	queue   []func(scheduler.Task)
	put     int
	idle    int
	wakes   uint64
	closed  bool
	workers sync.WaitGroup
	started bool // of startsLate
	room    int  // of dropsWhenFull
	chain   int  // of losesDeep: tasks that were submitted by the only one that there was, each by the one before
}

var errClosed = errors.New("the pool is closed")

func newWrongPool(workers int, b bug) *wrongPool {
	q := &wrongPool{bug: b, most: workers, room: 1024}
	q.work.L, q.rest.L = &q.mu, &q.mu
	if b != startsLate {
		q.start()
	}
	for all := false; b == wakesFirst && !all; runtime.Gosched() { // so that all are there to be woken
		q.mu.Lock()
		all = q.idle == workers
		q.mu.Unlock()
	}
	return q
}

func (q *wrongPool) start() {
	q.workers.Add(q.most)
	for range q.most {
		hook.Go(q.worker)
	}
}

func (q *wrongPool) Submit(task func(scheduler.Task)) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.bug == startsLate && !q.started && !q.closed {
		q.started = true
		q.start()
		q.mu.Unlock()
		runtime.Gosched()
		q.mu.Lock()
		q.queue = nil // wrong: others may have submitted meanwhile
	}
	for q.bug == waitsForAll && q.busy > 0 && !q.closed { // wrong: one free worker is enough
		q.rest.Wait()
	}
	if q.closed && q.bug != acceptsLate { // wrong: nobody runs it
		return errClosed
	}
	if q.bug == dropsWhenFull && len(q.queue) == q.room {
		return nil // wrong
	}
	if q.chain++; q.busy != 1 || len(q.queue) > 0 {
		q.chain = 0
	}
	if q.bug == losesDeep && q.chain >= 100 {
		return nil // wrong
	}
	q.queue = append(q.queue, task)
	if q.bug == helpsEach { // wrong
		q.workers.Add(1)
		hook.Go(func() {
			defer q.workers.Done()
			q.mu.Lock()
			for !q.closed {
				q.rest.Wait()
			}
			q.mu.Unlock()
		})
	}
	q.busy++
	if q.put++; q.bug == queuesTwice && q.put%16 == 0 {
		q.queue = append(q.queue, task) // wrong
	}
	if q.bug != wakesFirst || len(q.queue) == 1 { // wrong: the worker that was woken may run long
		q.wake()
	}
	return nil
}

// smallPool is a right pool with room for 1,023 tasks; with less room it drops what does not fit.
type smallPool struct{ *wrongPool }

func newSmall(workers int) scheduler.Scheduler {
	return smallPool{newWrongPool(workers, dropsWhenFull)}
}

func (smallPool) Sized(workers, ring int) scheduler.Scheduler {
	q := newWrongPool(workers, dropsWhenFull)
	q.room = ring
	return smallPool{q}
}

// wake wakes a worker that waits, if there is one.
func (q *wrongPool) wake() {
	switch {
	case q.bug == wakesAll || q.bug == looksBeside:
		q.wakes += uint64(q.idle) // wrong
		q.work.Broadcast()
	case q.idle > 0:
		q.wakes++
		q.work.Signal()
	default:
		q.work.Signal() // looksThenSleeps does not say that it waits
	}
}

func (q *wrongPool) Wakes() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.bug == wakesIdle && len(q.queue) == 0 {
		q.wake() // wrong: it stands for a clock
	}
	return q.wakes
}

func (q *wrongPool) Close() error {
	q.mu.Lock()
	q.closed = true
	q.work.Broadcast()
	q.rest.Broadcast()
	q.mu.Unlock()
	if q.bug != closesEarly { // wrong
		q.workers.Wait()
	}
	return nil
}

func (q *wrongPool) worker() {
	defer q.workers.Done()
	q.mu.Lock()
	for {
		for len(q.queue) == 0 && !q.closed {
			switch {
			case q.bug == looksForEver, q.bug == looksBeside && q.busy > 0:
				q.mu.Unlock() // wrong
				runtime.Gosched()
				q.mu.Lock()
			case q.bug == looksOften && q.idle == q.most-1:
				q.mu.Unlock() // wrong: the last one sleeps by a clock
				for begin := cputime.Used(); cputime.Used()-begin < 3*time.Millisecond; {
				}
				time.Sleep(3 * time.Millisecond)
				q.mu.Lock()
			case q.bug == looksThenSleeps:
				q.mu.Unlock() // wrong: what comes here wakes nobody
				q.mu.Lock()
				if !q.closed {
					q.work.Wait()
				}
			default:
				q.idle++
				q.work.Wait()
				q.idle--
			}
		}
		if len(q.queue) == 0 {
			break
		}
		// Now and then wait a little for a second task, so that the control does not depend on how busy the machine is.
		for i := 0; q.bug == wakesFirst && i < 200 && len(q.queue) < 2 && !q.closed; i++ {
			q.mu.Unlock()
			runtime.Gosched()
			q.mu.Lock()
		}
		if len(q.queue) == 0 {
			continue // another one has taken it
		}
		task := q.queue[0]
		if last := len(q.queue) - 1; q.bug == takesNewest { // wrong: the oldest may wait for ever
			task, q.queue = q.queue[last], q.queue[:last]
		} else {
			q.queue = q.queue[1:]
		}
		q.mu.Unlock()
		if !q.run(task) && q.bug == losesWorkers {
			return // wrong: there is a worker less
		}
		q.mu.Lock()
		if q.busy--; q.busy == 0 {
			q.rest.Broadcast()
		}
	}
	q.mu.Unlock()
}

// run runs a task, and reports whether it has returned.
func (q *wrongPool) run(task func(scheduler.Task)) (returned bool) {
	defer func() {
		if q.bug != letsThrough { // wrong: the panic ends the program
			recover()
		}
	}()
	var t scheduler.Task
	if q.bug == yieldsToNobody {
		t = keeps{}
	}
	task(t)
	return true
}

// keeps is a task that yields to nobody.
type keeps struct{}

func (keeps) Yield() { runtime.Gosched() } // wrong: its worker is not given to another task
