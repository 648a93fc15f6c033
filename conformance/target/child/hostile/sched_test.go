package hostile

import (
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

const ofSchedulers = "SPINDLE_HOSTILE_SCHEDULER"

// TestHostileSchedulers: whatever a child does that is a scheduler, the suite ends in time and within its memory, and a log that it believes has what the graph asks.
func TestHostileSchedulers(t *testing.T) {
	tier.NotShort(t)
	all := make([]uint64, 500)
	for i := range all {
		all[i] = uint64(i)
	}
	seeds := tier.Some(t, all, 25)
	peak := watchMemory(t)
	var next atomic.Int64
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(seeds); n = int(next.Add(1)) - 1 {
				b := OfScheduler(seeds[n])
				t.Run(b.Deed, func(t *testing.T) { judgeScheduler(t, b) })
			}
		})
	}
	group.Wait()
	if p := peak(); p > most {
		t.Errorf("the suite took %d MiB, want at most %d", p>>20, most>>20)
	} else {
		t.Logf("%d children; the suite took at most %d MiB", len(seeds), p>>20)
	}
}

// judgeScheduler runs graphs on one child until something fails, and holds what comes of it to what its behaviour says.
func judgeScheduler(t *testing.T, b Behaviour) {
	start, limit := long, long
	if b.Harm == Silent || b.Harm == Later {
		limit = short
		if b.Kind == OfHello {
			start = short
		}
	}
	program := func(text string) *record.TaskProgram {
		outside, tasks, _ := strings.Cut(text, "/")
		p, err := (&record.TaskGraph{Name: text, Workers: 2, Outside: strings.Split(outside, "|"), Tasks: strings.Split(tasks, "/")}).Program()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	// What a run may take: a stop is seen, a question is not answered, and an end is waited for.
	timed := func(what string, f func()) {
		stuck := time.AfterFunc(2*drive.Stall+2*long, func() { panic(b.String() + ": " + what + " does not end") })
		defer stuck.Stop()
		f()
	}
	var s *child.Scheduler
	var q *child.Client
	var err error
	timed("the start", func() {
		q, s, err = child.Open(t.Context(), func() *exec.Cmd {
			cmd := command(b.Seed)()
			cmd.Env = append(cmd.Env, ofSchedulers+"=1")
			return cmd
		}, child.Options{StartTimeout: start, Timeout: limit})
	})
	switch {
	case q != nil:
		q.Close()
		t.Fatalf("%v: a scheduler counts as a queue", b)
	case err == nil:
		defer s.Close()
		graph, held := program("s0 s1 j0|s2/m0/m0/"), program("s0 w0/")
		for range 22 {
			var run *record.TaskRun
			if timed("a run", func() { run, err = s.Run(t.Context(), graph, drive.Options{Bound: 50 * time.Millisecond}) }); err != nil {
				break
			}
			if bad := wrongRun(run); bad != "" && b.Harm != Lies {
				t.Errorf("%v: believed a run in which %s", b, bad)
			}
		}
		there := func(events []record.TaskEvent) bool {
			return len(events) > 0 && events[len(events)-1].What == record.Ends
		}
		for range 2 {
			if err == nil {
				timed("a hold", func() {
					err = s.Hold(t.Context(), held, drive.Options{Bound: 50 * time.Millisecond}, there, func(child.Used) {})
				})
			}
		}
	}
	if err != nil && (len(err.Error()) > 5000 || strings.ContainsAny(err.Error(), "\x1b\n\x00")) {
		t.Errorf("%v: an error of %d bytes, or with what cannot be shown: %.200q", b, len(err.Error()), err)
	}
	t.Logf("%v: %.200v", b, err)
	// What a contract means is not this package's business.
	if ofContract := strings.Contains(b.Deed, "choice") || strings.Contains(b.Deed, "control characters") || strings.Contains(b.Deed, "profile") || strings.Contains(b.Deed, "capabilities"); b.Harm == None && err != nil || (b.Harm == Wrong || b.Harm == Silent || b.Harm == Later) && err == nil && !ofContract {
		t.Errorf("%v: saw %v", b, err)
	}
}

// wrongRun says what a run has that a right scheduler's does not have, or "".
func wrongRun(run *record.TaskRun) string {
	begun := 0
	for _, e := range run.Events {
		switch e.What {
		case record.Begins:
			begun++
		case record.Ends, record.Does, record.Did:
		default:
			return e.String()
		}
	}
	if begun != len(run.Graph.Tasks) {
		return "not every task begins once"
	}
	return ""
}
