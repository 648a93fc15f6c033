package checks

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

// TestUnsure: where goroutines were not seen, what did not happen blames nobody: they may have been about to do it. A race and a
// panic happened.
func TestUnsure(t *testing.T) {
	t.Attr("req", "SC-WORK")
	for kind, blames := range map[interleave.FailureKind]bool{
		interleave.Deadlock: false, interleave.Livelock: false, interleave.StepBound: false, interleave.Assertion: false,
		interleave.DataRace: true, interleave.Panic: true,
	} {
		r := interleave.Report{Failure: &interleave.Failure{Kind: kind, Message: "all wait"}}
		r.Certificate.Doubts = append(r.Certificate.Doubts, struct {
			Kind, What, Where string
			Count             int
		}{"chance", "package rand", "x.go:7", 1})
		if why := unsure(&r); why != "" {
			t.Errorf("%s, all was seen: expected that the scheduler is blamed, saw %q", kind, why)
		}
		r.Certificate.Doubts = append(r.Certificate.Doubts, struct {
			Kind, What, Where string
			Count             int
		}{"not seen", "goroutines of package x", "called x.go:7", 1})
		if why := unsure(&r); (why == "") != blames {
			t.Errorf("%s, not all was seen: expected that the scheduler is blamed: %v, saw %q", kind, blames, why)
		}
	}
}
