package ring

import (
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/spec"
)

func TestRing(t *testing.T) { conformance.TestQueue(t, New) }

func TestRingOnce(t *testing.T) {
	conformance.TestQueue(t, New, conformance.Under(conformance.Contract{
		Order: spec.FirstIn, StealMiss: spec.BesideTake,
	}))
}
