package designs

import (
	"sync"
	"sync/atomic"
)

// EventCount is the thread pool of Eigen without its spinning (Eigen/src/ThreadPool/NonBlockingThreadPool.h, ThreadPoolTempl
// with allow_spinning off; WaitForWork is wait here): a queue for each worker, and an event count on which those sleep that found all queues
// empty. What comes from outside is dealt out to the queues in turn (there: by chance). A full queue does not exist here (there, the
// task then runs inside the submission).
//
// No task waits beside an idle worker: each task that is queued wakes a worker, if any waits. A worker that was woken for it
// and finds it gone has lost it to another one that looked for work; as many go on looking as there are tasks, or all do.
//
// It ends when it is closed and all workers wait at once. The worker that counts last looks at the queues once more: a task that was
// submitted before Close may lie there. Then it looks at the count again: another worker may have taken that task. Such a worker is not
// counted, and its task may spawn others and need all workers. Eigen's WaitForWork does not look at the count again.
type EventCount struct {
	ec      *eventCount
	workers []eventCountWorker
	blocked atomic.Int64 // workers that found nothing
	done    atomic.Bool  // workers end when all are blocked
	ended   sync.WaitGroup

	mu     sync.Mutex // of submissions from outside
	closed bool
	turn   int // the worker whose queue gets the next one
}

// eventCountWorker is a worker, and what its tasks are given.
type eventCountWorker struct {
	pool  *EventCount
	id    int
	queue deque
}

// NewEventCount returns a scheduler with so many workers, up to 8,191.
func NewEventCount(workers int) *EventCount {
	p := &EventCount{ec: newEventCount(workers), workers: make([]eventCountWorker, workers)}
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

// Submit queues a task from outside.
func (p *EventCount) Submit(t task) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return errClosed
	}
	p.workers[p.turn].queue.pushOldest(t)
	p.turn = (p.turn + 1) % len(p.workers)
	p.mu.Unlock()
	p.ec.notify()
	return nil
}

// Spawn queues a task of the task that w runs.
func (w *eventCountWorker) Spawn(t task) error {
	w.queue.push(t)
	w.pool.ec.notify()
	return nil
}

// Close waits until all tasks have ended, and has the workers end.
func (p *EventCount) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.done.Store(true)
	p.ec.notifyAll()
	p.ended.Wait()
	return nil
}

// run is the loop of a worker.
func (w *eventCountWorker) run() {
	defer w.pool.ended.Done()
	for {
		t := w.queue.newest()
		if t == nil {
			t = w.steal()
		}
		if t == nil {
			var over bool
			if t, over = w.wait(); over {
				return
			}
		}
		if t != nil {
			t(w)
		}
	}
}

// steal takes the oldest task of another worker, beginning with the next one.
func (w *eventCountWorker) steal() task {
	all := w.pool.workers
	for i := 1; i < len(all); i++ {
		if t := all[(w.id+i)%len(all)].queue.oldest(); t != nil {
			return t
		}
	}
	return nil
}

// queued returns a worker whose queue has a task, or nil.
func (p *EventCount) queued() *eventCountWorker {
	for i := range p.workers {
		if !p.workers[i].queue.empty() {
			return &p.workers[i]
		}
	}
	return nil
}

// wait looks at the queues once more and sleeps if there is nothing. It returns a task if it got one, and whether the
// scheduler has come to its end.
func (w *eventCountWorker) wait() (t task, over bool) {
	p := w.pool
	p.ec.prewait()
	if victim := p.queued(); victim != nil {
		p.ec.cancel()
		return victim.queue.oldest(), false
	}
	// The last task may have come behind the look above, and Close behind it. So look for the task again, and then for a worker that has
	// taken it. If there is one of the two, this is not the end: some other worker is awake or is being woken, and counts later.
	if all := int64(len(p.workers)); p.blocked.Add(1) == all && p.done.Load() && p.queued() == nil && p.blocked.Load() == all {
		p.ec.cancel()
		p.ec.notifyAll()
		return nil, true
	}
	p.ec.commit(w.id)
	p.blocked.Add(-1)
	return nil, false
}
