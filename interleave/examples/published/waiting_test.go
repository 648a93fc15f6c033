package published_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/published"
	"github.com/spindle-go/spindle/internal/tier"
)

// seeing has a package be explored as the compiler reports it, and not be rewritten.
const seeing = "SPINDLE_INTERNAL_SEEING"

// TestByCompiler: the programs have the same counts where the compiler reports what they do, and loops that wait are known by the stack of their thread.
func TestByCompiler(t *testing.T) {
	tier.OnlyFull(t)
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-run=^(TestPublishedCounts|TestWaiting|TestPublishedLivelock)$", ".")
	cmd.Env = append(os.Environ(), seeing+"=compiler", "SPINDLE_TIER=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestWaiting: programs that wait need about as many executions as were published: fewer are classes that were lost, and half as many again are the most that looks in vain may cost.
// Those that end with a thread in a loop that waits are not counted, as GenMC does
// not count its blocked ones; they are shown beside.
func TestWaiting(t *testing.T) {
	for _, p := range published.Waiting() {
		t.Run(p.Name, func(t *testing.T) {
			c := explore(t, p)
			fewest := p.Count
			if os.Getenv(seeing) != "" {
				fewest = 3 * p.Count / 4 // a round may be in vain between any two visits of a place, not between heads of loops alone: lamport 2 has 14
			}
			if n := c.Classes - c.Blocked; n < fewest || 2*n > 3*p.Count || c.Cuts.Iterations > 0 {
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
