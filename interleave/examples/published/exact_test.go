package published_test

import (
	"encoding/json"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/published"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
)

// explore explores p without bounds in the instrumented binary, and returns what
// was seen. In the instrumented binary it does not return.
func explore(t *testing.T, p published.Program) (c interleave.Certificate) {
	t.Helper()
	payload, err := harness.Remote(t, func() ([]byte, error) {
		r, err := interleave.Explore(func(x *interleave.Exec) {
			for _, f := range p.New() {
				x.Go("", f)
			}
		}, interleave.Exhaustive())
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		t.SkipNow() // another test's call was asked for
	}
	var r interleave.Report
	if err := json.Unmarshal(payload, &r); err != nil {
		t.Fatalf("%v in %s", err, payload)
	}
	if r.Failure != nil {
		t.Fatalf("expected a program that is right; observed %s", r.Text(""))
	}
	if !r.Certificate.Complete() {
		t.Fatalf("expected all executions; observed %v", r.Certificate)
	}
	t.Logf("%d executions in %.2f s; %s has %d", r.Certificate.Classes, r.Certificate.Elapsed.Seconds(), p.Source, p.Count)
	return r.Certificate
}

// TestPublishedCounts: the explorer runs as many executions as were published, to
// the number. One less is a class that was lost.
func TestPublishedCounts(t *testing.T) {
	tier.NotShort(t)
	programs := published.Exact()
	if len(programs) != 97 {
		t.Errorf("expected 97 programs; observed %d", len(programs))
	}
	for _, p := range tier.Some(t, programs, 40) {
		t.Run(p.Name, func(t *testing.T) {
			if p.Slow {
				tier.OnlyFull(t) // it takes more than a second
			}
			if c := explore(t, p); c.Classes != p.Count || c.Cuts.Iterations != 0 {
				t.Errorf("expected %d executions and nothing cut (%s); observed %d, %v", p.Count, p.Source, c.Classes, c)
			}
		})
	}
}
