// Package pool is a dependency that is not explored.
package pool

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
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

var outside, asks = new(sync.Mutex), make(chan bool)

func init() {
	go func() { // no thread
		for range asks {
			outside.Lock()
			asks <- true
			time.Sleep(time.Millisecond)
			outside.Unlock()
		}
	}()
}

// HeldOutside has a goroutine outside hold a lock, and waits for it.
func HeldOutside() {
	asks <- true
	<-asks
	outside.Lock()
	outside.Unlock()
}

// Len asks for the length of a channel.
func Len(c chan int) int { return len(c) }

// Sleep sleeps.
func Sleep(d time.Duration) { time.Sleep(d) }

// A Counter may lose what is added.
type Counter struct{ n atomic.Int32 }

// Add adds one, in two steps.
func (c *Counter) Add() { c.n.Store(c.n.Load() + 1) }

// N returns what was added.
func (c *Counter) N() int32 { return c.n.Load() }

// A Flag can be set and waited for.
type Flag struct{ on atomic.Bool }

// Set sets it.
func (f *Flag) Set() { f.on.Store(true) }

// Spin waits until it is set.
func (f *Flag) Spin() {
	for !f.on.Load() {
		runtime.Gosched()
	}
}

// Objects has one of each.
type Objects struct {
	mu    sync.Mutex
	rw    sync.RWMutex
	cond  *sync.Cond
	once  sync.Once
	all   sync.Map
	some  sync.Pool
	on    bool
	begun atomic.Int32
}

// NewObjects makes them.
func NewObjects() *Objects {
	o := new(Objects)
	o.cond = sync.NewCond(&o.mu)
	return o
}

func (o *Objects) begin() { o.once.Do(func() { o.begun.Add(1) }) }

// Begun returns how often it was begun.
func (o *Objects) Begun() int32 { return o.begun.Load() }

// Waits waits until Signals has signalled.
func (o *Objects) Waits() {
	o.begin()
	o.mu.Lock()
	for !o.on {
		o.cond.Wait()
	}
	o.mu.Unlock()
	o.rw.RLock()
	o.all.Load(1)
	o.rw.RUnlock()
	o.some.Get()
}

// Signals signals.
func (o *Objects) Signals() {
	o.begin()
	o.rw.Lock()
	o.all.Store(1, 2)
	o.rw.Unlock()
	o.some.Put(o)
	o.mu.Lock()
	o.on = true
	o.cond.Signal()
	o.mu.Unlock()
}
