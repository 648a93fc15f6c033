// Package designs holds right run queues of other designs than the Go
// runtime's: a lock and a slice, the deques of Chase and Lev, of Arora, Blumofe
// and Plaxton, of Lace, and one that answers requests, the two-phase ring of
// tokio, Vyukov's bounded queue, the list of blocks of crossbeam, and Michael and
// Scott's queue with two locks. A suite that was written beside one queue may
// hold others to that queue's habits; these are its test, each under a profile of
// its own: they must pass in every run, and the wrong variants of each, in the
// tests, must fail by the requirement or the promise that they break.
//
// They are ordinary code: sync and sync/atomic, nothing of the suite but the
// interfaces of package queue. Who waits for another in a loop lets it run.
package designs
