package talks

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
)

// What the tests of the Go distribution have shown: see TestLitmus.

// A daemon may go round for ever, but not a thread wait for it meanwhile.
// want FAIL: deadlock: nobody can go on: b waits at c.receive
func TestDaemonInVain(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int)
		var on atomic.Bool
		x.Daemon("a", func() {
			for !on.Load() {
			}
			c <- 1
		})
		x.Go("b", func() { <-c })
	})
}

// A thread waits for a daemon that has not come to its end.
// want FAIL: step bound: no end after 100 steps
func TestDaemonAtBound(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int)
		var n atomic.Int32
		x.Daemon("a", func() {
			for n.Add(1) < 1000 {
			}
			c <- 1
		})
		x.Go("b", func() { <-c })
	}, interleave.Steps(100))
}

// A daemon that goes round in vain until the other comes.
// want PASS: complete: 2 executions
func TestDaemonGoesOn(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		c := make(chan int, 1)
		x.Daemon("a", func() {
			for context.Cause(ctx) == nil {
				runtime.Gosched()
			}
			c <- 1
		})
		x.Go("b", cancel)
		x.Go("c", func() { <-c })
	}, interleave.Executions(5))
}

// A lock, or another object, that is nil is a panic of the thread's.
// want PASS: complete: 1 executions
func TestNilObjects(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var (
			mu *sync.Mutex
			rw *sync.RWMutex
			wg *sync.WaitGroup
			o  *sync.Once
			p  *sync.Pool
			m  *sync.Map
			n  *atomic.Int32
		)
		x.Go("a", func() {
			var done atomic.Int32
			for _, f := range []func(){
				func() { mu.Lock() }, func() { mu.Unlock() }, func() { rw.Lock() }, func() { rw.RLock() }, func() { rw.RUnlock() },
				func() { wg.Add(1) }, func() { wg.Wait() }, func() { o.Do(func() {}) }, func() { p.Get() }, func() { m.Load(1) }, func() { n.Add(1) },
			} {
				func() {
					defer func() {
						if recover() == nil {
							x.Errorf("no panic")
						}
					}()
					f()
				}()
				done.Add(1)
			}
		})
	})
}

// closed is a context that package context does not know.
type closed struct {
	context.Context
	done chan struct{}
}

func (c closed) Done() <-chan struct{} { return c.done }

func (c closed) Err() error {
	select {
	case <-c.done:
		return context.Canceled
	default:
		return nil
	}
}

// Package context starts a goroutine for it, and counts these through all executions.
// want PASS: complete: 31 executions
func TestContextOfProgram(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := closed{context.Background(), make(chan struct{})}
		x.Go("a", func() {
			ctx, cancel := context.WithCancel(c)
			defer cancel()
			<-ctx.Done()
		})
		x.Go("b", func() { close(c.done) })
	})
}

// The first execution is broken off where it comes to its first channel, in the middle of use.
// want PASS: complete: 1 executions
func TestBegunAnew(t *testing.T) {
	inTheMiddle(t, func() { make(chan int, 1) <- 1 })
}

// Some executions are left in a loop.
// want PASS: complete: 1 executions
func TestLeftInUse(t *testing.T) {
	var on *atomic.Bool
	inTheMiddle(t, func() {
		for !on.Load() {
		}
	}, func() *atomic.Bool { on = new(atomic.Bool); return on })
}

func inTheMiddle(t *testing.T, f func(), flag ...func() *atomic.Bool) {
	interleave.Test(t, func(x *interleave.Exec) {
		if n := used(); n != 0 {
			x.Fatalf("%d before it begins", n)
		}
		x.Go("a", func() { use(f) })
		for _, f := range flag {
			on := f()
			x.Go("b", func() { on.Store(true) })
		}
		x.Finally(func() {
			if n := used(); n != 0 {
				x.Fatalf("%d", n)
			}
		})
	})
}

// What is broken off has a lock of the package.
// want PASS: complete: 1 executions
func TestBegunAnewLocked(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("a", func() {
			holds(func() { make(chan int, 1) <- 1 })
		})
	})
}

// What is left in a loop has a value in a channel of the package.
// want PASS: complete: 1 executions
func TestChannelInUse(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var on atomic.Bool
		x.Go("a", func() {
			takes(func() {
				for !on.Load() {
				}
				if n := len(places); n != 1 {
					x.Fatalf("%d", n)
				}
			})
		})
		x.Go("b", func() { on.Store(true) })
	})
}

// An execution leaves one there: it is taken out again.
// want PASS: complete: 1 executions
func TestChannelKeeps(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) { x.Go("a", keeps) })
}

// Functions of package time are function values.
// want PASS: complete
func TestTimeByValue(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		clock := struct {
			now   func() time.Time
			sleep func(time.Duration)
			after func(time.Duration) <-chan time.Time
			timer func(time.Duration, func()) *time.Timer
			tick  func(time.Duration) *time.Ticker
		}{time.Now, time.Sleep, time.After, time.AfterFunc, time.NewTicker}
		x.Go("a", func() {
			begin := clock.now()
			clock.sleep(time.Hour)
			<-clock.after(time.Hour)
			c := make(chan int, 1)
			clock.timer(time.Hour, func() { c <- 1 })
			<-c
			m := clock.tick(time.Hour)
			<-m.C
			m.Stop()
			if d := clock.now().Sub(begin); d != 4*time.Hour {
				x.Fatalf("%v", d)
			}
		})
	})
}
