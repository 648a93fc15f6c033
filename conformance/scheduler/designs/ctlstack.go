package designs

import (
	"sync"
	"sync/atomic"
)

// CtlStack is the ForkJoinPool of Java 8 (Doug Lea; jdk8u, java/util/concurrent/ForkJoinPool.java: signalWork, tryAddWorker, scan,
// helpRelease, awaitWork, tryTerminate), without joins, trimming and compensation. Workers that found nothing lie on a stack, whose top is
// in a word with the counts: how many workers are active, and how many there are.
//
//	63      48 47     32 31            8 7       0
//	[ active  ] [ total  ] [ version     ] [ top   ]
//
// A worker that finds nothing puts itself on the stack, and is not active from then on. Then it looks at all queues
// again: as long as there is something, it releases the top of the stack, until that was itself. It takes a task only while
// it is active. Who has queued a task releases the top, too, or starts a worker if the stack is empty and not all are there.
//
// No task waits beside an idle worker: whoever queued it came behind the last look of that worker, so it saw it on the stack and
// released one of those who lie there. Each task releases another one.
//
// A version changes each time that its worker lies down, against ABA. The scheduler ends when it is closed, nobody is active
// and all queues are empty, at one moment: what the counts say before and behind the look at the queues is the same.
//
// It departs from its model on purpose, to be plain:
//   - There, a task is signalled only if its queue had at most one (externalPush, WorkQueue.push), and who takes one signals if
//     there are more (scan). Here, each task is signalled, and who takes one signals nobody.
//   - There, a worker lies down only if the word is what it was before it looked, and else looks again (scan). Here it lies down
//     whatever has changed: it looks again behind that in any case.
//   - There, who releases a worker gives it its next version (E_SEQ in signalWork and helpRelease); here, the worker takes it when it
//     lies down. So two stays on the stack have different versions in both.
//   - There, the word has a stop bit, which is set by a swap of the word that the look at the queues began with, and tryTerminate looks at the
//     state of each worker besides. Here, the word is read again behind the look, and the end is a flag: nobody who is not active queues
//     a task, and submissions from outside are refused by then.
//   - There, the counts are what is missing to the number of workers that is wanted, so that their sign can be tested. Here
//     they count.
//   - There, queues are arrays without a lock, of which those from outside have several, and scans begin anywhere.
type CtlStack struct {
	ctl      atomic.Uint64
	workers  []*ctlWorker
	outside  deque // from outside
	shutdown atomic.Bool
	stop     atomic.Bool

	mu     sync.Mutex // of submissions from outside, and of the end
	closed bool
	live   int       // workers that have not ended
	ended  sync.Cond // live is 0, at the end
}

const (
	activeInc   = 1 << 48
	totalInc    = 1 << 32
	totalMask   = activeInc - totalInc
	countsMask  = ^uint64(totalInc - 1)
	stackMask   = totalInc - 1
	topMask     = 1<<8 - 1 // a worker's number, from 1; 0: the stack is empty
	versionInc  = 1 << 8
	mostWorkers = topMask
)

// A ctlWorker is a worker, and what its tasks are given.
type ctlWorker struct {
	pool  *CtlStack
	id    int
	queue deque

	scan  atomic.Uint64 // its version and number; with inactive while it lies on the stack
	below atomic.Uint64 // the stack below it

	mu     sync.Mutex
	permit bool // to go on; the next one that parks takes it
	cond   sync.Cond
}

// inactive is the bit of scan that says that a worker lies on the stack.
const inactive = 1 << 63

// NewCtlStack returns a scheduler with so many workers, of which none runs yet. It panics if there are more than 255.
func NewCtlStack(workers int) *CtlStack {
	if workers < 1 || workers > mostWorkers {
		panic("designs: NewCtlStack: expected 1 to 255 workers")
	}
	p := &CtlStack{}
	p.ended.L = &p.mu
	for i := range workers {
		w := &ctlWorker{pool: p, id: i}
		w.cond.L = &w.mu
		w.scan.Store(uint64(i + 1))
		p.workers = append(p.workers, w)
	}
	return p
}

// Submit queues a task from outside.
func (p *CtlStack) Submit(t task) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return errClosed
	}
	p.outside.push(t)
	p.mu.Unlock()
	p.signalWork()
	return nil
}

// Spawn queues a task of the task that w runs.
func (w *ctlWorker) Spawn(t task) error {
	w.queue.push(t)
	w.pool.signalWork()
	return nil
}

