// Package conformance judges a work-stealing run queue from its own go test:
//
//	func TestQueue(t *testing.T) { conformance.TestQueue(t, New) }
//
// Four methods are enough (package queue). Each requirement of the profile is a
// subtest. It passes if every check of it carried out its whole plan and found
// nothing; it fails with the calls that break it, and the command that shows them
// again; it is skipped, with the reason, if the queue does not offer what it is
// about. A check that did not come to the end of its plan fails the test as
// inconclusive: it has not shown that anything holds.
//
// # What is run
//
// Calls in a fixed order, held against a sequential machine; real threads, their
// ids counted and a moment looked for in each call; every interleaving of small
// scenarios, in a second test binary whose atomic operations and locks a
// scheduler controls; and, for each of these, a queue that is wrong on purpose, to
// see that the fault is found.
//
// # Environment
//
// SPINDLE_SEED sets the seed, which is otherwise drawn and printed with every
// failure. SPINDLE_RUN narrows the test to some checks (Only): a variable that is
// left over in CI makes every test smaller. SPINDLE_EVENTS=DIR has each test write
// its events into a file of its own in that folder, for spindle gate. SPINDLE_TEST_FILE=x_test.go asks for a
// Go test of what the explorer has found. SPINDLE_STRICT=1 fails a test whose
// queue does not offer what a MUST of the profile is about.
// SPINDLE_UNEXPLORED=allow passes a test whose interleavings could not be explored
// here (no go command, no cache), which is otherwise inconclusive.
//
// go test caches a pass, and a new seed does not change that: a nightly run
// needs -count=1.
//
// When the contract cannot see it: a queue that knows its callers and is right
// under the suite alone, and one that is wrong after more ids than are put here.
//
//interleave:off
package conformance
