package ref_test

import (
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/target/ref"
)

// TestInterleavings explores the reference.
func TestInterleavings(t *testing.T) {
	conformance.TestSet(t, ref.New, conformance.Only("^interleave/"))
}
