// Package designs holds right schedulers of other designs than the Go runtime's: they differ in how a worker that finds
// nothing goes to sleep, and how it is known that one should be woken. A suite that was written beside one scheduler may hold
// others to that one's habits; these are its test: they must pass in every run, and package mutants damages them.
//
// They are ordinary code: sync and sync/atomic, nothing of the suite but the type of tasks. What differs little between
// schedulers is kept plain on purpose: queues are slices behind a lock (deque), and workers are goroutines that run a task to
// its end. So tasks can spawn, and cannot park or yield.
package designs
