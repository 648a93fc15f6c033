package stress

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/sync"
)

// step is an operation on nothing.
func step() {
	engine.Begin(nil, 0, 0)
	engine.End(0, 0, false)
}

// TestCalledLater: what timers and the collector call on behalf of a thread is a thread's: to unlock what is not locked ends the execution there, and not
// the process. What others have given them is called as ever.
func TestCalledLater(t *testing.T) {
	if !engine.Hosted {
		return
	}
	synctest.Test(t, func(t *testing.T) { // the clock of a bubble has its own rules
		called := true
		_, f, err := engine.Explore(engine.Options{Strategy: engine.Random, Executions: 1}, func(x *engine.Exec) {
			x.Go("a", func() {
				done := make(chan bool, 1)
				time.AfterFunc(time.Millisecond, func() { done <- engine.Controlled() })
				called = <-done
				step()
			})
		})
		if f != nil || err != nil || called {
			t.Errorf("in a bubble: expected a goroutine of the bubble, saw a thread, or none: %v, %v, %v", called, f, err)
		}
	})
	kinds := map[string]func(f func()){
		"a timer":     func(f func()) { time.AfterFunc(0, f) },
		"a cleanup":   func(f func()) { runtime.AddCleanup(new([64]byte), func(int) { f() }, 1) },
		"a finalizer": func(f func()) { runtime.SetFinalizer(new([64]byte), func(*[64]byte) { f() }) },
	}
	for name, attach := range kinds {
		called := make(chan bool)
		attach(func() { called <- engine.Controlled() })
		runtime.GC()
		if <-called {
			t.Errorf("%s of others: expected no thread, saw one", name)
		}
		_, f, err := engine.Explore(engine.Options{Strategy: engine.Random, Executions: 1}, func(x *engine.Exec) {
			x.Go("a", func() {
				done := make(chan bool, 1)
				attach(func() {
					done <- engine.Controlled()
					new(sync.Mutex).Unlock()
				})
				runtime.GC()
				if !<-done {
					x.Fatalf("no thread")
				}
				step()
				select {}
			})
		})
		if err != nil || f == nil || !strings.Contains(f.Message, "unlock of unlocked mutex") {
			t.Errorf("%s: expected a failure in a thread, saw %v, %v", name, f, err)
		}
	}
	var file *[64]byte
	if _, _, err := engine.Explore(engine.Options{Strategy: engine.Random, Executions: 5}, func(x *engine.Exec) {
		x.Go("a", func() {
			file = new([64]byte)
			runtime.SetFinalizer(file, func(*[64]byte) { t.Error("a finalizer that was cleared was called") })
			runtime.SetFinalizer(file, nil)
			time.NewTimer(time.Hour).Stop()
			runtime.AddCleanup(new([64]byte), time.Sleep, 0) // nothing of a program's
			step()
		})
	}); err != nil {
		t.Error(err)
	}
	file = nil
	runtime.GC()
}

// TestWaitsOutside: a thread may not wait for a pipe; the body may, and others.
func TestWaitsOutside(t *testing.T) {
	if !engine.Hosted {
		return
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	read := func() error {
		if _, err := r.Read(make([]byte, 1)); err != nil {
			return err
		}
		return nil
	}
	later := func(run func()) {
		go func() {
			time.Sleep(time.Millisecond)
			w.Write([]byte{1})
		}()
		run()
	}
	later(func() {
		if err := read(); err != nil {
			t.Errorf("outside: %v", err)
		}
	})
	_, f, err := engine.Explore(engine.Options{Strategy: engine.Random, Executions: 1}, func(x *engine.Exec) {
		later(func() {
			if err := read(); err != nil {
				t.Errorf("in the body: %v", err)
			}
		})
		x.Go("a", step)
	})
	if f != nil || err != nil {
		t.Errorf("the body: %v, %v", f, err)
	}
	said := error(nil)
	_, _, err = engine.Explore(engine.Options{Strategy: engine.Random, Executions: 1}, func(x *engine.Exec) {
		x.Go("a", func() { said = read(); step() })
	})
	if !errors.Is(err, engine.ErrRefused) || !strings.Contains(err.Error(), "thread a waits for the network, or a file") || said == nil {
		t.Errorf("a thread: expected that it is refused, saw %v, %v", err, said)
	}
}

// TestBeside: a goroutine that runs beside an exploration is named, one that waits is not.
func TestBeside(t *testing.T) {
	if !engine.Hosted {
		return
	}
	end := make(chan bool)
	go waitsBeside(end)
	names := func() string {
		c, f, err := engine.Explore(engine.Options{Strategy: engine.Random, Executions: 300}, func(x *engine.Exec) {
			x.Go("a", step)
			x.Go("b", step)
		})
		if f != nil || err != nil {
			t.Fatal(f, err)
		}
		return c.String()
	}
	if said := names(); strings.Contains(said, "beside the threads") {
		t.Errorf("expected nobody beside, saw %s", said)
	}
	go runsBeside(end)
	if said := names(); strings.Count(said, "stress.TestBeside") != 1 || strings.Count(said, "which runs beside the threads") != 1 {
		t.Errorf("expected one goroutine beside, saw %s", said)
	}
	close(end)
}

func waitsBeside(end chan bool) { <-end }

func runsBeside(end chan bool) {
	for {
		select {
		case <-end:
			return
		default:
			runtime.Gosched()
		}
	}
}
