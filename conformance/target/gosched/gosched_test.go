package gosched_test

import (
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/target/gosched"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestScheduler holds goroutines to what they promise. The runtime has no code that the explorer could see here.
func TestScheduler(t *testing.T) {
	tier.OnlyFull(t)
	conformance.TestScheduler(t, gosched.New, conformance.Profile(gosched.Profile), conformance.Only("^stress/"))
}