// Close waits until all tasks have ended, and has the workers end.
func (p *CtlStack) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.shutdown.Store(true)
	p.tryTerminate()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.stop.Load() || p.live > 0 {
		p.ended.Wait()
	}
	return nil
}

// signalWork releases the top of the stack, or starts a worker if nobody lies there and not all have been started.
func (p *CtlStack) signalWork() {
	for {
		c := p.ctl.Load()
		if c/activeInc >= uint64(len(p.workers)) {
			return
		}
		if c&topMask != 0 {
			if p.release(c) {
				return
			}
			continue
		}
		total := c & totalMask / totalInc
		if total == uint64(len(p.workers)) {
			return
		}
		if p.ctl.CompareAndSwap(c, c+activeInc+totalInc) {
			p.start(p.workers[total])
			return
		}
	}
}

// release makes the top of the stack active, which is not empty, if the word is still c.
func (p *CtlStack) release(c uint64) bool {
	w := p.workers[c&topMask-1]
	if !p.ctl.CompareAndSwap(c, c&countsMask+activeInc|w.below.Load()) {
		return false
	}
	w.scan.Store(c & stackMask)
	w.unpark()
	return true
}

// start starts a worker, unless all is over.
func (p *CtlStack) start(w *ctlWorker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stop.Load() {
		return
	}
	p.live++
	go w.run()
}

// run is the loop of a worker.
func (w *ctlWorker) run() {
	p := w.pool
	for !p.stop.Load() {
		if t := w.find(); t != nil {
			w.do(t)
			continue
		}
		w.await()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live--
	p.ended.Broadcast()
}

// do runs a task, whose panic ends it alone.
func (w *ctlWorker) do(t task) {
	defer func() { recover() }()
	t(w)
}

// find takes a task. If there are none, the worker lies on the stack when it returns.
func (w *ctlWorker) find() task {
	p := w.pool
	for {
		if t := w.take(); t != nil {
			return t
		}
		w.deactivate()
		for !w.active() && p.queued() {
			c := p.ctl.Load()
			if c&topMask == 0 {
				break // it was released, and is told so soon
			}
			p.release(c)
		}
		if !w.active() {
			return nil
		}
	}
}

// active reports whether the worker does not lie on the stack.
func (w *ctlWorker) active() bool { return w.scan.Load()&inactive == 0 }

// deactivate puts the worker on the stack.
func (w *ctlWorker) deactivate() {
	p := w.pool
	own := (w.scan.Load() + versionInc) & stackMask
	w.scan.Store(own | inactive)
	for {
		c := p.ctl.Load()
		w.below.Store(c & stackMask)
		if p.ctl.CompareAndSwap(c, c&countsMask-activeInc|own) {
			return
		}
	}
}

// await waits until somebody has released the worker, or all is over.
func (w *ctlWorker) await() {
	p := w.pool
	if p.shutdown.Load() {
		p.tryTerminate()
	}
	for !w.active() && !p.stop.Load() {
		w.park()
	}
}

// take takes a task: the newest of its own, the oldest of another worker, or the oldest from outside.
func (w *ctlWorker) take() task {
	p := w.pool
	if t := w.queue.newest(); t != nil {
		return t
	}
	for i := 1; i < len(p.workers); i++ {
		if t := p.workers[(w.id+i)%len(p.workers)].queue.oldest(); t != nil {
			return t
		}
	}
	return p.outside.oldest()
}

// queued reports whether some queue has a task.
func (p *CtlStack) queued() bool {
	for _, w := range p.workers {
		if !w.queue.empty() {
			return true
		}
	}
	return !p.outside.empty()
}

// tryTerminate ends the scheduler, which is being shut down, if nobody is active and nothing is queued.
func (p *CtlStack) tryTerminate() {
	for {
		c := p.ctl.Load()
		if c/activeInc > 0 || p.queued() {
			return // who is active, or will be for what is queued, comes here later
		}
		if p.ctl.Load() == c {
			break
		}
	}
	p.mu.Lock()
	p.stop.Store(true)
	p.ended.Broadcast()
	p.mu.Unlock()
	for _, w := range p.workers {
		w.unpark()
	}
}

func (w *ctlWorker) park() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.permit {
		w.cond.Wait()
	}
	w.permit = false
}

func (w *ctlWorker) unpark() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.permit = true
	w.cond.Signal()
}
