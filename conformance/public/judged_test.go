package public

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
)

var subjects = map[string]Subject{
	"xsync MPMC": XsyncMPMC, "xsync SPSC": XsyncSPSC,
	"workiva ring": WorkivaRingBeside, "workiva ring of one": WorkivaRingOfOne, "workiva queue": WorkivaQueue,
	"lscq": LSCQ, "lscq, second lap": LSCQLap, "ringbuffer": RingBuffer, "ringbuffer, try": RingBufferTry,
}

const onThreads = "^(sequence|stress|linearizability)/"

// TestOnThreads judges each queue by calls in a fixed order and by real threads.
func TestOnThreads(t *testing.T) {
	for name, s := range subjects {
		t.Run(name, func(t *testing.T) {
			if s.Falls == nil {
				conformance.TestSet(t, s.Factory, conformance.Under(s.Contract), conformance.Only(cmp.Or(s.Only, onThreads)))
				return
			}
			// Each run must see these requirements broken, and no other.
			p, err := s.Contract.Profile()
			if err != nil {
				t.Fatal(err)
			}
			target, err := checks.InProcess(name, p, s.Factory)
			if err != nil {
				t.Fatal(err)
			}
			r, err := gate.Run(context.Background(), suite.Options{Seed: 1, Select: "^sequence/"}, suite.Opened(checks.Subject, target))
			if err != nil {
				t.Fatal(err)
			}
			var broken []string
			for _, d := range r.Decisions {
				if d.Row.Standing == suite.Broken {
					broken = append(broken, d.Row.ID)
					t.Logf("%s: %s", d.Row.ID, d.Findings[0].Finding.Observed)
				}
			}
			if slices.Sort(broken); !slices.Equal(broken, slices.Sorted(slices.Values(s.Falls))) {
				t.Errorf("expected %v to be broken, saw %v", s.Falls, broken)
			}
		})
	}
}
