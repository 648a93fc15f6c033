package pools

import (
	"os"
	"testing"

	"github.com/spindle-go/spindle/conformance"
)

// only is what is run: all; or every interleaving of small graphs, in the workspace that TestExplored of package
// public makes, where the explorer can rewrite the pools. Elsewhere it cannot, and that alone must fail no requirement.
func only() string {
	if os.Getenv("SPINDLE_INTERNAL_PUBLIC_COPIED") != "" {
		return "^interleave/"
	}
	return "."
}

func TestAnts(t *testing.T) {
	conformance.TestScheduler(t, Ants, conformance.Profile(AntsContract), conformance.Only(only()))
}

func TestPond(t *testing.T) {
	conformance.TestScheduler(t, Pond, conformance.Profile(PondContract), conformance.Only(only()))
}

func TestConc(t *testing.T) {
	conformance.TestScheduler(t, Conc, conformance.Profile(ConcContract), conformance.Only(only()))
}

func TestWorkerpool(t *testing.T) {
	conformance.TestScheduler(t, Workerpool, conformance.Profile(WorkerpoolContract), conformance.Only(only()))
}

func TestErrgroup(t *testing.T) {
	conformance.TestScheduler(t, Errgroup, conformance.Profile(ErrgroupContract), conformance.Only(only()))
}

func TestGopool(t *testing.T) {
	conformance.TestScheduler(t, Gopool, conformance.Profile(GopoolContract), conformance.Only(only()))
}
