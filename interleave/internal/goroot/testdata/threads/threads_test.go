package threads

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/pool"
	"github.com/spindle-go/spindle/interleave"
)

// Submit, and wait by a WaitGroup of one's own.
// want PASS: explored all orders of what was seen
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
// want PASS: explored all orders of what was seen
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
// want PASS: explored all orders of what was seen
func TestGoOfDependency(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("a", func() { pool.Go(func() { n.Add(1) }); n.Add(1) })
		x.Go("b", func() { n.Add(1) })
	})
}

// One that init has started does, too: it is no thread.
var ticks atomic.Int64

func init() {
	go func() {
		for {
			ticks.Add(1)
			runtime.Gosched()
		}
	}()
}

// want PASS: complete: 6 executions
func TestGoOfInit(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		for range 2 {
			x.Go("", func() { n.Add(1); n.Add(1) })
		}
	})
}

// A pool recovers: the log has no line of the engine's.
// want PASS: explored all orders of what was seen
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
// want FAIL: nobody can go on, and it is not known whether that is a deadlock: thread a waits in code that is not rewritten
func TestReceives(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int)
		x.Go("a", func() { pool.Receive(c) })
		x.Go("b", func() { new(atomic.Int32).Add(1) })
	})
}

// A lock of a dependency, held over an operation.
// want PASS: explored all orders of what was seen
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
		x.Finally(func() {
			if n.Load() != 2 {
				x.Fatalf("lost")
			}
		})
	})
}

// One goroutine is left after Wait.
// want PASS: explored all orders of what was seen: 1 executions, 3 steps
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
		x.Finally(func() {
			if n.Load() != 2 {
				x.Fatalf("lost")
			}
		})
	})
}

// A goroutine of the body may have ended before the threads begin. That it might have run beside them is in doubt.
// want PASS: explored all orders of what was seen
func TestEndedInBody(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		var p pool.Outer
		p.Start(func() { v := n.Load(); n.Store(v + 1) })
		x.Go("a", func() { n.Add(1) })
	})
}

// A thread waits at a channel of a dependency in some orders alone, and not in the first one.
// want FAIL: all with up to 2 preemptions
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
