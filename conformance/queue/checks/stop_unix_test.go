//go:build unix

package checks

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/awake/awaketest"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestStopped stops the suite, in the middle of a call, for longer than a scenario
// may take. The queue does not hang: the suite itself did not run.
func TestStopped(t *testing.T) {
	tier.OnlyFull(t)
	text := awaketest.Stopped(t, func(begin func()) string {
		shortly(t, time.Second)
		var once sync.Once
		out, broken := carried(t, hanging, spec.FIFO, func() queue.Queue {
			return &simple{get: func(q *simple) (record.ID, bool) {
				once.Do(func() {
					begin()
					// One sleep would be over when the suite goes on, and the call with it. Then
					// whoever waits for it might not look at the clock at all.
					for range 8 {
						time.Sleep(50 * time.Millisecond)
					}
				})
				return q.first()
			}}
		})
		return fmt.Sprintf("%s %v %s", out.Ended, broken, out.Reason)
	})
	if want := string(suite.Completed) + " [] "; text != want {
		t.Errorf("expected a check without findings, %q, saw %q", want, text)
	}
}
