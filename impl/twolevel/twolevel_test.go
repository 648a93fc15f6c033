package twolevel

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
)

// closes calls Close, and looks at what is left. It gives the scheduler a minute, for one that hangs.
func closes(t *testing.T, s *Scheduler) error {
	t.Helper()
	var err error
	ended := make(chan struct{})
	go func() { defer close(ended); err = s.Close() }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatalf("DN-WORK-QUIET: Close has waited for a minute; %d tasks, %d of them queued, %d free Ps, nspin %d, ntwo %d",
			s.tasks.Load(), s.queue.size.Load(), s.free.Load(), s.nspin.Load(), s.ntwo.Load())
	}
	left(t.Errorf, s)
	return err
}

// left holds that nothing is left of a scheduler that was closed.
func left(errorf func(format string, args ...any), s *Scheduler) {
	if n := s.tasks.Load() + s.queue.size.Load(); n != 0 || s.queue.first != nil {
		errorf("DN-ONE-PLACE: %d tasks are left after Close", n)
	}
	if s.free.Load() != s.procs {
		errorf("DN-P-OWNED: expected that %d Ps are free after Close, saw %d", s.procs, s.free.Load())
	}
	if s.nspin.Load() != 0 || s.ntwo.Load() != 0 {
		errorf("DN-SPIN-COUNT: expected no M that spins after Close, saw nspin %d and ntwo %d", s.nspin.Load(), s.ntwo.Load())
	}
}

// TestThreads runs 10,000 tasks on real threads, half of which enter a syscall: each runs once, no more at a time than there
// are Ps, and Ms are woken no oftener than the bound of the model allows.
func TestThreads(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	const roots, children = 100, 99
	for _, procs := range []int{1, 2, 4} {
		s, err := New(procs)
		if err != nil {
			t.Fatal(err)
		}
		var ran, calls, running, most atomic.Int64
		runs := func() {
			n := running.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			runtime.Gosched()
			running.Add(-1)
			ran.Add(1)
		}
		child := func(i int) func(*Task) {
			return func(task *Task) {
				runs()
				switch i % 4 {
				case 0:
					calls.Add(1)
					task.Block(runtime.Gosched)
				case 1:
					calls.Add(1)
					task.Block(func() { time.Sleep(100 * time.Microsecond) })
				}
			}
		}
		for range roots {
			if err := s.Go(func(task *Task) {
				runs()
				for i := range children {
					task.Go(child(i))
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		if err := closes(t, s); err != nil {
			t.Error(err)
		}
		if n := ran.Load(); n != roots*(children+1) {
			t.Errorf("DN-ONE-PLACE: expected %d tasks to run once, saw %d runs", roots*(children+1), n)
		}
		if n := most.Load(); n > int64(procs) {
			t.Errorf("DN-USER: expected at most %d tasks at a time, saw %d", procs, n)
		}
		if n, bound := s.Wakes(), 2*(roots*(children+1)+calls.Load()); int64(n) > bound {
			t.Errorf("DN-WAKES: expected at most %d wake-ups, saw %d", bound, n)
		}
		t.Logf("%d Ps: %d tasks, %d syscalls, %d wake-ups, at most %d at a time", procs, ran.Load(), calls.Load(), s.Wakes(), most.Load())
	}
}

// TestClose explores a thread from outside that starts a task and closes, also while another thread starts one.
func TestClose(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	tier.NotShort(t)
	for _, c := range []struct {
		name   string
		beside bool // another starts one, too
		procs  int
		main   func(*Task)
	}{{"one P", false, 1, nothing}, {"two Ps", false, 2, nothing}, {"call, one P", false, 1, call}, {"beside, one P", true, 1, nothing}} {
		t.Run(c.name, func(t *testing.T) {
			interleave.Test(t, func(x *interleave.Exec) {
				s, err := New(c.procs)
				if err != nil {
					x.Fatalf("%v", err)
				}
				start := func() {
					if err := s.Go(c.main); err != nil && err != ErrClosed {
						x.Fatalf("%v", err)
					}
				}
				if c.beside {
					x.Go("beside", start)
				}
				x.Go("outside", func() {
					start()
					if err := s.Close(); err != nil {
						x.Fatalf("%v", err)
					}
				})
				x.Finally(func() { left(x.Fatalf, s) })
			}, interleave.Exhaustive())
		})
	}
}

// TestOdd has tasks that panic, and that end by runtime.Goexit, also inside of Block; and calls that are refused.
func TestOdd(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	if _, err := New(0); err == nil || !strings.Contains(err.Error(), "expected 1 P or more, saw 0") {
		t.Errorf("expected an error about 0 Ps, saw %v", err)
	}
	s, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	var ran atomic.Int64
	for _, f := range []func(*Task){
		func(*Task) { panic("a fault") },
		func(task *Task) { task.Block(func() { panic("a fault in a call") }) },
		func(*Task) { runtime.Goexit() },
		func(task *Task) { task.Block(runtime.Goexit) },
		func(task *Task) { task.Block(func() { task.Go(nothing) }) },
		nothing,
	} {
		if err := s.Go(func(task *Task) { ran.Add(1); f(task) }); err != nil {
			t.Fatal(err)
		}
	}
	err = closes(t, s)
	for _, expected := range []string{"panicked: a fault\n", "panicked: a fault in a call\n", "panicked: twolevel: Go outside a task that runs"} {
		if err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("expected an error with %q, saw %v", expected, err)
		}
	}
	if n := ran.Load(); n != 6 {
		t.Errorf("DN-ONE-PLACE: expected 6 tasks to run, saw %d", n)
	}
	if err := s.Go(nothing); !errors.Is(err, ErrClosed) {
		t.Errorf("expected ErrClosed of Go after Close, saw %v", err)
	}
	if err := s.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("expected ErrClosed of a second Close, saw %v", err)
	}
}
