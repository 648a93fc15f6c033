package talks

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"example.com/pool"
	"github.com/spindle-go/spindle/interleave"
)

// A pair is one event: there is one order.
// want PASS: complete: 1 executions
func TestPair(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c, n := make(chan int), 0
		x.Go("a", func() { n = 1; c <- 1 })
		x.Go("b", func() {
			if v := <-c; v != 1 || n != 1 {
				x.Fatalf("%d", v)
			}
		})
	})
}

// Two senders.
// want FAIL: c.receive from b in step 0
func TestTwoSenders(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int)
		x.Go("a", func() { c <- 1 })
		x.Go("b", func() { c <- 2 })
		x.Go("c", func() {
			if v := <-c; v != 1 {
				x.Fatalf("%d", v)
			}
			<-c
		})
	})
}

// Places in a buffer are taken in all orders.
// want PASS: complete: 3 executions
func TestBuffer(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int, 1)
		x.Go("a", func() { c <- 1; c <- 2 })
		x.Go("b", func() { c <- 3 })
		x.Go("c", func() { <-c; <-c; <-c })
	})
}

// One send has no partner.
// want FAIL: since step 2 (b was at the other side, and has ended)
func TestNoPartner(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int)
		x.Go("a", func() { c <- 1; c <- 2 })
		x.Go("b", func() { <-c })
	})
}

// A channel that is nil.
// want FAIL: since step 0 (the channel is nil)
func TestNil(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var c chan int
		x.Go("a", func() { <-c })
	})
}

// A select that nothing ends.
// want FAIL: a waits at select of send to the channel made at channels_test.go:
func TestSelectForEver(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c, d := make(chan int), make(chan int)
		x.Go("a", func() {
			select {
			case <-c:
			case d <- 1:
			}
		})
	})
}

// A send to a channel that another thread closes races with that, as the race detector has it, even where it comes first.
// want FAIL: data race in b: a sends to c at channels_test.go
func TestClosed(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int, 1)
		x.Go("a", func() { c <- 1 })
		x.Go("b", func() { close(c) })
	})
}

// A send to a closed channel.
// want FAIL: c.send panics: it is closed
func TestSendToClosed(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c, closed := make(chan int, 1), make(chan bool)
		x.Go("a", func() { <-closed; c <- 1 })
		x.Go("b", func() { close(c); closed <- true })
	})
}

// To close what is closed is told as a panic, and acquires nothing.
// want FAIL: data race in b: a writes n at channels_test.go
func TestClosedTwice(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c, n := make(chan int), 0
		x.Go("a", func() { n = 1; close(c) })
		x.Go("b", func() {
			defer func() { recover(); _ = n }()
			close(c)
		})
	}, interleave.Schedule("0a.1b"))
}

// Both cases are ready.
// want FAIL: (ready, too: receive from
func TestBothReady(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c, d := make(chan int, 1), make(chan int, 1)
		x.Go("a", func() { c <- 1 })
		x.Go("b", func() {
			d <- 1
			select {
			case <-c:
				if len(d) != 1 {
					x.Fatalf("%d", len(d))
				}
				<-d
			case <-d:
				select {
				case <-c:
					x.Fatalf("c was ready, too")
				default:
				}
			}
		})
	})
}

// A value that is looked for too early.
// want FAIL: select: default: nothing is ready
func TestDefault(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int, 1)
		x.Go("a", func() { c <- 1 })
		x.Go("b", func() {
			select {
			case <-c:
			default:
				x.Fatalf("nothing")
			}
		})
	})
}

// What is sent orders what was written before.
// want FAIL: data race in b: a writes n at
func TestRace(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c, n := make(chan int, 1), 0
		x.Go("a", func() { c <- 1; n = 1 })
		x.Go("b", func() { <-c; _ = n })
	})
}

// The nth receive is before the n+Cth send is done.
// want PASS: complete
func TestRoomOrders(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c, n := make(chan int, 1), 0
		x.Go("a", func() { c <- 1; c <- 2; n = 2 })
		x.Go("b", func() { n = 1; <-c })
		x.Finally(func() {
			if n != 2 {
				x.Fatalf("%d", n)
			}
		})
	})
}

// A loop that waits.
// want PASS: complete
func TestPoll(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int, 1)
		x.Go("a", func() { c <- 1 })
		x.Go("b", func() {
			for {
				select {
				case <-c:
					return
				default:
				}
			}
		})
	})
}

