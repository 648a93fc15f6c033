package conformance

import (
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec/record"
)

// What other checks see of a requirement is one line, and with -v a line for each.
func TestOtherWays(t *testing.T) {
	seen := func(check, fingerprint string) suite.Event {
		return suite.Event{Check: check, Finding: &record.Finding{Requirement: "RQ-FIFO", Fingerprint: fingerprint, Observed: "9"}}
	}
	all := []suite.Event{seen("sequence/all", "RQ-FIFO/get"), seen("stress/x", "RQ-FIFO/get"), seen("stress/x", "RQ-FIFO/steal"), seen("stress/y", "RQ-FIFO/get")}
	for _, test := range []struct {
		n       int
		verbose bool
		want    string
	}{
		{1, false, ""},
		{1, true, ""},
		{2, false, "  also seen by stress/x\n"},
		{4, false, "  also seen by stress/x, stress/y; also as RQ-FIFO/steal\n"},
		{2, true, "  also seen once\n    stress/x: RQ-FIFO/get: 9\n"},
		{3, true, "  also seen 2 times\n    stress/x: RQ-FIFO/get: 9\n    stress/x: RQ-FIFO/steal: 9\n"},
	} {
		if got := otherWays(all[:test.n], test.verbose); got != test.want {
			t.Errorf("%d findings, verbose %v: expected %q, saw %q", test.n, test.verbose, test.want, got)
		}
	}
}
