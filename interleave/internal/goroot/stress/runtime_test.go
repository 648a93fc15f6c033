package stress

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	dropin "github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// some explores operations by chance, n executions.
func some(t *testing.T, n int) {
	t.Helper()
	c, f, err := engine.Explore(engine.Options{Strategy: engine.Random, Seed: 1, Executions: n}, operations)
	if f != nil || err != nil || c.Executions != n || c.Cuts.Threads != 0 {
		t.Fatalf("expected %d executions without a finding, saw %d, %+v, %v", n, c.Executions, f, err)
	}
}

// TestTraced: an execution trace of an exploration is one that the go command can read: each goroutine runs before it stops, and stops
// before another runs in its place.
func TestTraced(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace")
	var b bytes.Buffer
	some(t, 3)
	if err := trace.Start(&b); err != nil {
		t.Skip(err) // go test -trace
	}
	some(t, 20)
	runtime.GC()
	some(t, 20)
	if engine.Hosted {
		c := make(chan int)
		_, f, err := engine.Explore(engine.Options{Strategy: engine.Random, Seed: 1, Executions: 20}, func(x *engine.Exec) {
			x.Go("receives", func() { <-c; <-c })
			x.Go("sends", func() { c <- 1; c <- 2 })
		})
		if f != nil || err != nil {
			t.Fatal(f, err)
		}
	}
	trace.Stop()
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "tool", "trace", "-d=parsed", file)
	cmd.Env = append(os.Environ(), "SPINDLE_INTERNAL_DAMAGE=")
	out, err := cmd.CombinedOutput()
	if n := strings.Count(string(out), "Running->NotExist"); err != nil || n < 80 { // two in each execution
		t.Fatalf("go tool trace: expected 80 goroutines or more that end, saw %d, %v\n%s", n, err, out[max(0, len(out)-500):])
	}
}

// TestProfiled: goroutines are profiled, beside an exploration.
func TestProfiled(t *testing.T) {
	end, ended := make(chan bool), make(chan int)
	begun := make(chan bool)
	go func() {
		close(begun)
		for n := 0; ; n++ {
			select {
			case <-end:
				ended <- n
				return
			default:
				if err := pprof.Lookup("goroutine").WriteTo(io.Discard, n%3); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	<-begun
	some(t, 500)
	close(end)
	t.Logf("%d profiles", <-ended)
}

// TestBubble explores in a bubble of package synctest: its clock does not go on, and it does not wait for ever.
func TestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		some(t, 50)
		done := make(chan bool)
		go func() { close(done) }()
		<-done
		synctest.Wait()
		some(t, 50)
	})
}

// TestLocked: the goroutine that explores may be bound to a thread of the system; a thread of the exploration may not.
func TestLocked(t *testing.T) {
	runtime.LockOSThread()
	some(t, 20)
	runtime.UnlockOSThread()
	if !engine.Hosted {
		return
	}
	for _, first := range []bool{true, false} {
		_, _, err := engine.Explore(engine.Options{Strategy: engine.Random, Executions: 20}, func(x *engine.Exec) {
			x.Go("a", func() { engine.Begin(nil, 0, 0); engine.End(0, 0, false) })
			x.Go("b", func() {
				if first {
					runtime.LockOSThread()
				}
				engine.Begin(nil, 0, 0)
				engine.End(0, 0, false)
				runtime.LockOSThread()
				engine.Begin(nil, 0, 0)
				engine.End(0, 0, false)
			})
		})
		if !errors.Is(err, engine.ErrRefused) || !strings.Contains(err.Error(), "thread b has called runtime.LockOSThread") {
			t.Errorf("expected that thread b is refused, saw %v", err)
		}
		some(t, 20)
	}
}

