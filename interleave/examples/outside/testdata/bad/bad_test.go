// Package bad has tests that are wrong as tests.
package bad

import (
	"iter"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

func TestNeverEnds(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("counts", func() {
			for {
				n.Store(n.Load() + 1)
			}
		})
	})
}

func TestWaitsForEver(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var done atomic.Bool
		x.Go("waits", func() {
			for !done.Load() {
			}
		})
	})
}

func TestLeaksThread(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var wg sync.WaitGroup
		wg.Add(1)
		x.Go("starter", func() { go wg.Wait() })
	})
}

func TestFatalInThread(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("fatal", func() { t.Fatal("wrong") })
	})
}

func TestFatalAfterStep(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("fatal", func() { n.Add(1); t.Fatal("wrong") })
		x.Go("other", func() { n.Add(1) })
	})
}

func TestErrorInThread(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("error", func() { t.Error("wrong, and not lost") })
	})
}

func TestFatalInFinally(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("one", func() {})
		x.Finally(func() { t.Fatal("wrong") })
	})
}

func TestFatalInBody(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("one", func() {})
		t.Fatal("wrong")
	})
}

func TestPanicInFinally(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("one", func() { n.Add(1) })
		x.Finally(func() { panic("the panic") })
	})
}

func TestPanicInThread(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("one", func() { n.Add(1); panic("the panic") })
	})
}

func TestPanicInBody(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) { panic("the panic") })
}

func TestRecoversEveryPanic(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("stubborn", func() {
			for {
				func() {
					defer func() { recover() }()
					n.Store(n.Load() + 1)
				}()
			}
		})
	})
}

func TestRecoversAndIsWrong(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		step := func() {
			defer func() { recover() }()
			n.Add(1)
		}
		x.Go("one", func() { step(); step() })
		x.Go("two", func() {
			if n.Load() == 1 {
				x.Fatalf("in between")
			}
		})
	})
}

func TestSends(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int)
		x.Go("sender", func() { c <- 1 })
	})
}

func TestReceives(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int)
		x.Go("receiver", func() { <-c })
	})
}

func TestCloses(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan int)
		close(c)
		x.Go("closer", func() { close(c) })
	})
}

func TestSelects(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c, d := make(chan int), make(chan int)
		x.Go("selecter", func() {
			select {
			case <-c:
			case d <- 1:
			}
		})
	})
}

func TestNoThreads(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {})
}

func TestTooManyThreads(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		for range 40 {
			x.Go("", func() {})
		}
	})
}

func TestGoInThread(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("one", func() { x.Go("two", func() {}) })
	})
}

func TestExits(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("one", func() { os.Exit(0) })
	})
}

func TestGoexit(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.Mutex
		x.Go("one", func() { mu.Lock(); runtime.Goexit() })
		x.Go("two", func() { mu.Lock(); defer mu.Unlock(); runtime.Goexit() })
	})
}

func TestUnlocks(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.Mutex
		x.Go("one", func() { mu.Unlock() })
	})
}

func TestLocksTwice(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.Mutex
		x.Go("one", func() { mu.Lock(); mu.Lock() })
	})
}

func TestNegativeCount(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var wg sync.WaitGroup
		x.Go("one", func() { wg.Done() })
	})
}

func TestNested(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("one", func() { interleave.Test(t, func(*interleave.Exec) {}) })
	})
}

func TestSecondCall(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) { x.Go("one", func() {}) })
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("one", func() {})
		x.Finally(func() { x.Fatalf("the second") })
	})
}

func TestSkipInPull(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("one", func() {
			next, stop := iter.Pull(func(func(int) bool) { t.SkipNow() })
			defer stop()
			next()
		})
		x.Go("two", func() {})
	})
}
