package talks

import (
	"context"
	"errors"
	"math/rand"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/pool"
	"github.com/spindle-go/spindle/interleave"
)

// Sleeps end in the order of their lengths.
// want PASS: complete: 1 executions, no bound, 6 steps, at most 6 in one; time goes by when no thread can go on
func TestSleeps(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() { time.Sleep(time.Millisecond); n.CompareAndSwap(0, 1) })
		x.Go("b", func() { time.Sleep(2 * time.Millisecond); n.CompareAndSwap(0, 2) })
		x.Finally(func() {
			if n.Load() != 1 {
				x.Fatalf("%d", n.Load())
			}
		})
	})
}

// Those that end at the same moment end in all orders.
// want FAIL: assertion in Finally: 2
func TestSameMoment(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() { time.Sleep(time.Millisecond); n.CompareAndSwap(0, 1) })
		x.Go("b", func() { time.Sleep(time.Millisecond); n.CompareAndSwap(0, 2) })
		x.Finally(func() {
			if n.Load() != 1 {
				x.Fatalf("%d", n.Load())
			}
		})
	})
}

// A time-out does not come while a thread can go on.
// want PASS: complete: 2 executions
func TestInTime(t *testing.T) { timeout(t, false) }

// Under LateClock it does.
// want FAIL: assertion in b: too late
func TestLate(t *testing.T) { timeout(t, true) }

func timeout(t *testing.T, late bool) {
	interleave.Test(t, func(x *interleave.Exec) {
		if late {
			x.LateClock()
		}
		c := make(chan int, 1)
		x.Go("a", func() { c <- 1 })
		x.Go("b", func() {
			select {
			case <-c:
			case <-time.After(time.Second):
				x.Fatalf("too late")
			}
		})
	})
}

// It comes when it is due.
// want PASS: complete
func TestDue(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("a", func() {
			begin := time.Now()
			if at := begin.UTC().Format(time.DateTime); at != "2000-01-01 00:00:00" {
				x.Fatalf("it is %v", at)
			}
			select {
			case <-make(chan int):
			case <-time.After(time.Second):
			}
			if d := time.Since(begin); d != time.Second {
				x.Fatalf("%v", d)
			}
		})
	})
}

// What Stop and Reset say, and that nothing is received that was sent before.
// want PASS: complete
func TestStop(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("a", func() {
			timer := time.NewTimer(time.Second)
			if !timer.Stop() || timer.Stop() || timer.Reset(time.Millisecond) || !timer.Reset(time.Millisecond) {
				x.Fatalf("of a timer that is set, or is not")
			}
			time.Sleep(time.Second)
			if !timer.Stop() || timer.Stop() {
				x.Fatalf("of one that has sent")
			}
			select {
			case <-timer.C:
				x.Fatalf("what was sent before")
			default:
			}
		})
	})
}

// Stop and Reset of two threads come in both orders.
// want FAIL: it was stopped
func TestStopBesideReset(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		timer := time.NewTimer(time.Hour)
		x.Go("a", func() { timer.Reset(time.Second) })
		x.Go("b", func() { timer.Stop() })
		x.Daemon("c", func() { <-timer.C })
		x.Go("d", func() {
			time.Sleep(time.Minute)
			if !timer.Stop() {
				x.Fatalf("it was stopped")
			}
		})
	})
}

// A ticker, and a limit of three calls.
// want PASS: complete
func TestLimiter(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var calls sync.WaitGroup
		calls.Add(2)
		ticker := time.NewTicker(time.Second)
		begin := time.Now()
		for range 2 {
			x.Go("", func() { <-ticker.C; calls.Done() })
		}
		x.Go("waits", func() {
			calls.Wait()
			ticker.Stop()
			if d := time.Since(begin); d != 2*time.Second {
				x.Fatalf("%v", d)
			}
		})
	})
}

// A ticker keeps nobody from a deadlock.
// want FAIL: deadlock: nobody can go on: a waits at c.receive
func TestDeadlockBesideTicker(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int)
		x.Go("a", func() {
			time.NewTicker(time.Second)
			time.NewTicker(time.Minute)
			<-c
		})
	})
}

// A thread that sleeps is no deadlock, and one that waits for a timer that was stopped is one.
// want FAIL: deadlock: nobody can go on: a waits at timer.C.receive
func TestStoppedTimer(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		timer := time.NewTimer(time.Second)
		x.Go("a", func() { <-timer.C })
		x.Go("b", func() { timer.Stop(); time.Sleep(time.Hour) })
	})
}

// Of a context.
// want PASS: complete
func TestDeadline(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		x.Go("a", func() {
			defer cancel()
			if <-ctx.Done(); !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				x.Fatalf("%v", ctx.Err())
			}
		})
	})
}

// The function of a timer runs on, though Stop was called.
// want FAIL: it runs beside
func TestStopTooLate(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() {
			f := time.AfterFunc(time.Second, func() { n.Add(1) })
			time.Sleep(time.Second)
			if !f.Stop() && n.Load() != 1 {
				x.Fatalf("it runs beside")
			}
		})
	})
}

// To sleep orders nothing.
// want FAIL: data race in b: a writes n at
func TestSleepOrdersNothing(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		n := 0
		x.Go("a", func() { n = 1 })
		x.Go("b", func() { time.Sleep(time.Second); _ = n })
	})
}

// A timer orders what was done before it was set, and another one does not.
// want PASS: complete
func TestTimerOrders(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		n := 0
		x.Go("a", func() { n = 1; time.AfterFunc(time.Second, func() { n++ }); time.Sleep(time.Minute) })
	})
}

// want FAIL: data race in b: a writes n at
func TestOtherTimer(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		n := 0
		x.Go("a", func() { n = 1; time.AfterFunc(time.Second, func() {}) })
		x.Go("b", func() { <-time.After(2 * time.Second); _ = n })
	})
}

// A loop that waits for time to go by.
// want PASS: complete
func TestSpinsForTime(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() {
			for begin := time.Now(); time.Since(begin) < 100*time.Millisecond; {
				n.Load()
			}
		})
	})
}

// A dependency sleeps, and has a function called later.
// want FAIL: assertion in Finally: it was called
func TestTimersOfDependency(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() {
			pool.After(time.Second, func() { n.Add(1) })
			pool.Sleep(time.Minute)
		})
		x.Finally(func() {
			if n.Load() == 1 {
				x.Fatalf("it was called")
			}
		})
	})
}

// A bubble in a body has its own clock.
// want PASS: explored all orders of what was seen
func TestBubble(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		synctest.Test(t, func(*testing.T) {
			go func() { time.Sleep(time.Hour); n.Add(1) }()
			time.Sleep(2 * time.Hour)
			synctest.Wait()
		})
		x.Go("a", func() {
			if n.Load() != 1 {
				x.Fatalf("the clock of the bubble stood still")
			}
		})
	})
}

// Random numbers are the same in each execution.
// want PASS: explored all orders of what was seen
func TestRandom(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int64
		n.Store(rand.Int63())
		for range 2 {
			x.Go("", func() { n.Add(rand.Int63() + int64(len(map[int]int{1: 1}))) })
		}
	})
}
