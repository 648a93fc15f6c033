//go:build unix

package engine_test

import (
	"fmt"
	"testing"
	"time"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/internal/awake/awaketest"
	"github.com/spindle-go/spindle/internal/tier"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
)

// TestStopped stops a process that explores for longer than it may explore, and for
// longer than a thread may do nothing. Neither is over when it goes on: the time in
// which the process ran counts.
func TestStopped(t *testing.T) {
	tier.OnlyFull(t)
	text := awaketest.Stopped(t, func(begin func()) string {
		Stuck = time.Second
		n := 0
		c, f, err := Explore(Options{Strategy: Exhaustive, Time: time.Second, Executions: 256}, func(x *Exec) {
			ringBody("PPPGPGPG", 2, 2)(x)
			if n++; n == 100 {
				begin()
				for range 8 { // one sleep would be over when the process goes on
					time.Sleep(50 * time.Millisecond)
				}
			}
		})
		return fmt.Sprint(c.Ended, f, err)
	})
	if want := fmt.Sprint(certificate.ByExecutions, nil, nil); text != want {
		t.Errorf("expected %s, saw %s", want, text)
	}
}