// TestOutside: goroutines that are none of the exploration's go on, start others, and count all there are.
func TestOutside(t *testing.T) {
	const parked = 50
	end, ended := make(chan bool), make(chan bool)
	for range parked {
		go func() { <-end; ended <- true }()
	}
	begun := make(chan bool)
	var started, ran atomic.Int64
	var counted dropin.Int64
	marked, counts, few := 0, 0, 0
	go func() {
		close(begun)
		for {
			select {
			case <-end:
				ended <- true
				return
			default:
				if engine.Hosted && engine.Controlled() {
					marked++
				}
				if counts++; runtime.NumGoroutine() < parked { // it may be inexact where goroutines end meanwhile
					few++
				}
				done := make(chan bool)
				started.Add(1)
				if engine.Hosted { // a coroutine cannot tell who calls
					counted.Add(1)
				}
				go func() { ran.Add(1); close(done) }()
				<-done
			}
		}
	}()
	<-begun
	some(t, 500)
	most := 0
	_, f, err := engine.Explore(engine.Options{Strategy: engine.Random, Executions: 50}, func(x *engine.Exec) {
		x.Go("a", func() { most = max(most, runtime.NumGoroutine()) })
		x.Go("b", func() { most = max(most, runtime.NumGoroutine()) })
	})
	close(end)
	for range parked + 1 {
		<-ended
	}
	if f != nil || err != nil {
		t.Fatal(f, err)
	}
	if started.Load() != ran.Load() || engine.Hosted && counted.Load() != ran.Load() {
		t.Errorf("outside: expected that all %d goroutines run, and count; saw %d, %d", started.Load(), ran.Load(), counted.Load())
	}
	if marked > 0 || few > counts/2 {
		t.Errorf("outside: expected no goroutine of the exploration, and %d goroutines or more; saw %d, and fewer %d times of %d", parked, marked, few, counts)
	}
	if engine.Hosted && most > 2 {
		t.Errorf("inside: expected at most 2 goroutines, saw %d", most)
	}
}

// TestWaitsUnseen: threads wait at what is the runtime's, in code that is not explored, and are left there, or where they could go on, when
// an execution ends.
func TestWaitsUnseen(t *testing.T) {
	if !engine.Hosted {
		return
	}
	synctest.Test(t, waitsUnseen)
	waitsUnseen(t)
}

func waitsUnseen(t *testing.T) {
	a, b, c, e := make(chan int), make(chan int), make(chan int), make(chan int) // of all executions
	for name, body := range map[string]func(x *engine.Exec){
		"select": func(x *engine.Exec) {
			sum := 0
			x.Daemon("selects", func() {
				deep(int(engine.Execution()%64), func() {
					for {
						select {
						case v := <-a:
							sum += v
						case v := <-b:
							sum -= v
						}
					}
				})
			})
			x.Go("a", func() { a <- 1; a <- 1 })
			x.Go("b", func() { b <- 1; b <- 1 })
		},
		"send and receive": func(x *engine.Exec) {
			b := make(chan int, 1)
			x.Go("sends", func() { b <- 1; a <- 1; b <- 2; b <- 3 })
			x.Go("receives", func() { <-b; <-a; <-b })
			x.Daemon("waits", func() {
				if v := <-c; v != 1 { // of an execution before
					x.Fatalf("received %d", v)
				}
			})
			x.Daemon("waits, too", func() { c <- 1; c <- 2 })
			x.Daemon("waits for ever", func() { <-(chan int)(nil) })
			x.Daemon("selects for ever", func() { select {} })
		},
		"go on for a while": func(x *engine.Exec) {
			var n dropin.Int64
			c, d, meet := make(chan int), make(chan int, 3), make(chan int)
			for i := range 3 {
				go func() {
					switch i {
					case 0:
						meet <- 1
					case 1:
						<-meet
					}
					for range 3000 * (i % 2) {
						n.Add(1)
						runtime.Gosched()
					}
					<-c
					d <- 1
				}()
			}
			x.Go("sends", func() {
				for range 3 {
					c <- 1
				}
				for range 3 {
					<-d
				}
			})
		},
		"two wait": func(x *engine.Exec) {
			var n dropin.Int64
			got := 0
			for range 2 {
				x.Daemon("waits", func() { n.Add(1); got += <-e })
			}
			if engine.Execution()%2 == 1 {
				x.Go("sends", func() { e <- 1; e <- 2 })
			}
			x.Finally(func() {
				if engine.Execution()%2 == 1 && got != 3 {
					x.Fatalf("received %d", got)
				}
			})
		},
		"sleep": func(x *engine.Exec) {
			done := false
			x.Go("sleeps", func() {
				for !done {
					time.Sleep(time.Microsecond)
				}
			})
			x.Go("ends", func() { time.Sleep(time.Microsecond); done = true })
		},
		"a group": func(x *engine.Exec) {
			var wg sync.WaitGroup
			wg.Add(1)
			done := make(chan bool, 1)
			go func() { wg.Wait(); done <- true }()
			x.Go("ends", func() { wg.Done(); <-done })
		},
		"broken off": func(x *engine.Exec) {
			x.Daemon("selects", func() {
				for {
					select {
					case <-a:
					case <-b:
					}
				}
			})
			x.Go("a", func() {
				a <- 1
				if engine.Execution()%2 == 0 {
					x.Fatalf("broken off")
				}
				b <- 1
			})
		},
	} {
		c, _, err := engine.Explore(engine.Options{Strategy: engine.Random, Seed: 1, Executions: 300, Each: func(v *engine.View) bool {
			if f := v.Failure(); f != nil && name != "broken off" {
				t.Errorf("%s: %+v", name, f)
			}
			return !t.Failed()
		}}, body)
		if err != nil || c.Executions != 300 || c.Cuts.Threads != 0 {
			t.Errorf("%s: expected 300 executions, saw %d, %d threads lost, %v", name, c.Executions, c.Cuts.Threads, err)
		}
		for _, d := range c.Doubts {
			if strings.Contains(fmt.Sprint(d), "without waiting") {
				t.Errorf("%s: expected that all goroutines of the body are threads, saw %v", name, d)
			}
		}
	}
}

