package published_test

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/published"
)

// within reports whether so many executions are enough and not too many: fewer
// than were published are classes that were lost, and half as many again are the
// most that looks in vain may cost.
func within(executions, published int) bool {
	return published <= executions && 2*executions <= 3*published
}

// TestWaiting: programs that wait need about as many executions as were published.
// Those that end with a thread in a loop that waits are not counted, as GenMC does
// not count its blocked ones; they are shown beside.
func TestWaiting(t *testing.T) {
	for _, p := range published.Waiting() {
		t.Run(p.Name, func(t *testing.T) {
			c := explore(t, p)
			if n := c.Classes - c.Blocked; !within(n, p.Count) || c.Cuts.Iterations > 0 {
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
