package child

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/conformance/target/sched"
	"github.com/spindle-go/spindle/spec/record"
)

func init() {
	behaviours["sched"] = func(what string) {
		f := sched.New
		if what != "" {
			f = func(int) scheduler.Scheduler { return &odd{what: what} }
		}
		hello := SchedulerHello{Name: "odd", Version: os.Getenv("SPINDLE_INTERNAL_VERSION"), Notes: []string{fmt.Sprint(os.Getpid())}}
		if err := ServeScheduler(os.Stdin, os.Stdout, hello, f); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// odd is a scheduler with a goroutine for each task, that is wrong in one way.
type odd struct {
	what string
	n    int
}

// oddTask can sleep, as long as it likes.
type oddTask struct{ what string }

func (t oddTask) Sleep(d time.Duration) {
	if t.what == "sleeps on" {
		select {}
	}
	time.Sleep(d)
}

func (s *odd) Submit(task func(scheduler.Task)) error {
	s.n++
	switch run := func() { task(oddTask{s.what}) }; s.what {
	case "dies":
		if s.n == 1 {
			go run() // it is asked what its tasks can do
			break
		}
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(9)
	case "loses":
		if s.n == 1 {
			go run()
		}
	case "spins":
		if s.n == 1 {
			go run()
			break
		}
		go func() {
			for n := 0; ; n++ {
				runtime.KeepAlive(n)
			}
		}()
	case "repeats":
		go func() {
			for run(); s.n > 1; { // but not the first time
				run()
			}
		}()
	default:
		go run()
	}
	return nil
}

func (s *odd) Close() error {
	if s.what == "leaves some" {
		if closed++; closed%2 == 0 {
			left := make(chan bool)
			go func() {
				runtime.LockOSThread() // the thread is this goroutine's, and stays
				close(left)
				select {}
			}()
			<-left
		}
	}
	return nil
}

// closed is how many schedulers of this process were closed.
var closed int

// TestSomeLeaveThreads: of schedulers of which some leave a thread behind, and not all, it is not said that none does.
func TestSomeLeaveThreads(t *testing.T) {
	t.Attr("req", "SC-CLOSE-WORKERS")
	if !seesRest {
		t.Skip("the threads of another process are not seen on this system")
	}
	s := openScheduler(t, command("sched:leaves some"))
	s.hello.LightWorkers = false // each thread that is left is one of the system
	g := record.TaskGraph{Workers: 1, Outside: []string{"s0"}, Tasks: []string{""}}
	p, err := g.Program()
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Run(t.Context(), p, drive.Options{Bound: 50 * time.Millisecond, Leaves: true})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(run.Unseen, "SC-CLOSE-WORKERS") && !slices.Contains(sights(run), record.LeftOver) {
		t.Errorf("expected threads that are left, or that this is not known, saw neither: %v", run.Lines())
	}
}

func openScheduler(t *testing.T, command func() *exec.Cmd) *Scheduler {
	t.Helper()
	q, s, err := Open(t.Context(), command, Options{})
	if err != nil || q != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// sights are the kinds of notes of a run that a driver does not make.
func sights(run *record.TaskRun) (list []record.TaskSight) {
	for _, e := range run.Events {
		if slices.Contains([]record.TaskSight{record.AtRest, record.Stalled, record.Late, record.Released, record.TooMany}, e.What) {
			list = append(list, e.What)
		}
	}
	return list
}

// TestSchedulerStops: a run that comes to a stop is told from one that takes its time.
func TestSchedulerStops(t *testing.T) {
	if !seesRest {
		t.Skip("this system does not show what another process does")
	}
	defer func(d time.Duration) { drive.Stall = d }(drive.Stall)
	for _, tt := range []struct {
		what, graph string
		stall       time.Duration
		want        string
		starts      int
	}{
		{"", "2:s0 s1/m0/m0", 0, "[]", 1},
		{"", "1:s0/z700000", 0, "[]", 1},                       // it sleeps as it should
		{"", "1:z700000 s0/", 0, "[]", 1},                      // and so does the thread
		{"loses", "1:s0 s1 j1//", 0, "[rest release rest]", 2}, // and its end does not come either
		{"loses", "1:s0 s1//", 0, "[rest release rest]", 2},
		{"sleeps on", "1:s0/z1000", 0, "[late rest release late rest]", 2},
		{"spins", "1:s0 s1//", 500 * time.Millisecond, "[stalled release stalled]", 2},
	} {
		if drive.Stall = tt.stall; tt.stall == 0 {
			drive.Stall = time.Hour // what rests is seen by that
		}
		s := openScheduler(t, command("sched:"+tt.what))
		run, err := s.Run(t.Context(), program(t, tt.graph), drive.Options{Bound: 50 * time.Millisecond})
		if err != nil || fmt.Sprint(sights(run)) != tt.want {
			t.Errorf("%q, %s: expected %s, saw %v, %v", tt.what, tt.graph, tt.want, sights(run), err)
		}
		// Behind each stop there is a fresh process; that of a run that has ended stays.
		if run, err := s.Run(t.Context(), program(t, "1:"), drive.Options{}); err != nil || len(sights(run)) > 0 || s.Starts() != tt.starts {
			t.Errorf("%q, %s: afterwards %v, %v, in process %d; expected %d", tt.what, tt.graph, run, err, s.Starts(), tt.starts)
		}
		s.Close()
	}
}

// TestSchedulerFails: how a run without a log ends.
func TestSchedulerFails(t *testing.T) {
	for _, tt := range []struct {
		what, graph string
		want        func(err error) bool
		starts      int // of processes, when an empty graph was run behind it
	}{
		{"dies", "1:s0 s1//", func(err error) bool {
			var death *drive.DeathError
			return errors.As(err, &death) && strings.Contains(death.Text, "exit status 9") && strings.Contains(death.Text, "out of luck")
		}, 2},
		{"repeats", "1:s0 s1 w0//", func(err error) bool { return errors.Is(err, drive.ErrFull) }, 2},
		{"", "1:s0/i0 o0", func(err error) bool { return errors.Is(err, ErrRefused) }, 1},
	} {
		s := openScheduler(t, command("sched:"+tt.what))
		if run, err := s.Run(t.Context(), program(t, tt.graph), drive.Options{}); !tt.want(err) {
			t.Errorf("%q, %s: saw %v, %v", tt.what, tt.graph, run, err)
		}
		if _, err := s.Run(t.Context(), program(t, "1:"), drive.Options{}); err != nil || s.Starts() != tt.starts {
			t.Errorf("%q, %s: afterwards %v, %d processes", tt.what, tt.graph, err, s.Starts())
		}
	}
	s := openScheduler(t, command("sched:"))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := s.Run(ctx, program(t, "1:z900000"), drive.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("expected the end of the context, saw %v", err)
	}
	s.Close()
	if _, err := s.Run(t.Context(), program(t, "1:"), drive.Options{}); !errors.Is(err, ErrClosed) {
		t.Errorf("expected ErrClosed, saw %v", err)
	}
}

// TestAnotherScheduler: a child that is started again is what it was.
func TestAnotherScheduler(t *testing.T) {
	for version, ok := range map[string]bool{"1": true, "2": false} {
		starts := 0
		s := openScheduler(t, func() *exec.Cmd {
			cmd := command("sched:dies")()
			if starts++; starts == 1 {
				cmd.Env = append(cmd.Env, "SPINDLE_INTERNAL_VERSION=1")
			} else {
				cmd.Env = append(cmd.Env, "SPINDLE_INTERNAL_VERSION="+version)
			}
			return cmd
		})
		if _, err := s.Run(t.Context(), program(t, "1:s0 s1//"), drive.Options{}); !errors.As(err, new(*drive.DeathError)) {
			t.Fatalf("expected a death, saw %v", err)
		}
		_, err := s.Run(t.Context(), program(t, "1:"), drive.Options{})
		if ok && err != nil || !ok && (!errors.Is(err, ErrStart) || !errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), "as before")) {
			t.Errorf("version %s: saw %v", version, err)
		}
	}
}

// TestLongerLines: a line is bounded by the graph that was asked, whatever the graph before it was.
func TestLongerLines(t *testing.T) {
	s := openScheduler(t, command("sched:"))
	var long strings.Builder
	long.WriteString("1:")
	for i := range 300 {
		fmt.Fprintf(&long, "s%d ", i)
	}
	long.WriteString(strings.Repeat("/y y y y y y", 300))
	for _, g := range []string{"1:", long.String(), "1:"} {
		if _, err := s.Run(t.Context(), program(t, g), drive.Options{}); err != nil {
			t.Errorf("%.10s: %v", g, err)
		}
	}
}
