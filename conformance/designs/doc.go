// Package designs holds right run queues of other designs than the Go
// runtime's: a lock and a slice, a Chase-Lev deque, and the two-phase ring of
// tokio. A suite that was written beside one queue may hold others to that
// queue's habits; these are its test, each under a profile of its own: they
// must pass in every run, and the wrong variants of each, in the tests, must
// fail by the requirement that they break.
//
// They are ordinary code: sync and sync/atomic, nothing of the suite but the
// interfaces of package queue.
package designs
