// Package model has the examples of the Go memory model (go.dev/ref/mem, version of June 2022), section by section, written anew: right
// ones, and wrong ones that are data races or show a value that must not be seen.
package model

import (
	"sync"
	"sync/atomic"
	"testing"

	"example.com/litmus/row"
	"github.com/spindle-go/spindle/interleave"
)

const hello = "hello, world"

// reads fails unless s is what was written.
func reads(x *interleave.Exec, s string) {
	if s != hello {
		x.Fatalf("expected %q; observed %q", hello, s)
	}
}

// Initialization: init of a package ends before main begins.
var early string

func init() { early = hello }

func TestInit(t *testing.T) {
	row.Body(t, "model/init", func(x *interleave.Exec) {
		var n atomic.Int32
		for range 2 {
			x.Go("", func() { reads(x, early); n.Add(1) })
		}
	})
}

// Goroutine creation: the go statement comes before what it starts.
func TestCreation(t *testing.T) {
	row.Body(t, "model/creation", func(x *interleave.Exec) {
		x.Go("main", func() {
			a, c := hello, make(chan int, 1)
			go func() { reads(x, a); c <- 1 }()
		})
	})
}

// Goroutine destruction: the end of a goroutine comes before nothing.
func TestExit(t *testing.T) {
	row.Body(t, "model/exit", func(x *interleave.Exec) {
		x.Go("main", func() {
			var a string
			go func() { a = hello }()
			_ = a
		})
	})
}

// Channel communication.

func TestSend(t *testing.T) {
	row.Body(t, "model/send", func(x *interleave.Exec) {
		x.Go("main", func() {
			c, a := make(chan int, 10), ""
			go func() { a = hello; c <- 0 }()
			<-c
			reads(x, a)
		})
	})
}

func TestClose(t *testing.T) {
	row.Body(t, "model/close", func(x *interleave.Exec) {
		x.Go("main", func() {
			c, a := make(chan int, 10), ""
			go func() { a = hello; close(c) }()
			<-c
			reads(x, a)
		})
	})
}

// A receive from an unbuffered channel comes before the send is done.
func TestUnbuffered(t *testing.T) {
	row.Body(t, "model/unbuffered", func(x *interleave.Exec) {
		x.Go("main", func() {
			c, a := make(chan int), ""
			go func() { a = hello; <-c }()
			c <- 0
			reads(x, a)
		})
	})
}

// It does not with a buffer.
func TestBuffered(t *testing.T) {
	row.Body(t, "model/buffered", func(x *interleave.Exec) {
		x.Go("main", func() {
			c, a := make(chan int, 1), ""
			go func() { a = hello; <-c }()
			c <- 0
			_ = a
		})
	})
}

// The kth receive comes before the k+Cth send is done: a channel is a semaphore.
func TestSemaphore(t *testing.T) {
	row.Body(t, "model/semaphore", func(x *interleave.Exec) {
		limit := make(chan int, 2)
		var inside atomic.Int32
		for range 3 {
			x.Go("", func() {
				limit <- 1
				if n := inside.Add(1); n > 2 {
					x.Fatalf("%d are inside", n)
				}
				inside.Add(-1)
				<-limit
			})
		}
	})
}

func exclusive(size int) func(x *interleave.Exec) {
	return func(x *interleave.Exec) {
		limit, n := make(chan int, size), 0
		for range 2 {
			x.Go("", func() { limit <- 1; n++; <-limit })
		}
		x.Finally(func() {
			if n != 2 {
				x.Fatalf("expected 2; observed %d", n)
			}
		})
	}
}

func TestSemaphoreOfOne(t *testing.T) { row.Body(t, "model/semaphore-of-one", exclusive(1)) }

func TestSemaphoreOfTwo(t *testing.T) { row.Body(t, "model/semaphore-of-two", exclusive(2)) }

// Locks.

func TestMutex(t *testing.T) {
	row.Body(t, "model/mutex", func(x *interleave.Exec) {
		x.Go("main", func() {
			var l sync.Mutex
			a := ""
			l.Lock()
			go func() { a = hello; l.Unlock() }()
			l.Lock()
			reads(x, a)
		})
	})
}

func TestRWMutex(t *testing.T) {
	row.Body(t, "model/rwmutex", func(x *interleave.Exec) {
		var l sync.RWMutex
		a := ""
		x.Go("writer", func() { l.Lock(); a = hello; l.Unlock() })
		for range 2 {
			x.Go("", func() {
				l.RLock()
				defer l.RUnlock()
				if a != "" {
					reads(x, a)
				}
			})
		}
	})
}

// A write under RLock.
func TestReadLock(t *testing.T) {
	row.Body(t, "model/write-under-RLock", func(x *interleave.Exec) {
		var l sync.RWMutex
		n := 0
		for range 2 {
			x.Go("", func() { l.RLock(); n++; l.RUnlock() })
		}
	})
}

// A TryLock that fails orders nothing.
func TestTryLock(t *testing.T) {
	row.Body(t, "model/trylock", func(x *interleave.Exec) {
		var l sync.Mutex
		a := ""
		x.Go("locks", func() { a = hello; l.Lock() })
		x.Go("tries", func() {
			if !l.TryLock() {
				_ = a
			}
		})
	})
}

