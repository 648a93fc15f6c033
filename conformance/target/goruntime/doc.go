// Package goruntime makes the Go runtime itself a target of the suite: the run
// queue of the toolchain that the user has, its own functions, driven with
// made-up Gs on made-up Ps.
//
// # How
//
// The functions of the run queue (proc.go: runqput, runqget, runqsteal and
// their like) are not exported. The go command's flag -overlay lets a build see
// a file that is not there: one file is added to package runtime, with exported
// names for them. It is made for the toolchain at hand, since their signatures
// differ between versions (Shape); GOROOT is read and never changed, and no
// source of the runtime is copied.
//
// With that overlay a program is built, the driver, from sources embedded in
// this package: the same drive.Run that drives every other target,
// over a queue.Set whose methods are the runtime's functions. It runs as a child
// process (package child), because a broken rule inside the runtime is a throw,
// which ends the process.
//
// The first build compiles the standard library once more, a second one takes
// what the go command's cache has. The binary is kept, too, in the folder
// spindle of the user's cache folder, so that a later start takes some 30 ms;
// Options.NoCache turns that off.
//
// Rejected: copying the functions out of the runtime (then it is not the
// runtime that is tested; package interleave does it, to explore), linkname
// without an overlay (builds faster, but nothing keeps the Gs of an overflow
// from the real scheduler), a patched GOROOT (nobody's own).
//
// # What the calls are
//
//	Put, PutNext    runqput with next=false, next=true
//	PutBatch        runqputbatch; what does not fit goes to the global queue in
//	                one batch, as at the end of injectglist. Takes all.
//	Get             runqget; a G that inherits the time slice came from runnext
//	Steal, StealNext
//	                runqsteal with stealRunNextG=false, true. The thief's ring
//	                must have room for half a ring more, as in findRunnable,
//	                where it is empty: else the runtime throws "runq overflow"
//	                or overwrites its slots.
//	Steal without a P
//	                runqgrab; the last G is the result, the others go to the
//	                global queue in one batch (the runtime has no such thief)
//	Drain           runqdrain, on a queue that its caller takes apart
//	Empty           runqempty
//	GlobalPut       globrunqput under sched.lock
//	GlobalGet       globrunqgetbatch(n) under sched.lock, the first returned,
//	                the others put on the ring by runqputbatch, as in
//	                findRunnable; before Go 1.25 globrunqget(pp, n). n is the
//	                least of what was asked, half a ring, and room in the ring
//	                + 1. The runtime then takes at most size/gomaxprocs+1, where
//	                gomaxprocs is the number of Ps of the scenario (below).
//	Len             tail - head, and one for runnext; the runtime has no such
//	                function
//
// The global queue is the real one, sched.runq. The lock is the real
// sched.lock. A run's threads hold all Ps there are, so that nobody can schedule
// a made-up G; what sysmon queues meanwhile is put aside and given back. See
// driver/gate.go, and driver/moves.go for how it is known what a call moved.
// GOMAXPROCS is the number of the scenario's threads, not of its Ps; only while
// a GlobalGet holds sched.lock does the variable gomaxprocs hold the number of
// the scenario's Ps.
//
// Race builds (Options.Race) turn on what the runtime does to surprise tests:
// it puts every other G that was meant for runnext on the ring, and shuffles
// batches. Their order means nothing (Description.Race), and what a call moved
// is not reported.
//
// # The wrappers, for benchmarks
//
// WriteOverlay writes the overlay for any other program: with
//
//	go test -vet=off -overlay DIR/overlay.json -tags spindle_overlay -bench .
//
// and the environment of Env, a file that begins with //go:build
// spindle_overlay can use these names of package runtime (wrappers.tmpl has
// them all): the types SpindleP, SpindleG and SpindleQueue, which new makes;
// SpindlePut, SpindleGet, SpindleEmpty, SpindleSteal(thief, victim, next),
// SpindleGrab, SpindleDrain, SpindlePutBatch; SpindleGlobalPut and
// SpindleGlobalGet; SpindlePush, SpindlePop, SpindleFirst and SpindleNext for
// queues; SpindleHead, SpindleTail, SpindleSlot, SpindleRunnext and SpindleStart
// for a P; SpindleMark and SpindleMarked; SpindlePin, SpindleUnpin, SpindleYield,
// SpindleSeal, SpindleUnseal, SpindleGlobal, SpindleQueued and SpindleSlab to keep made-up Gs
// away from the scheduler. A G must be kept reachable by other means: a queue's
// reference to it means nothing to the garbage collector. Calls that stay below
// SpindleRing Gs on a P and do not touch the global queue need no pinning.
package goruntime
