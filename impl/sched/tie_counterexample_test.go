package sched

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/explore"
)

// lostVar has the schedule of TestTieCounterexample for its instrumented binaries.
const lostVar = "TIE_LOST"

// TestTieCounterexample turns the shortest way in which the model of Go 1.26 loses a wakeup, in the program of
// TestShipped, into a schedule of the code with the same flaw: there a G waits beside an idle P
// at the end. The code that is mended cannot follow.
func TestTieCounterexample(t *testing.T) {
	t.Attr("req", "DN-WORK-QUIET")
	shipped := scene{ring: 4, shipped: Shipped{Wakep: true}, main: threeBesideWork}
	if os.Getenv(lostVar) == "" {
		m := machine(shipped.config(), 4)
		m.Features = nil
		d, err := trace.NewDance(m)
		if err != nil {
			t.Fatal(err)
		}
		program, err := d.Program(trace.DanceScope{Most: map[string]int{"Ready": 3, "Block": 3}, Stays: true})
		if err != nil {
			t.Fatal(err)
		}
		quiet, err := program.Holds("WorkQuiet")
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Explore(t.Context(), program, explore.Options[trace.DanceState]{Invariants: []explore.Invariant[trace.DanceState]{quiet}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Violation == nil {
			t.Fatalf("expected that WorkQuiet falls, saw that it holds in %d states", r.Distinct)
		}
		schedule, err := harness.Remote(t, func() ([]byte, error) {
			s, err := program.Guide(r.Violation.Trace, []string{"a", "a1"}, runOf(shipped))
			if err == nil {
				if _, mended := program.Guide(r.Violation.Trace, []string{"a", "a1"}, runOf(scene{ring: 4, main: threeBesideWork})); mended == nil {
					err = errors.New("expected that the mended code cannot follow, saw that it does")
				}
			}
			return []byte(s), err
		})
		if err != nil {
			t.Fatal(err)
		}
		if schedule == nil {
			return
		}
		t.Logf("WorkQuiet falls after %d steps of the machine, in %d states; the schedule is %s", len(r.Violation.Trace)-1, r.Distinct, schedule)
		t.Setenv(lostVar, string(schedule))
	}
	t.Run("shipped", func(t *testing.T) { // counts its calls for itself
		play(t, shipped, interleave.Schedule(os.Getenv(lostVar)), interleave.MustFail(func(r interleave.Report) {
			if f := r.Failure; !strings.Contains(f.Message, "DN-WORK-QUIET") {
				t.Errorf("expected DN-WORK-QUIET, saw %s", r.Text(""))
			}
		}))
	})
}

// runOf executes schedules of a scene.
func runOf(sc scene) func(string) (trace.DanceRun, error) {
	return func(schedule string) (run trace.DanceRun, err error) {
		err = errors.New("the execution has no end")
		_, wrong := interleave.Explore(func(x *interleave.Exec) {
			s := begun(x, sc)
			x.Finally(func() { run, err = trace.DanceRun{Steps: harness.Taken(x), Objects: s.words().In(x)}, nil })
		}, interleave.Schedule(schedule), harness.Retries())
		return run, errors.Join(wrong, err)
	}
}