// A writer that never comes back.
type stuck struct{ begun *dropin.Int64 }

func (w stuck) Write([]byte) (int, error) {
	w.begun.Store(1)
	<-(chan int)(nil)
	return 0, nil
}

// TestLost: a thread that waits for a lock of the standard library's own, when an execution ends, is lost, and said to be.
func TestLost(t *testing.T) {
	if !engine.Hosted {
		return
	}
	const n = 20
	c, f, err := engine.Explore(engine.Options{Strategy: engine.Random, Seed: 1, Executions: n}, func(x *engine.Exec) {
		var begun, waits dropin.Int64
		l := log.New(stuck{&begun}, "", 0)
		x.Daemon("holds", func() { l.Print() })
		x.Daemon("waits", func() {
			for begun.Load() == 0 {
			}
			waits.Store(1)
			l.Print()
		})
		x.Go("ends", func() {
			for waits.Load() == 0 {
			}
		})
	})
	if f != nil || err != nil || c.Executions != n {
		t.Errorf("expected %d executions, saw %d, %+v, %v", n, c.Executions, f, err)
	}
	if c.Cuts.Threads == 0 {
		t.Error("expected threads that are lost, saw none")
	}
}

// TestForgotten: what a thread was about to do when an execution ended is forgotten, where a thread that ends by runtime.Goexit, or
// recovers, begins anew on its stack.
func TestForgotten(t *testing.T) {
	ran := 0
	c, f, err := engine.Explore(engine.Options{Strategy: engine.Random, Seed: 1, Executions: 200}, func(x *engine.Exec) {
		var mu dropin.Int64
		x.Daemon("a", func() {
			switch engine.Execution() % 4 {
			case 0:
				for range 3 {
					defer func() { ran++ }()
				}
				for mu.Load() == 0 {
				}
			case 1, 3:
				mu.Load()
				for range 2 {
					defer func() {
						if v := recover(); v != nil {
							x.Fatalf("recovered %v", v)
						}
					}()
				}
				runtime.Goexit()
			case 2:
				for range 3 {
					defer func() {
						for mu.Load() == 0 {
						}
						ran++
					}()
				}
				panic("of an execution before")
			}
		})
		x.Go("b", func() { mu.Load(); mu.Load() })
	})
	if f != nil || err != nil || c.Executions != 200 || engine.Hosted && ran != 0 {
		t.Errorf("expected 200 executions, saw %d, %d calls, %+v, %v", c.Executions, ran, f, err)
	}
}

// TestGoOfNothing: a go statement that has no function is the end of its thread, not of the process.
func TestGoOfNothing(t *testing.T) {
	if !engine.Hosted {
		return
	}
	_, f, err := engine.Explore(engine.Options{}, func(x *engine.Exec) {
		var none func()
		x.Go("a", func() { defer func() { recover() }(); go none() })
	})
	if err != nil || f == nil || f.Kind != engine.Panic || !strings.Contains(f.Message, "go of nil func value") {
		t.Errorf("expected a fatal error, saw %+v, %v", f, err)
	}
}
