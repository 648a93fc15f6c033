//go:build unix

package suite_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/awake/awaketest"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestStopped stops a run for longer than its budget. It comes to its end, since the
// budget counts the time in which the process ran. So it is with a control.
func TestStopped(t *testing.T) {
	tier.OnlyFull(t)
	text := awaketest.Stopped(t, func(begin func()) string {
		s := counters()
		sums := s.Checks[0].Run
		s.Checks[0].Run = func(ctx context.Context, target suite.Target, k *suite.Task) suite.Outcome {
			begin()
			for range 8 { // one sleep would be over when the process goes on
				time.Sleep(50 * time.Millisecond)
			}
			if ctx.Err() != nil {
				return k.Stopped(ctx, "nothing")
			}
			return sums(ctx, target, k)
		}
		r, err := gate.Run(context.Background(), suite.Options{Seed: 1, Budget: time.Second}, suite.Opened(s, right()))
		return fmt.Sprint(r.Exit, r.Reasons, err)
	})
	if want := "0 [] <nil>"; text != want {
		t.Errorf("expected %s, saw %s", want, text)
	}
}
