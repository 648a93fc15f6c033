package drive

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec/record"
)

// A process is at rest if and only if every goroutine waits, but for the one that looks.
func TestRestIn(t *testing.T) {
	const looks = "goroutine 1 [running]:\nmain.main()\n\n"
	for text, want := range map[string]bool{
		looks: true,
		looks + "goroutine 2 [chan receive, 2 minutes]:\nx()\n":                       true,
		looks + "goroutine 2 [sync.Mutex.Lock]:\nx()\n\ngoroutine 3 [select]:\ny()\n": true,
		looks + "goroutine 2 [sleep]:\nx()\n":                                         true,
		looks + "goroutine 2 [coroutine]:\nx()\n":                                     true,
		looks + "goroutine 2 [runnable]:\nx()\n":                                      false,
		looks + "goroutine 2 [running]:\nx()\n":                                       false,
		looks + "goroutine 2 [syscall, locked to thread]:\nx()\n":                     false,
		looks + "goroutine 2 [runnable (scan)]:\nx()\n":                               false,
		looks + "goroutine 2 [GC assist wait]:\nx()\n":                                false,
		looks + "goroutine 2 [preempted]:\nx()\n":                                     false,
		looks + "goroutine 2 [select]:\nx()\n\ngoroutine 3 [runnable]:\ny()\n":        false,
		looks + "goroutine 2 [syscall]:\nos/signal.signal_recv()\nos/signal.loop()\n": true,
		looks + "goroutine 2 [runnable]:\ninternal/awake.(*timer).ticked(0x1)\n":      true,
		looks + "goroutine 2 [chan receive]:\nx()\n\nthis is no goroutine\n":          false,
		looks + "goroutine 2 gp=0xc000 m=nil mp=0x1 [chan receive]:\nx()\n":           true,
		looks + "goroutine 2 []:\nx()\n":                                              false,
	} {
		if rest, who := restIn([]byte(text)); rest != want {
			t.Errorf("%q: expected %v, saw %v, %s", text, want, rest, who)
		}
	}
}

// A goroutine that wants to run keeps the process from being at rest, whether it has a processor or not.
func TestAtRest(t *testing.T) {
	stop := make(chan struct{})
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		for {
			select {
			case <-stop:
				return
			default:
				runtime.Gosched()
			}
		}
	}()
	for range 20 {
		if AtRest() {
			t.Error("at rest, though a goroutine runs")
		}
	}
	close(stop)
	all.Wait()
	for range 1000 {
		if AtRest() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("never at rest, though nobody does anything")
}

// slow is a scheduler with a worker, which works for a while before it runs a task: for three times the bound.
type slow struct {
	works time.Duration
	all   sync.WaitGroup
}

func (s *slow) Submit(task func(scheduler.Task)) error {
	s.all.Add(1)
	go func() {
		defer s.all.Done()
		for begin := time.Now(); time.Since(begin) < s.works; { // as one that has no processor, it wants to run
		}
		task(nil)
	}()
	return nil
}

func (s *slow) Close() error { s.all.Wait(); return nil }

// Who wants to run, and does not get so far within the bound, is not at rest: no run comes to a stop by that.
func TestBusyIsNoStop(t *testing.T) {
	t.Attr("req", "SC-WORK")
	g := record.TaskGraph{Name: "x", Workers: 1, Outside: []string{"s0"}, Tasks: []string{""}}
	p, err := g.Program()
	if err != nil {
		t.Fatal(err)
	}
	const bound = 50 * time.Millisecond
	run, err := Run(context.Background(), func(int) scheduler.Scheduler { return &slow{works: 10 * bound} }, p, Options{Bound: bound})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range run.Events {
		if e.What == record.AtRest || e.What == record.Stalled {
			t.Errorf("expected no stop, saw %v\n%v", e, run.Lines())
		}
	}
}

// turning is a scheduler that looks at the clock without end while a task sleeps, and never wakes it.
type turning struct {
	stop chan struct{}
	all  sync.WaitGroup
}

func (s *turning) Submit(task func(scheduler.Task)) error {
	s.all.Go(func() { task(s) })
	return nil
}

func (s *turning) Close() error { s.all.Wait(); return nil }

func (s *turning) Sleep(time.Duration) {
	for {
		select {
		case <-s.stop:
			return
		default:
			runtime.Gosched()
		}
	}
}

// A task is late, too, that sleeps on while somebody runs all the time. It is so although the time of another one is not over, and only when
// nothing has happened for long.
func TestLate(t *testing.T) {
	t.Attr("req", "TM-LOST")
	defer func(d time.Duration) { Stall = d }(Stall)
	Stall = 200 * time.Millisecond
	g := record.TaskGraph{Name: "x", Workers: 1, Outside: []string{"s0 s1"}, Tasks: []string{"z1000", "z10000000"}}
	p, err := g.Program()
	if err != nil {
		t.Fatal(err)
	}
	s := &turning{stop: make(chan struct{})}
	run, err := Run(context.Background(), func(int) scheduler.Scheduler { return s }, p, Options{Bound: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	close(s.stop)
	s.all.Wait()
	late, stalled := -1, -1
	for i, e := range run.Events {
		if e.What == record.Late && e.Who == 0 && late < 0 {
			late = i
		}
		if e.What == record.Stalled && stalled < 0 {
			stalled = i
		}
	}
	if late < 0 || stalled <= late || run.Events[late].At < Stall || run.Events[late].At > 9*time.Second {
		t.Errorf("expected task 0 late after %v, before the other one is, and then that the run stands still, saw\n%v", Stall, run.Lines())
	}
}
