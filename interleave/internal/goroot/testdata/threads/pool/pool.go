// Package pool is a dependency that is not rewritten.
package pool

import (
	"os"
	"runtime"
	"sync"
	"time"
)

// A Pool runs functions on workers.
type Pool struct {
	work chan func()
	left sync.WaitGroup
}

// New starts n workers.
func New(n int) *Pool {
	p := &Pool{work: make(chan func(), 16)}
	p.left.Add(n)
	for range n {
		go p.worker()
	}
	return p
}

func (p *Pool) worker() {
	defer p.left.Done()
	for f := range p.work {
		p.run(f)
	}
}

func (p *Pool) run(f func()) {
	defer func() {
		if v := recover(); v != nil {
			println("worker exits from panic:", v)
		}
	}()
	f()
}

// Submit has f run.
func (p *Pool) Submit(f func()) { p.work <- f }

// Close waits until all has run.
func (p *Pool) Close() { close(p.work); p.left.Wait() }

// Go runs f on a goroutine.
func Go(f func()) { go f() }

var mu sync.Mutex

// Hold calls f with a lock held.
func Hold(f func()) { mu.Lock(); defer mu.Unlock(); f() }

// An Outer has a method of a type that is not exported.
type Outer struct{ inner }

type inner struct{}

// Start runs f on a goroutine.
func (inner) Start(f func()) { go f() }

// Send sends to a channel.
func Send(c chan int, v int) { c <- v }

// Receive waits at a channel.
func Receive(c chan int) int { return <-c }

// After has f called later.
func After(d time.Duration, f func()) *time.Timer { return time.AfterFunc(d, f) }

// Cleanup has f called when something is collected.
func Cleanup(f func()) { runtime.AddCleanup(new([64]byte), func(int) { f() }, 1) }

// Finalizer does so, too.
func Finalizer(f func()) { runtime.SetFinalizer(new([64]byte), func(*[64]byte) { f() }) }

// Read waits for what nobody writes.
func Read() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer w.Close()
	defer r.Close()
	r.Read(make([]byte, 1))
}
