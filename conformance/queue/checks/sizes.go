package checks

import (
	"context"
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Which capacities a factory makes. Scenarios are made for those that it offers: one that
// it no longer offers would be missed by nobody.

const sizesID = "RQ-SIZES"

// sizesCheck is the check of that. It asks for each capacity from -1 to 9.
var sizesCheck = suite.Check{
	Name: "sequence/sizes", Doc: "queues of each small capacity are asked for",
	Witness: spec.Sequence, Requirements: []string{sizesID}, When: sized,
	Plan: func(suite.Target) suite.Plan { return suite.Plan{Text: "each capacity from -1 to 9"} },
	Run: func(_ context.Context, t suite.Target, k *suite.Task) suite.Outcome {
		out := suite.Outcome{Ended: suite.Completed, Complete: true, Judged: make(map[string]int64)}
		in, ok := t.(*inProcess)
		if !ok { // notOffered says so before
			return suite.Outcome{Ended: suite.Skipped, Reason: notAsked}
		}
		f := factsOf(in)
		for _, n := range smallSizes {
			out.Judged[sizesID]++
			if finding := f.size(in.factory, n); finding != nil {
				k.Find(*finding)
				break
			}
		}
		return out
	},
}

// notAsked is why RQ-SIZES is not judged of a target that is no factory.
const notAsked = "the target is no factory in Go, which could be asked for any capacity"

// sized are the contracts that say which capacities can be asked for.
var sized = []spec.Condition{spec.If("sizes", spec.EverySize, spec.Powers, spec.PowersFromTwo)}

// smallSizes are asked for. 0 asks for none in particular.
var smallSizes = []int{-1, 1, 2, 3, 4, 5, 6, 7, 8, 9}

// size asks for queues of capacity n, and returns what is wrong with them, if anything is.
func (f facts) size(make queue.Factory, n int) *record.Finding {
	has := n > 0
	switch f.contract.Sizes {
	case spec.Powers:
		has = has && n&(n-1) == 0
	case spec.PowersFromTwo:
		has = n > 1 && n&(n-1) == 0
	}
	want, saw := "an error", "an error"
	if has {
		want = fmt.Sprintf("queues of capacity %d", n)
	}
	set, err := drive.Make(make, queue.Options{Ps: 1, Capacity: n})
	if err == nil {
		saw = fmt.Sprintf("queues of capacity %d", queue.CapacityOf(set))
	}
	if saw == want {
		return nil
	}
	if err != nil {
		saw += ": " + strings.SplitN(err.Error(), "\n", 2)[0]
	}
	return &record.Finding{
		Requirement: sizesID, Fingerprint: sizesID, Witness: string(spec.Sequence),
		Expected: fmt.Sprintf("%s, where capacity %d is asked for", want, n), Observed: saw,
	}
}
