package published_test

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/published"
)

// TestWaiting: programs that wait need about as many executions as were published: fewer are classes that were lost, and half as many again are the most that looks in vain may cost.
// Those that end with a thread in a loop that waits are not counted, as GenMC does
// not count its blocked ones; they are shown beside.
func TestWaiting(t *testing.T) {
	for _, p := range published.Waiting() {
		t.Run(p.Name, func(t *testing.T) {
			c := explore(t, p)
			if n := c.Classes - c.Blocked; n < p.Count || 2*n > 3*p.Count || c.Cuts.Iterations > 0 {
				t.Errorf("expected %d executions (%s), or up to one and a half times as many; observed %d: %v", p.Count, p.Source, n, c)
			} else {
				t.Logf("%d executions and %d blocked; %s has %d", n, c.Blocked, p.Source, p.Count)
			}
		})
	}
}

// TestPublishedLivelock: a program of the test suites whose threads may wait for
// ever is not passed over.
func TestPublishedLivelock(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		for _, f := range published.Livelock().New() {
			x.Go("", f)
		}
	}, interleave.Exhaustive(), interleave.MustFail(func(r interleave.Report) {
		if r.Failure.Kind != interleave.Livelock {
			t.Errorf("expected a livelock; observed %s", r.Text(""))
		}
	}))
}
