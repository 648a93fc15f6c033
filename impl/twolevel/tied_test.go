package twolevel

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
)

// A tied is what came of holding a scene against the machine.
type tied struct {
	Report                     interleave.Report
	Executions, Steps, Largest int
	Wakes                      uint64 // the most of an execution
}

func (r *tied) String() string {
	return fmt.Sprintf("%v; %d executions followed, %d steps, at most %d states at once; at most %d wake-ups", r.Report.Certificate, r.Executions, r.Steps, r.Largest, r.Wakes)
}

// tieScene explores a scene and holds each execution against the machine. It returns nil in the instrumented binary.
func tieScene(t *testing.T, sc scene, opts ...interleave.Option) *tied {
	t.Helper()
	if schedule := harness.ScheduleAsked(t); schedule != "" {
		opts = append(opts, interleave.Schedule(schedule))
	}
	payload, err := harness.Remote(t, func() ([]byte, error) {
		d, err := newTie(sc.procs, sc.spawns+1)
		if err != nil {
			return nil, err
		}
		var r tied
		r.Report, err = interleave.Explore(func(x *interleave.Exec) {
			s := begun(x, sc)
			x.Finally(func() {
				if wrong := d.follow(x, s); wrong != "" {
					x.Fatalf("%s", wrong)
				}
				atRest(x, s, sc)
				r.Wakes = max(r.Wakes, s.idle.wakes)
			})
		}, append(opts, interleave.Exhaustive(), harness.Retries())...)
		if err != nil {
			return nil, err
		}
		r.Executions, r.Steps, r.Largest = d.executions, d.steps, d.follower.Largest
		return json.Marshal(r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return nil
	}
	r := new(tied)
	if err := json.Unmarshal(payload, r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTie holds every execution of scenes against the machine: each operation on a word that Ms share is a step of it, and its
// invariants hold after each.
func TestTie(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "DN-WORK-RESCUER")
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			if sc.full {
				tier.OnlyFull(t)
			}
			r := tieScene(t, sc)
			if r == nil {
				return
			}
			t.Log(r)
			if f := r.Report.Failure; f != nil {
				t.Errorf("DN-WORK-RESCUER: the code departs from the machine that keeps it: %s", r.Report.Text(harness.Reproduce(t, f.Schedule)))
			} else if !r.Report.Certificate.Complete() {
				t.Errorf("expected a complete exploration, saw %v", r)
			}
		})
	}
}
