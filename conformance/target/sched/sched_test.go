package sched_test

import (
	"runtime"
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/target/sched"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestScheduler holds the scheduler to all that it claims.
func TestScheduler(t *testing.T) {
	tier.OnlyFull(t)
	conformance.TestScheduler(t, sched.New, conformance.Profile(sched.Profile), conformance.Short())
}

// TestUnwatched is the same without sysmon, which sleeps by the clock: the explorer cannot have it. Eight processes share what is explored, as on
// eight processors: that the first graph cannot be explored is what is said, although others are tried first.
func TestUnwatched(t *testing.T) {
	tier.OnlyFull(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	conformance.TestScheduler(t, sched.NewUnwatched, conformance.Profile(sched.Profile), conformance.Short())
}

// TestWakes holds that it wakes few Ms. TestScheduler does, too, and takes longer.
func TestWakes(t *testing.T) {
	t.Attr("req", "SC-WAKES")
	tier.OnlyFull(t)
	conformance.TestScheduler(t, sched.New, conformance.Profile(sched.Profile), conformance.Only("^stress/wakes$"), conformance.Short())
}
