// Package pool runs tasks on a fixed number of goroutines.
package pool

import (
	"errors"
	"sync"
)

type Pool struct {
	mu      sync.Mutex
	work    *sync.Cond // the queue has a task, or the pool is closed
	queue   []func()
	closed  bool
	workers sync.WaitGroup
}

func New(workers int) *Pool {
	p := new(Pool)
	p.work = sync.NewCond(&p.mu)
	for range workers {
		p.workers.Go(p.run)
	}
	return p
}

func (p *Pool) Go(task func()) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errors.New("the pool is closed")
	}
	p.queue = append(p.queue, task)
	p.work.Signal()
	return nil
}

func (p *Pool) run() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		for len(p.queue) == 0 && !p.closed {
			p.work.Wait()
		}
		if len(p.queue) == 0 {
			return
		}
		task := p.queue[0]
		p.queue = p.queue[1:]
		p.mu.Unlock()
		task()
		p.mu.Lock()
	}
}

func (p *Pool) Wait() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.work.Broadcast()
	p.workers.Wait()
}
