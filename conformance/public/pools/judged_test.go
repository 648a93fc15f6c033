package pools

import (
	"testing"

	"github.com/spindle-go/spindle/conformance"
)

// The pools are judged on real threads: the explorer rewrites the module under test alone.

func TestAnts(t *testing.T) {
	conformance.TestScheduler(t, Ants, conformance.Profile(AntsContract), conformance.Only("^stress/"))
}

func TestPond(t *testing.T) {
	conformance.TestScheduler(t, Pond, conformance.Profile(PondContract), conformance.Only("^stress/"))
}

func TestConc(t *testing.T) {
	conformance.TestScheduler(t, Conc, conformance.Profile(ConcContract), conformance.Only("^stress/"))
}
