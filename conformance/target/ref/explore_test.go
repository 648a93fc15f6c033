package ref_test

import (
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/internal/sample"
)

// TestInterleavings explores the reference. SPINDLE_LONG=1 explores more of what is
// enumerated.
func TestInterleavings(t *testing.T) {
	sample.OneIn(t, 12)
	conformance.TestSet(t, ref.New, conformance.Only("^interleave/"), conformance.Short())
}

// TestEnumerated judges the reference by what is enumerated alone, without any scenario
// that was written for it: by all of it where -run asks for this test, else by the
// sequences, since TestInterleavings has the smaller interleavings.
func TestEnumerated(t *testing.T) {
	checks, opts := "^(sequence|interleave)/all$|^interleave/laps$", []conformance.TestOption{conformance.Budget(30 * time.Minute)}
	if sample.N(t, 0, 1) == 0 {
		checks, opts = "^sequence/all$", append(opts, conformance.Short())
	}
	conformance.TestSet(t, ref.New, append(opts, conformance.Only(checks))...)
}
