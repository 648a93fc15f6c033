package threads

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/pool"
	"github.com/spindle-go/spindle/interleave"
)

// both has an execution be wrong if one of two updates is lost.
func both(x *interleave.Exec, n *atomic.Int32) {
	x.Finally(func() {
		if n.Load() != 2 {
			x.Fatalf("lost")
		}
	})
}

// Submit, and wait by a WaitGroup of one's own.
// want PASS: complete
func TestWaitForTask(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("main", func() {
			p := pool.New(1)
			var wg sync.WaitGroup
			wg.Add(1)
			p.Submit(func() { wg.Done() })
			wg.Wait()
			p.Close()
		})
	})
}

// A pool of the body; its tasks race.
// want FAIL: data race in T1: main reads n at threads_test.go
func TestPoolOfBody(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		n := 0
		p := pool.New(1)
		x.Go("main", func() {
			p.Submit(func() { n++ })
			_ = n
		})
	})
}

// A lost update in tasks.
// want FAIL: assertion in main: lost: 1
func TestLostInTasks(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("main", func() {
			p := pool.New(2)
			var wg sync.WaitGroup
			wg.Add(2)
			for range 2 {
				p.Submit(func() { v := n.Load(); n.Store(v + 1); wg.Done() })
			}
			wg.Wait()
			if n.Load() != 2 {
				x.Fatalf("lost: %d", n.Load())
			}
		})
	})
}

// A goroutine of a dependency comes to an operation.
// want PASS: complete: 6 executions
func TestGoOfDependency(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() { pool.Go(func() { n.Add(1) }); n.Add(1) })
		x.Go("b", func() { n.Add(1) })
	})
}

// A pool recovers: the log has no line of the engine's.
// want PASS: complete: 1 executions
func TestRecovers(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.Mutex
		mu.Lock()
		x.Go("main", func() {
			p := pool.New(1)
			p.Submit(func() { mu.Lock() })
		})
	})
}

// A thread waits at a real channel of a dependency.
// want FAIL: deadlock: nobody can go on: a waits at receive of the channel made at threads_test.go:99 (pool.go:
func TestReceives(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int)
		x.Go("a", func() { pool.Receive(c) })
		x.Go("b", func() { new(atomic.Int32).Add(1) })
	})
}

// A lock of a dependency, held over an operation.
// want PASS: complete: 2 executions
func TestHolds(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		for range 2 {
			x.Go("", func() { pool.Hold(func() { n.Add(1) }) })
		}
	})
}

// Unlock of an unlocked mutex, and a recover.
// want FAIL: fatal error: sync: unlock of unlocked mutex
func TestUnlockTwice(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.Mutex
		x.Go("a", func() {
			defer func() { recover() }()
			mu.Lock()
			mu.Unlock()
			mu.Unlock()
		})
	})
}

// A thread ends by runtime.Goexit, and its deferred calls run.
// want PASS: complete: 2 executions
func TestGoexit(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() { defer n.Add(1); runtime.Goexit() })
		x.Go("b", func() { n.Add(1) })
	})
}

// A lost update inside iter.Pull.
// want FAIL: assertion in Finally: lost
func TestPull(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		for range 2 {
			x.Go("", func() {
				next, stop := iter.Pull(func(yield func(int32) bool) {
					v := n.Load()
					yield(v)
					n.Store(v + 1)
				})
				defer stop()
				next()
				next()
			})
		}
		both(x, &n)
	})
}

// Done comes before the end: one goroutine is left after Wait, or two.
// want FAIL: 2 goroutines
func TestNumGoroutine(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("main", func() {
			var done sync.WaitGroup
			done.Add(1)
			go func() { done.Done() }()
			done.Wait()
			if n := runtime.NumGoroutine(); n != 1 {
				x.Fatalf("%d goroutines", n)
			}
		})
	})
}

// To wait until one goroutine is left ends.
// want PASS: complete
func TestOneGoroutine(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("main", func() {
			var done sync.WaitGroup
			done.Add(1)
			go func() { done.Done() }()
			done.Wait()
			for runtime.NumGoroutine() > 1 {
				runtime.Gosched()
			}
		})
	})
}

// To count goroutines orders no accesses.
// want FAIL: data race
func TestCountAndRead(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		n := 0
		x.Go("a", func() { n = 1 })
		x.Go("b", func() {
			if runtime.NumGoroutine() == 1 {
				_ = n
			}
		})
	})
}

