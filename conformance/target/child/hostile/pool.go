package hostile

import (
	"errors"
	"runtime"
	"sync"

	"github.com/spindle-go/spindle/conformance/scheduler"
)

// pool is the scheduler of a child: a right one, but for its flaw.
type pool struct {
	flaw   string
	mu     sync.Mutex
	work   *sync.Cond
	queue  []func(scheduler.Task)
	asked  int
	closed bool
	ended  sync.WaitGroup
}

// The flaws.
const (
	spins  = "spins"  // workers that have nothing to do
	Loses  = "loses"  // each fifth task
	leaves = "leaves" // its workers, each a thread of the system
)

func newPool(flaw string) scheduler.Factory {
	return func(workers int) scheduler.Scheduler {
		p := &pool{flaw: flaw}
		p.work = sync.NewCond(&p.mu)
		p.ended.Add(workers)
		for range workers {
			go p.worker()
		}
		return p
	}
}

func (p *pool) Submit(task func(scheduler.Task)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errors.New("closed")
	}
	if p.asked++; p.flaw != Loses || p.asked%5 != 0 {
		p.queue = append(p.queue, task)
	}
	p.work.Signal()
	return nil
}

func (p *pool) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.work.Broadcast()
	p.ended.Wait()
	return nil
}

func (p *pool) worker() {
	if p.flaw == leaves {
		runtime.LockOSThread()
		p.works()
		p.ended.Done()
		hang()
		return
	}
	defer p.ended.Done()
	p.works()
}

func (p *pool) works() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		for len(p.queue) == 0 && !p.closed {
			if p.flaw == spins {
				p.mu.Unlock()
				for range 1000 {
				}
				p.mu.Lock()
				continue
			}
			p.work.Wait()
		}
		if len(p.queue) == 0 {
			return
		}
		task := p.queue[0]
		p.queue = p.queue[1:]
		p.mu.Unlock()
		task(nil)
		p.mu.Lock()
	}
}
