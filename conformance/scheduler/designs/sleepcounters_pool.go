package designs

import (
	"sync"
	"sync/atomic"
)

// SleepCounters is the pool of Rayon without its joins and scopes (rayon-core/src/registry.rs, Registry and WorkerThread): a queue
// for each worker, which takes its newest task while others take the oldest; a queue for what comes from outside, which is
// looked at last; and sleepCounters.
//
// No task waits beside an idle worker: a task whose submitter woke nobody was queued while some worker looked for work. That
// one looks at all queues before it sleeps, and if it takes another task it wakes others (workFound).
//
// It counts itself and all tasks that have not ended. Close counts the scheduler itself out; when the count falls to zero,
// the latch of each worker is set.
type SleepCounters struct {
	sleep    *sleepCounters
	workers  []sleepCountersWorker
	injected deque        // from outside
	count    atomic.Int64 // tasks that have not ended, and 1 until Close; 0 for ever at the end
	closed   atomic.Bool
	ended    sync.WaitGroup
}

// sleepCountersWorker is a worker, and what its tasks are given.
type sleepCountersWorker struct {
	pool  *SleepCounters
	id    int
	queue deque
}

// NewSleepCounters returns a scheduler with so many workers.
func NewSleepCounters(workers int) *SleepCounters {
	p := &SleepCounters{sleep: newSleepCounters(workers), workers: make([]sleepCountersWorker, workers)}
	p.count.Store(1)
	p.ended.Add(workers)
	for i := range p.workers {
		w := &p.workers[i]
		w.pool, w.id = p, i
	}
	for i := range p.workers {
		go p.workers[i].run()
	}
	return p
}

// Submit queues a task from outside. Beside Close it is accepted as long as other tasks have not ended.
func (p *SleepCounters) Submit(t task) error {
	for {
		n := p.count.Load()
		if n == 0 {
			return errClosed
		}
		if p.count.CompareAndSwap(n, n+1) {
			break
		}
	}
	wasEmpty := p.injected.empty()
	p.injected.push(t)
	p.sleep.newJob(wasEmpty)
	return nil
}

// Spawn queues a task of the task that w runs, which is counted itself: the count is not zero.
func (w *sleepCountersWorker) Spawn(t task) error {
	w.pool.count.Add(1)
	wasEmpty := w.queue.empty()
	w.queue.push(t)
	w.pool.sleep.newJob(wasEmpty)
	return nil
}

// Close waits until all tasks have ended, and has the workers end.
func (p *SleepCounters) Close() error {
	if !p.closed.Swap(true) {
		p.countOut()
	}
	p.ended.Wait()
	return nil
}

// countOut counts a task out, or the scheduler itself. Who comes last has all workers end.
func (p *SleepCounters) countOut() {
	if p.count.Add(-1) > 0 {
		return
	}
	for i := range p.workers {
		if p.sleep.workers[i].latch.set() {
			p.sleep.wake(i)
		}
	}
}

// run is the loop of a worker: until its latch is set.
func (w *sleepCountersWorker) run() {
	p := w.pool
	defer p.ended.Done()
	latch := &p.sleep.workers[w.id].latch
	for !latch.probe() {
		if t := w.queue.newest(); t != nil {
			w.do(t)
			continue
		}
		p.sleep.startLooking()
		var state idle
		for !latch.probe() {
			if t := w.find(); t != nil {
				p.sleep.workFound()
				w.do(t)
				p.sleep.startLooking()
				state = idle{}
				continue
			}
			p.sleep.noWorkFound(w.id, &state, func() bool { return !p.injected.empty() })
		}
		p.sleep.workFound()
	}
}

// find takes the newest task of its own, the oldest of another worker, or the oldest from outside.
func (w *sleepCountersWorker) find() task {
	if t := w.queue.newest(); t != nil {
		return t
	}
	all := w.pool.workers
	for i := 1; i < len(all); i++ {
		if t := all[(w.id+i)%len(all)].queue.oldest(); t != nil {
			return t
		}
	}
	return w.pool.injected.oldest()
}

// do runs a task.
func (w *sleepCountersWorker) do(t task) {
	t(w)
	w.pool.countOut()
}