// The length is asked for by code that is not explored, too.
// want FAIL: len of c
func TestLen(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int, 1)
		x.Go("a", func() { c <- 1 })
		x.Go("b", func() {
			if pool.Len(c) == 1 {
				x.Fatalf("one")
			}
		})
	})
}

// Two workers and three jobs.
// want PASS: complete: 252 executions
func TestWorkers(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("main", func() {
			jobs, results := make(chan int), make(chan int, 3)
			for range 2 {
				go func() {
					for j := range jobs {
						results <- j * j
					}
					results <- -1
				}()
			}
			for i := range 3 {
				jobs <- i
			}
			close(jobs)
			sum, ends := 0, 0
			for ends < 2 {
				if v := <-results; v < 0 {
					ends++
				} else {
					sum += v
				}
			}
			if sum != 5 {
				x.Fatalf("%d", sum)
			}
		})
	})
}

// A pipeline that is canceled.
// want PASS: complete
func TestPipeline(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("main", func() {
			ctx, cancel := context.WithCancel(context.Background())
			out := make(chan int)
			var wg sync.WaitGroup
			wg.Add(1)
			go func() {
				defer wg.Done()
				defer close(out)
				for i := 0; ; i++ {
					select {
					case out <- i:
					case <-ctx.Done():
						return
					}
				}
			}()
			for v := range out {
				if v == 1 {
					break
				}
			}
			cancel()
			wg.Wait()
		})
	})
}

// The result of a call that nobody waits for any more.
// want FAIL: main.1 waits at out.send
func TestAbandoned(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		x.Go("main", func() {
			out := make(chan int)
			go func() { out <- 1 }()
			select {
			case <-out:
			case <-ctx.Done():
			}
		})
		x.Go("cancels", cancel)
	})
}

// A child of a context is canceled with it.
// want PASS: complete
func TestChild(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		x.Go("a", cancel)
		x.Go("b", func() {
			c, stop := context.WithCancel(ctx)
			defer stop()
			if <-c.Done(); !errors.Is(c.Err(), context.Canceled) {
				x.Fatalf("%v", c.Err())
			}
		})
	})
}

// In which order the children are canceled is in doubt.
// want PASS: chance: the order of a map (at context.go:
func TestChildren(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		a, _ := context.WithCancel(ctx)
		b, _ := context.WithCancel(ctx)
		x.Go("a", cancel)
		x.Go("b", func() {
			if <-b.Done(); a.Err() == nil {
				x.Fatalf("b was canceled before a")
			}
		})
	})
}

// A goroutine outside gives back a lock of a dependency.
// want PASS: what goroutines outside do with a channel, or a lock
func TestHeldOutside(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("a", pool.HeldOutside)
	})
}

// A timer that was set outside goes by the real clock.
// want PASS: a timer that was set outside of the exploration
func TestTimerOutside(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("a", func() {
			select {
			case <-real.C:
			default:
			}
		})
	})
}

var real = time.NewTimer(time.Hour)

// A pipe of package io is channels and locks.
// want PASS: complete: 6 executions
func TestPipe(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		r, w := io.Pipe()
		x.Go("a", func() { w.Write([]byte{1}); w.Close() })
		x.Go("b", func() {
			if n, err := r.Read(make([]byte, 2)); n != 1 || err != nil {
				x.Fatalf("%d, %v", n, err)
			}
		})
	})
}

// A dependency's lock is given back by the wrong goroutine, and a counter of its own counts.
// want FAIL: expected 2, saw 1
func TestLocksOfDependency(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var c pool.Counter
		for range 2 {
			x.Go("", func() { c.Add() })
		}
		x.Finally(func() {
			if n := c.N(); n != 2 {
				x.Fatalf("expected 2, saw %d", n)
			}
		})
	})
}

// A Cond, a Once, a Map, a Pool and an RWMutex of a dependency.
// want PASS: complete: 16 executions
func TestObjectsOfDependency(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		o := pool.NewObjects()
		x.Go("a", o.Waits)
		x.Go("b", o.Signals)
		x.Finally(func() {
			if n := o.Begun(); n != 1 {
				x.Fatalf("begun %d times", n)
			}
		})
	})
}

// A dependency spins for a word of another thread.
// want PASS: complete: 1 executions
func TestSpinsInDependency(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var on pool.Flag
		x.Go("a", on.Spin)
		x.Go("b", on.Set)
	}, interleave.Exhaustive(), interleave.Executions(100))
}
