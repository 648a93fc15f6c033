// Package checks is the subject "queue" of the conformance suite: the checks of a
// run queue, their positive controls, the witnesses that judge a history, and how
// a scenario that shows a fault is made shorter.
//
// Histories are judged object by object: ring, runnext and global queue are
// separate, since linearizability is a local property and a call that moves Gs
// from one to another does so in two steps.
//
//interleave:off
package checks
