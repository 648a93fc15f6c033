package ref_test

import (
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestInterleavings explores the reference.
func TestInterleavings(t *testing.T) {
	tier.OnlyFull(t)
	conformance.TestSet(t, ref.New, conformance.Only("^interleave/"), conformance.Short())
}

// TestSequences judges the reference by all sequences that are enumerated, without any scenario that was written for it.
// TestInterleavings has the smaller interleavings.
func TestSequences(t *testing.T) {
	conformance.TestSet(t, ref.New, conformance.Budget(30*time.Minute), conformance.Short(), conformance.Only("^sequence/all$"))
}

// TestEnumerated judges the reference by all that is enumerated, without any scenario that was written for it. It takes two
// minutes of CPU.
func TestEnumerated(t *testing.T) {
	tier.OnlyFull(t)
	conformance.TestSet(t, ref.New, conformance.Budget(30*time.Minute), conformance.Only("^(sequence|interleave)/all$|^interleave/laps$"))
}
