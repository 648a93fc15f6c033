package progress_test

import (
	"encoding/json"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/interleave/progress"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestLoopsThatAsk holds that a loop which waits is known for one although it calls methods of
// the Exec, or Do, in each round.
func TestLoopsThatAsk(t *testing.T) {
	tier.NotShort(t)
	loops := []func(x *interleave.Exec, flag *atomic.Bool){
		func(x *interleave.Exec, flag *atomic.Bool) {
			for !flag.Load() {
				x.Helper()
			}
		},
		func(x *interleave.Exec, flag *atomic.Bool) {
			for !flag.Load() {
				progress.Do(x, "look", func() {})
			}
		},
	}
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var all []interleave.Report
		for _, loop := range loops {
			r, err := interleave.Explore(func(x *interleave.Exec) {
				var flag atomic.Bool
				x.Go("waits", func() { loop(x, &flag) })
				x.Go("sets", func() { flag.Store(true) })
			}, interleave.Exhaustive(), interleave.Executions(50), interleave.Steps(200))
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
		return json.Marshal(all)
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []interleave.Report
	if err := json.Unmarshal(payload, &all); err != nil || len(all) != len(loops) {
		t.Fatal(err, string(payload))
	}
	for i, r := range all {
		t.Log(r.Certificate)
		if c := r.Certificate; r.Failure != nil || !c.Complete() || c.Cuts.Iterations > 0 || c.Blocked == 0 {
			t.Errorf("loop %d: expected a loop that waits; observed %s", i, r.Text(""))
		}
	}
}
