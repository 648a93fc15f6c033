package sched

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
)

// covered is what came of counting edges.
type covered struct {
	Report                               interleave.Report
	Covered, All, States, Orders, Walked int
	Missed                               []string
	Took                                 time.Duration
}

// cover counts the edges of the machine restricted to the program "spawn and end", with two Ps and two Gs,
// that lie on some order of an execution that was explored. It returns nil in the instrumented binary.
func cover(t *testing.T, opts ...interleave.Option) *covered {
	t.Helper()
	s := sceneOf(t, "spawn")
	payload, err := harness.Remote(t, func() ([]byte, error) {
		m := machine(s.config(), 2)
		m.Features = nil // nobody yields, and the global queue is empty throughout
		d, err := trace.NewDance(m)
		if err != nil {
			return nil, err
		}
		count, err := trace.NewDanceCover(d, trace.DanceScope{Spawns: 1})
		if err != nil {
			return nil, err
		}
		var r covered
		var wrong error
		r.Report, err = interleave.Explore(func(x *interleave.Exec) {
			sc := begun(x, s)
			x.Finally(func() {
				steps := harness.Taken(x)
				var diverges *trace.Divergence
				if diverges, wrong = d.Follow(steps, sc.words().In(x)); diverges != nil {
					x.Fatalf("%v", diverges)
				}
				if wrong == nil {
					wrong = count.Add(x, steps)
				}
				if wrong != nil {
					x.Fatalf("%v", wrong)
				}
			})
		}, append(opts, harness.Retries())...)
		if err == nil {
			err = wrong
		}
		if err != nil {
			return nil, err
		}
		r.Covered, r.All, r.Missed = count.Count(10)
		r.States, r.Orders, r.Walked, r.Took = count.States, count.Orders, count.Walked, count.Took
		return json.Marshal(r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return nil
	}
	r := new(covered)
	if err := json.Unmarshal(payload, r); err != nil {
		t.Fatal(err)
	}
	t.Logf("spawn and end, 2 Ps, 2 Gs: %d of %d edges of %d states, after %d executions in %d cuts; %v; %v", r.Covered, r.All, r.States, r.Walked, r.Orders, r.Took, r.Report.Certificate)
	if f := r.Report.Failure; f != nil {
		t.Fatal(r.Report.Text(""))
	}
	return r
}

// TestTieCover holds that each edge of the machine in this scope lies on some execution of the code.
func TestTieCover(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	if os.Getenv("SPINDLE_LONG") != "1" {
		t.Skip("takes most of a minute; SPINDLE_LONG=1 asks for it")
	}
	r := cover(t, interleave.Exhaustive())
	if r == nil {
		return
	}
	if !r.Report.Certificate.Complete() || r.Covered != r.All || r.All == 0 {
		t.Errorf("expected each edge to be covered, saw that these are not: %q", r.Missed)
	}
}

// TestTieCoverSome holds that an exploration which ends early covers much, and not all.
func TestTieCoverSome(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	r := cover(t, interleave.Exhaustive(), interleave.Executions(500))
	if r == nil {
		return
	}
	if r.All != 3980 || r.Covered < 1000 || r.Covered >= r.All || len(r.Missed) == 0 {
		t.Errorf("expected at least 1000 of 3980 edges, and not all, saw %d of %d, not %q", r.Covered, r.All, r.Missed)
	}
}