// A function of time.AfterFunc is a thread's.
// want FAIL: assertion in Finally: lost
func TestAfterFunc(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() {
			done := make(chan int, 1)
			pool.After(0, func() { v := n.Load(); n.Store(v + 1); pool.Send(done, 1) })
			v := n.Load()
			n.Store(v + 1)
			pool.Receive(done)
		})
		both(x, &n)
	})
}

// A timer that is stopped has nobody wait.
// want PASS: complete: 2 executions
func TestStopped(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() { pool.After(time.Hour, func() { n.Add(1) }).Stop(); n.Add(1) })
		x.Go("b", func() { n.Add(1) })
	})
}

// A cleanup and a finalizer are threads', too.
// want FAIL: fatal error: sync: unlock of unlocked mutex
func TestCleanup(t *testing.T) { collected(t, pool.Cleanup) }

// want FAIL: fatal error: sync: unlock of unlocked mutex
func TestFinalizer(t *testing.T) { collected(t, pool.Finalizer) }

func collected(t *testing.T, attach func(func())) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("a", func() {
			done := make(chan int, 1)
			attach(func() { pool.Send(done, 1); new(sync.Mutex).Unlock() })
			runtime.GC()
			pool.Receive(done)
			new(atomic.Int32).Add(1)
		})
	})
}

// A thread reads from a pipe.
// want FAIL: thread a waits for the network, or a file
func TestReads(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() { pool.Read(); n.Add(1) })
		x.Go("b", func() { n.Add(1) })
	})
}

// A worker of a pool that is not closed is left. Where it is not asked for, it is counted.
// want PASS: at most 1 goroutines left in the end of one
func TestLeft(t *testing.T) { interleave.Test(t, left) }

// want FAIL: leak in main.1: goroutines are left that a dependency has started: main.1 at receive of the channel made at pool.go:
func TestLeak(t *testing.T) { interleave.Test(t, func(x *interleave.Exec) { x.NoLeaks(); left(x) }) }

func left(x *interleave.Exec) {
	x.Go("main", func() {
		p := pool.New(1)
		p.Submit(func() { new(atomic.Int32).Add(1) })
	})
}

// A pool that is closed leaves none, nor does a timer.
// want PASS: complete: 3 executions
func TestNoLeak(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.NoLeaks()
		x.Go("main", func() {
			pool.After(time.Hour, func() {}).Stop()
			p := pool.New(1)
			p.Submit(func() { new(atomic.Int32).Add(1) })
			p.Close()
		})
	})
}

// The body waits for a thread, which has not begun.
// want FAIL: the body waits for a WaitGroup whose counter is not zero, and has started goroutines
func TestBodyWaits(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var done sync.WaitGroup
		done.Go(func() {})
		done.Wait()
	})
}

// It waits for a pool, which runs beside it.
// want PASS: explored all orders of what was seen
func TestBodyWaitsForPool(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.Mutex
		p := pool.New(1)
		mu.Lock()
		p.Submit(func() { mu.Unlock() })
		mu.Lock()
		x.Go("a", func() { new(atomic.Int32).Add(1) })
	})
}

// A thread that is bound to a thread of the system is refused.
// want FAIL: thread a has called runtime.LockOSThread
func TestLockOSThread(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() { n.Add(1); runtime.LockOSThread(); n.Add(1) })
		x.Go("b", func() { n.Add(1) })
	})
}

// A go statement of the body starts a thread.
// want FAIL: assertion in Finally: lost
func TestGoInBody(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		for range 2 {
			go func() { v := n.Load(); n.Store(v + 1) }()
		}
		both(x, &n)
	})
}

// A goroutine of the body may have ended before the threads begin. That it might have run beside them is in doubt.
// want PASS: complete: 3 executions
func TestEndedInBody(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		var p pool.Outer
		p.Start(func() { v := n.Load(); n.Store(v + 1) })
		x.Go("a", func() { n.Add(1) })
	})
}

// A thread waits at a channel of a dependency in some orders alone, and not in the first one.
// want PASS: complete: 5 executions
func TestWaitsLater(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n, m atomic.Int32
		c := make(chan int, 1)
		x.Go("a", func() {
			if n.Load() == 1 {
				pool.Receive(c)
			}
			m.Add(1)
		})
		x.Go("b", func() {
			n.Store(1)
			m.Add(1)
			pool.Send(c, 1)
			m.Add(1)
		})
	})
}
