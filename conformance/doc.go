// Package conformance checks a work-stealing run queue or scheduler from its own go test:
//
//	func TestQueue(t *testing.T) { conformance.TestQueue(t, New) }
//
// Each requirement of the contract is a subtest. It passes if every check of it
// carried out its whole plan and found nothing. TestQueue says what is run, and
// TestOption which variables of the environment change it. A scenario that fails is
// saved below testdata/spindle, and tried first in the next run.
//
//interleave:off
package conformance
