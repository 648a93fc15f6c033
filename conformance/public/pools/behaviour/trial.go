package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/impl/sched"
)

// The sides that are compared.
const (
	onRuntime = "runtime"
	onSched   = "sched"
	onPond    = "pond"
)

// bound is how long a wait may take, unless its row has a limit.
const bound = 10 * time.Second

// A trial measures a row once, on one side. Its methods panic with a failure, which ends the trial.
type trial struct {
	row
	ctx   context.Context
	side  string
	s     *sched.Scheduler // nil on other sides
	stop  atomic.Bool      // what runs without end is to end
	tasks sync.WaitGroup   // goroutines that were started

	value float64            // what was measured, in the unit of the row
	ms    float64            // the Ms of the scheduler
	more  map[string]float64 // what else was counted
}

type failure struct{ err error }

// measure makes a trial. A scheduler is made for it and closed, and GOMAXPROCS is restored. For sched GOMAXPROCS stays what it is, but where
// a row has pools: there goroutines outside submit, on all sides.
func (r row) measure(ctx context.Context, side string) (t *trial, err error) {
	t = &trial{row: r, ctx: ctx, side: side, more: make(map[string]float64)}
	if r.threads {
		trimThreads()
	}
	if side != onSched || r.pools {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(r.procs))
	}
	if side == onSched {
		if t.s, err = sched.New(sched.Config{Procs: r.procs, Unwatched: r.unwatched}); err != nil {
			return nil, err
		}
	}
	defer func() {
		v := recover()
		failed, ok := v.(failure)
		if v != nil && !ok {
			panic(v)
		}
		t.stop.Store(true)
		err = errors.Join(failed.err, t.end())
	}()
	r.run(t)
	return t, nil
}

// end waits until all tasks have ended.
func (t *trial) end() error {
	if t.s != nil {
		if t.ms == 0 {
			t.ms = float64(t.s.Snapshot().Ms)
		}
		return t.s.CloseWithin(bound)
	}
	ended := make(chan struct{})
	go func() { t.tasks.Wait(); close(ended) }()
	select {
	case <-ended:
		return nil
	case <-time.After(bound):
		return fmt.Errorf("expected all goroutines to end within %v, saw some that did not", bound)
	}
}

func (t *trial) check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// within reports whether something happens in a time.
func (t *trial) within(d time.Duration, happens <-chan struct{}) bool {
	select {
	case <-happens:
		return true
	case <-time.After(d):
		return false
	case <-t.ctx.Done():
		panic(failure{t.ctx.Err()})
	}
}

func (t *trial) pause(d time.Duration) { t.within(d, nil) }

// wait waits until something has happened.
func (t *trial) wait(what string, happens <-chan struct{}) {
	d := bound
	if t.limit > 0 {
		d = t.limit
	}
	if !t.within(d, happens) {
		t.check(fmt.Errorf("expected %s within %v, saw none", what, d))
	}
}

// until waits until something is so.
func (t *trial) until(what string, is func() bool) {
	for began := time.Now(); !is(); t.pause(time.Millisecond) {
		if time.Since(began) > bound {
			t.check(fmt.Errorf("expected %s within %v, saw none", what, bound))
		}
	}
}

// start starts a task from outside. If the row says so, it has a thread for itself.
func (t *trial) start(f func(task)) {
	switch {
	case t.s == nil && t.locked:
		t.tasks.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			f(goroutine)
		})
	case t.s == nil:
		t.tasks.Go(func() { f(goroutine) })
	case t.locked:
		t.check(t.s.Go(func(g *sched.G) {
			g.GoLocked(func(g *sched.G) { f(task{g, g.Yield, g.Sleep, g.Block}) })
		}))
	default:
		t.check(t.s.Go(func(g *sched.G) { f(task{g, g.Yield, g.Sleep, g.Block}) }))
	}
}

// do starts a task and waits until it has ended.
func (t *trial) do(what string, f func(task)) {
	ended := make(chan struct{})
	t.start(func(k task) { defer close(ended); f(k) })
	t.wait(what, ended)
}

// A task is a goroutine, or a G of impl/sched: then g is not nil.
type task struct {
	g     *sched.G
	yield func()
	sleep func(time.Duration)
	block func(func()) // the Go runtime sees by itself what blocks
}

var goroutine = task{nil, runtime.Gosched, time.Sleep, func(f func()) { f() }}

// A baton is handed from one task to another, which it makes ready: goroutines by a channel, Gs by Park and Ready.
type baton struct {
	c     chan struct{}
	mu    sync.Mutex
	here  bool
	waits *sched.G
}

func newBaton() *baton { return &baton{c: make(chan struct{}, 1)} }

func (b *baton) take(k task) {
	if k.g == nil {
		<-b.c
		return
	}
	b.mu.Lock()
	if b.here {
		b.here = false
		b.mu.Unlock()
		return
	}
	b.waits = k.g
	k.g.Park("baton", func() bool { b.mu.Unlock(); return true })
}

func (b *baton) hand(k task) {
	if k.g == nil {
		b.c <- struct{}{}
		return
	}
	b.mu.Lock()
	waits := b.waits
	b.waits, b.here = nil, waits == nil
	b.mu.Unlock()
	if waits != nil {
		k.g.Ready(waits)
	}
}

// pair starts two tasks that make each other ready, for n rounds, or until the trial stops if n is 0. The channel is closed at the end; then d is
// how long it took. The first task calls each after each round.
func (t *trial) pair(n int, each func()) (ended <-chan struct{}, d *time.Duration) {
	ping, pong, done, over := newBaton(), newBaton(), make(chan struct{}), new(atomic.Bool)
	d = new(time.Duration)
	t.start(func(k task) {
		for ping.take(k); !over.Load(); ping.take(k) {
			pong.hand(k)
		}
	})
	t.start(func(k task) {
		defer close(done)
		began := time.Now()
		for i := 0; n > 0 && i < n || n == 0 && !t.stop.Load(); i++ {
			ping.hand(k)
			pong.take(k)
			each()
		}
		*d = time.Since(began)
		over.Store(true)
		ping.hand(k)
	})
	return done, d
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

func micro(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
func milli(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
