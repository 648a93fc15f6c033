package sched_test

import (
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/target/sched"
)

// TestScheduler holds the scheduler to all that it claims. SPINDLE_LONG=1 explores more.
func TestScheduler(t *testing.T) {
	conformance.TestScheduler(t, sched.New, conformance.Profile(sched.Profile), conformance.Short())
}
