package ring

import (
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
)

func TestRing(t *testing.T) { conformance.TestBounded(t, New) }

func TestRings(t *testing.T) {
	rings := func(o queue.Options) (queue.Set, error) {
		if o.Capacity == 0 {
			o.Capacity = 8
		}
		s := make(set, o.Ps)
		for i := range s {
			s[i] = New(o.Capacity)
		}
		return s, nil
	}
	conformance.TestSet(t, rings, conformance.Under(conformance.Contract{Order: spec.FirstIn, Bound: spec.Exact}))
}

type set []*Ring

func (s set) P(i int) queue.Queue { return s[i] }

func (s set) Cap() int { return len(s[0].ids) }