// Once.
func TestOnce(t *testing.T) {
	row.Body(t, "model/once", func(x *interleave.Exec) {
		x.Go("twoprint", func() {
			var once sync.Once
			a, n := "", 0
			setup := func() { a = hello; n++ }
			doprint := func() {
				once.Do(setup)
				reads(x, a)
				if n != 1 {
					x.Fatalf("set up %d times", n)
				}
			}
			go doprint()
			go doprint()
		})
	})
}

// Atomic values.

func TestAtomicFlag(t *testing.T) {
	row.Body(t, "model/atomic-flag", func(x *interleave.Exec) {
		var done atomic.Bool
		a := ""
		x.Go("setup", func() { a = hello; done.Store(true) })
		x.Go("main", func() {
			for !done.Load() {
			}
			reads(x, a)
		})
	})
}

// All atomic operations are in one order.
func TestOneOrder(t *testing.T) {
	row.Body(t, "model/one-order", func(x *interleave.Exec) {
		var a, b, r, s atomic.Int32
		x.Go("one", func() { a.Store(1); r.Store(b.Load()) })
		x.Go("two", func() { b.Store(1); s.Store(a.Load()) })
		x.Finally(func() {
			if r.Load() == 0 && s.Load() == 0 {
				x.Fatalf("both read 0")
			}
		})
	})
}

// Additional mechanisms.

func TestWaitGroup(t *testing.T) {
	row.Body(t, "model/waitgroup", func(x *interleave.Exec) {
		x.Go("main", func() {
			var wg sync.WaitGroup
			var all [2]string
			for i := range all {
				wg.Go(func() { all[i] = hello })
			}
			wg.Wait()
			for _, a := range all {
				reads(x, a)
			}
		})
	})
}

func TestCond(t *testing.T) {
	row.Body(t, "model/cond", func(x *interleave.Exec) {
		var l sync.Mutex
		c, a := sync.NewCond(&l), ""
		x.Go("waits", func() {
			l.Lock()
			defer l.Unlock()
			for a == "" {
				c.Wait()
			}
			reads(x, a)
		})
		x.Go("signals", func() { l.Lock(); a = hello; l.Unlock(); c.Signal() })
	})
}

func TestMap(t *testing.T) {
	row.Body(t, "model/map", func(x *interleave.Exec) {
		var m sync.Map
		x.Go("stores", func() { a := hello; m.Store("a", &a) })
		x.Go("loads", func() {
			if a, ok := m.Load("a"); ok {
				reads(x, *a.(*string))
			}
		})
	})
}

func TestPool(t *testing.T) {
	row.Body(t, "model/pool", func(x *interleave.Exec) {
		var p sync.Pool
		x.Go("puts", func() { a := hello; p.Put(&a) })
		x.Go("gets", func() {
			if a, ok := p.Get().(*string); ok {
				reads(x, *a)
				*a = ""
			}
		})
	})
}

// Incorrect synchronization.

func TestTwoWords(t *testing.T) {
	row.Body(t, "model/two-words", func(x *interleave.Exec) {
		var a, b int
		x.Go("f", func() { a = 1; b = 2 })
		x.Go("g", func() { _ = b; _ = a })
	})
}

// Double-checked locking.
func TestDoubleChecked(t *testing.T) {
	row.Body(t, "model/double-checked", func(x *interleave.Exec) {
		var once sync.Once
		a, done := "", false
		doprint := func() {
			if !done {
				once.Do(func() { a = hello; done = true })
			}
			reads(x, a)
		}
		x.Go("", doprint)
		x.Go("", doprint)
	})
}

// It is right with an atomic flag.
func TestDoubleCheckedAtomic(t *testing.T) {
	row.Body(t, "model/double-checked-atomic", func(x *interleave.Exec) {
		var once sync.Once
		var done atomic.Bool
		a := ""
		doprint := func() {
			if !done.Load() {
				once.Do(func() { a = hello; done.Store(true) })
			}
			reads(x, a)
		}
		x.Go("", doprint)
		x.Go("", doprint)
	})
}

// Busy waiting.
func TestBusy(t *testing.T) {
	row.Body(t, "model/busy-waiting", func(x *interleave.Exec) {
		a, done := "", false
		x.Go("setup", func() { a = hello; done = true })
		x.Go("main", func() {
			for !done {
			}
			reads(x, a)
		})
	})
}

// A pointer that is not nil is no proof that what it points to was written.
func TestPointer(t *testing.T) {
	row.Body(t, "model/pointer", func(x *interleave.Exec) {
		type T struct{ msg string }
		var g *T
		x.Go("setup", func() {
			t := new(T)
			t.msg = hello
			g = t
		})
		x.Go("main", func() {
			for g == nil {
			}
			reads(x, g.msg)
		})
	})
}

// Order alone is not enough: the flag is set before the message is there.
func TestTooEarly(t *testing.T) {
	row.Body(t, "model/flag-too-early", func(x *interleave.Exec) {
		var a, done atomic.Int32
		x.Go("setup", func() { done.Store(1); a.Store(1) })
		x.Go("main", func() {
			if done.Load() == 1 && a.Load() != 1 {
				x.Fatalf("the flag is set, and the message is not there")
			}
		})
	})
}
