// Package drive makes the calls of a scenario on a fresh set of queues, on real
// threads (Run), in somebody else's threads (Program), or one at a time (Caller),
// and records what was called and returned.
//
//interleave:off
package drive
