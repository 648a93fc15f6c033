package talks

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
)

// Loops that wait while time goes by.

// want FAIL: assertion in polls: it is over
func TestPollSleep(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("polls", func() {
			for n.Load() == 0 {
				time.Sleep(time.Millisecond)
			}
			x.Errorf("it is over")
		})
		x.Go("sets", func() { time.Sleep(20 * time.Millisecond); n.Store(1) })
	})
}

// want FAIL: assertion in polls: it is over
func TestPollTicker(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("polls", func() {
			for range time.Tick(time.Millisecond) {
				if n.Load() != 0 {
					break
				}
			}
			x.Errorf("it is over")
		})
		x.Go("sets", func() { time.Sleep(20 * time.Millisecond); n.Store(1) })
	})
}

// want FAIL: assertion in polls: it is over
func TestPollSelect(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		stop := make(chan bool)
		x.Go("polls", func() {
			c := time.Tick(time.Millisecond)
			for n.Load() == 0 {
				select {
				case <-c:
				case <-stop:
				}
			}
			x.Errorf("it is over")
		})
		x.Go("sets", func() { time.Sleep(20 * time.Millisecond); n.Store(1) })
	})
}

// want PASS: complete: 2 executions
func TestPollRight(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("polls", func() {
			for n.Load() == 0 {
				time.Sleep(time.Millisecond)
			}
		})
		x.Go("sets", func() { time.Sleep(20 * time.Millisecond); n.Store(1) })
	})
}

// want FAIL: assertion in polls: it is over
func TestPollCounted(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("polls", func() {
			for i := 0; n.Load() == 0 && i < 50; i++ {
				time.Sleep(time.Millisecond)
			}
			x.Errorf("it is over")
		})
		x.Go("sets", func() { time.Sleep(time.Hour); n.Store(0) })
	})
}

// want FAIL: assertion in spins: it is over
func TestSpinTime(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("spins", func() {
			for n.Load() == 0 {
			}
			x.Errorf("it is over")
		})
		x.Go("sets", func() { time.Sleep(20 * time.Millisecond); n.Store(1) })
	})
}

// want FAIL: assertion in spins: it is over
func TestYieldTime(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("spins", func() {
			for n.Load() == 0 {
				runtime.Gosched()
			}
			x.Errorf("it is over")
		})
		x.Go("sets", func() { time.Sleep(20 * time.Millisecond); n.Store(1) })
	})
}

// want FAIL: assertion in spins: it is over
func TestTryTime(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := make(chan bool, 1)
		x.Go("spins", func() {
			for {
				select {
				case <-c:
					x.Errorf("it is over")
					return
				default:
				}
			}
		})
		x.Go("sets", func() { time.Sleep(20 * time.Millisecond); c <- true })
	})
}

// want FAIL: assertion in spins: it is over
func TestLockTime(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.Mutex
		n := 0
		x.Go("spins", func() {
			for {
				mu.Lock()
				ok := n == 1
				mu.Unlock()
				if ok {
					x.Errorf("it is over")
					return
				}
			}
		})
		x.Go("sets", func() { time.Sleep(20 * time.Millisecond); mu.Lock(); n = 1; mu.Unlock() })
	})
}

// want PASS: complete: 2 executions
func TestSpinAsksRight(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("spins", func() {
			begin := time.Now()
			for n.Load() == 0 && time.Since(begin) < time.Minute {
			}
			if n.Load() == 0 {
				x.Errorf("too late")
			}
		})
		x.Go("sets", func() { time.Sleep(20 * time.Millisecond); n.Store(1) })
	})
}

// want FAIL: livelock: spins repeats n.Load
func TestSpinLivelock(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("spins", func() {
			for n.Load() == 0 {
			}
		})
		x.Go("sets", func() { time.Sleep(20 * time.Millisecond); n.Store(0); time.Sleep(time.Minute); n.Store(0) })
	})
}

// look looks at n each millisecond, until stop.
func look(n *atomic.Int32, stop chan struct{}) {
	t := time.NewTicker(time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-stop:
			return
		}
		if n.Load() > 0 {
			return
		}
	}
}

// want FAIL: step bound: no end after 10000 steps; main waits at make(chan int).receive (poll_test.go:
func TestLookForEver(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("main", func() {
			stop := make(chan struct{})
			go look(new(atomic.Int32), stop)
			<-make(chan int)
			close(stop)
		})
	})
}

// want FAIL: step bound: no end after 10000 steps
func TestLookLost(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("main", func() {
			stop, c := make(chan struct{}), make(chan int)
			go look(new(atomic.Int32), stop)
			go func() {
				select {
				case c <- 1:
				default:
				}
			}()
			<-c
			close(stop)
		})
	})
}

// want PASS: complete: 1 executions
func TestTryTimer(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("tries", func() {
			c := time.After(20 * time.Millisecond)
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

// want PASS: complete: 1 executions
func TestSpinAfterFunc(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("spins", func() {
			var n atomic.Int32
			time.AfterFunc(20*time.Millisecond, func() { n.Store(1) })
			for n.Load() == 0 {
			}
		})
	})
}

// want PASS: complete: 3 executions
func TestTryLockTime(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.RWMutex
		x.Go("tries", func() {
			for !mu.TryRLock() {
			}
			mu.RUnlock()
		})
		x.Go("holds", func() { mu.Lock(); time.Sleep(20 * time.Millisecond); mu.Unlock() })
	})
}

// want PASS: complete: 1 executions
func TestSpinInTurns(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		for i := range int32(2) {
			x.Go([]string{"even", "odd"}[i], func() {
				for turn := i; turn < 6; turn += 2 {
					for n.Load() != turn {
					}
					time.Sleep(20 * time.Millisecond)
					n.Store(turn + 1)
				}
			})
		}
	})
}
