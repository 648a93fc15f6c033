// Spindle checks whether an M:N work-stealing scheduler keeps its promises.
//
// Usage:
//
//	spindle check [flags] [target...]     check targets against the contract
//	spindle gate [flags] head...          say what to make of recorded events, and of what changed since a baseline
//	spindle merge -o file shard...        make one file of events of those of all shards of a run
//	spindle requirements [-json] [id...]  list the requirements, or explain some in full
//	spindle targets                       list what can be checked, and what each needs
//	spindle contract [flags] [contract]   list the choices of a contract, or say what one promises
//	spindle replay [flags] file...        check recorded histories again, or print recorded events again
//	spindle schedtrace file...            judge what a Go program prints with GODEBUG=schedtrace=X,scheddetail=1
//	spindle mutants [flags] [id...]       break the reference in known ways, and show which checker sees it
//	spindle tlc [flags] [model...]        check the TLA+ model with TLC
//	spindle model [flags] [model...]      explore the model's machines in Go, without Java
//	spindle findings [flags] [name...]    show the model's findings on the installed Go runtime
//	spindle export [flags]                write the scenarios that the suite makes for queues of a contract
//	spindle version                       print versions
//	spindle help [command]                say what a command does, with its flags
//
// Blocks that begin with "$ spindle" below are run by a test. Three dots stand
// for whatever is there: for one or more lines on a line of their own, else for
// a part of the line. An exit code other than 0 is shown as "exit status N".
//
// # Check
//
// Check drives each target through scenarios, has checkers look at what happened,
// and gives a verdict on each numbered requirement. It prints what did not pass, and
// how many requirements passed; -v adds the contract, a line for each requirement,
// each check and each positive control, and every finding in full:
//
//	$ spindle check -seed 1 -run '^sequence/(order|steal)$' ref
//	spindle ..., contract 4; ...; seed 0x1, budget 3m0s a target
//	selected: ^sequence/(order|steal)$
//
//	target ref: go..., in process, profile gort
//	  ... of 25 requirements passed the selected checks; not run: ... (not selected)
//
//	positive controls: 1 of 1 caught what is wrong on purpose
//	pass: exit 0; 1 target, 2 checks, 0 findings, ...
//
// A target is the reference ring (ref), the run queue of the Go runtime of the
// user's own toolchain (go), the protocol itself (model), a program that speaks the
// protocol of package conformance/target/child ('exec:COMMAND ARG...'), the scheduler
// of this repository (sched), that of the Go runtime as a black box (go-sched), or a
// ring (control) or a pool (control-sched) that is wrong on purpose, which shows what a
// failure looks like:
//
//	$ spindle check -seed 1 -run '^sequence/order$' -out failures control
//	...
//	  broken RQ-TWICE, seen by sequence/order
//	    requirement  MUST: No G is taken twice.
//	    expected     every G taken once
//	    observed     1 G of 9 [9] taken twice, the first twice in the final contents
//	...
//	    at the end   P0 ring 9 2 3 4 5 6 7 8 9
//	...
//	    see again    spindle check -run '^sequence/order$' -seed 0x1 control
//	    replay       spindle replay -profile fifo failures/control-sequence-order-RQ-TWICE-0x1.json
//	    look at      ...
//	...
//	  broken RQ-LOST, seen by sequence/order: 1 G of 9 [1] never seen again; maybe of the same fault as RQ-TWICE, and
//	    in full with -v
//	...
//	  0 of 11 requirements passed the selected checks; not run: ...
//	...
//	  broken       RQ-LOST, RQ-TWICE, RQ-FIFO: 1 finding
//	  unknown      RQ-INVENTED, RQ-CRASH, RQ-GET-NONE: because of sequence/order
//	...
//	because control: RQ-LOST, RQ-TWICE, RQ-FIFO are broken: shown above
//	...
//	fail: exit 1; 1 target, 1 check, 3 findings, ...
//	exit status 1
//
// A finding says first what broke, then where, then how to see it again. In a table of
// calls an arrow stands behind each call that what was observed names, or else is about; in
// a table of steps > marks the last one, unless it is of a thread that the finding is not about.
// What the same check sees broken besides is a line, and in full with -v.
//
// The scenarios are made from the seed: the same seed gives the same scenarios,
// and where threads run freely not the same schedule. A check whose plan was not
// carried out within the budget, or that did not see what its plan asks for, is
// inconclusive, never a pass:
//
//	$ spindle check -seed 1 -run '^sequence/order$' -budget 1ns ref
//	...
//	inconclusive: exit 3; 1 target, 1 check, 0 findings, ...
//	exit status 3
//
// Before the run queue of a Go runtime is built, the source of that runtime is compared with
// the versions that were read for the model. Functions that no such version has like this
// are named, with the lines and the model's actions that stand there, and the run is
// inconclusive: the ring runs on threads, which may miss what is wrong, and how Ms look
// for work, sleep and are woken is not run at all. Where -go names a toolchain, the
// target model says if it is not the one that was modelled.
//
// A requirement passes if every check of it carried out its plan, saw at least
// one call that it is about, and found nothing. What a check did not reach behind a
// finding is unknown. In every run each checker that takes part must find a fault
// in a queue that is wrong on purpose, the positive control; if it does not, the
// run is inconclusive.
//
// Known failures (-known FILE) are lines of five fields: the fingerprint of a
// finding, such as RQ-FIFO/get, or its beginning, such as RQ-FIFO; a target's name;
// versions (*, go1.25.1, or go1.24..go1.25.3 where either end may be missing); a URL
// or a page below docs/; and a reason. They do not change the exit code, and hide
// nothing else. One that is not found although everything was tried is a failure:
// the list is out of date.
//
// # Events
//
// With -json FILE, check writes what it does as events, an object of JSON a line: a
// header with the versions and the seed; each target with its checks, their
// findings, and the status of each requirement; the positive controls; a footer with
// counts and a digest. A stream without a footer was cut off. The verdict and the
// exit code are no part of it: they follow from it, and replay and gate compute them
// again. With -json - the events go to standard output and the report to standard
// error.
//
// # Replay
//
// Replay checks a history again that check has saved, or prints events again.
// It makes nothing happen again: no schedule is promised.
//
//	$ spindle replay -profile fifo failures/control-sequence-order-RQ-LOST-0x1.json
//	failures/control-sequence-order-RQ-LOST-0x1.json: scenario order-0, 9 calls of 1 thread on 1 P, in a fixed order, by the rules of profile fifo
//	...
//	fail: exit 1; 2 findings
//	exit status 1
//
// # Contracts
//
// What a queue promises is an answer to each of a few questions: its contract. A
// profile is a contract with a name. A queue that promises something else says so by
// choices behind it; contract lists them, and says in words what one promises. With
// -contract, check holds a target to another one than its own.
//
//	$ spindle contract fifo,steal-miss=beside
//	fifo,steal-miss=beside
//	  order=fifo...Every take gives the oldest G: first in, first out.
//	...
//	  steal-miss=beside...A steal finds nothing only if it saw the queue empty, or another call was at work beside it.
//	...
//	requirements, where the target offers what they are about:
//	...
//
// # Requirements
//
//	$ spindle requirements RQ-FIFO
//	RQ-FIFO (MUST)
//	  sentence    The ring gives its Gs in the order in which they were put, whoever takes them.
//	  look at     head moved without a swap; slots read after the swap by a thief; a batch put backwards
//	  source      runqput, runqget, runqgrab
//	  profiles    fifo, tokio, gort
//	  holds       where order is fifo
//	  mechanisms  M02, the local run queue: docs/mechanisms.md#m02
//	  checkers    sequence, linearizability, interleave, property, fuzz, model
//	  checks      sequence/indices, ...
//	...
//
// An unknown id is an error that names those near it:
//
//	$ spindle requirements RQ-STEALHALF
//	spindle requirements: spec: unknown requirement "RQ-STEALHALF"; ...
//	exit status 2
//
// # Mutants
//
// Mutants breaks the reference in known ways, without touching it, and shows
// which checker sees which. It needs a checkout of the repository. A change that
// is listed as equivalent must be seen by none, and the explorer must have tried
// every interleaving of all of its scenarios.
//
// # TLC
//
// The protocol is modelled in TLA+, in modules that come with the command. A
// table says of each configuration which question it asks and what the answer is:
// whether all holds or which property must fall, how many states there are, how
// deep the search goes.
//
//	$ spindle tlc -list sched-mended sched-shipped
//	MODEL          SET   EXPECTED              GENERATED  DISTINCT  DEPTH  SECONDS  QUESTION
//	sched-mended   ...  holds ...
//	sched-shipped  ...  violates WorkRescuer ...
//
// TLC runs what the table lists and compares: with another verdict, another count
// or another depth the run fails, and so does it if a configuration is in no row, a
// property is killed by no known-bad variant, or a variant is in no module. TLC
// needs Java 11 or later and its jar; see spindle help tlc.
//
// # Model
//
// The same protocol is there in Go, as machines with the same states, steps and
// names. Model explores them by the same table, in seconds and without Java:
//
//	$ spindle model runqueue-batches
//	the machines in Go; files of this command; 1 model, ... at a time, on ...
//	ok    runqueue-batches             holds ... 13929 generated ... 5262 distinct  depth  31 ... s
//
//	pass: exit 0; 1 of 1 model ended, 0 differences, 0 without a verdict, 0 without an end; ...
//
// A counterexample is a shortest one, and shown step by step, with a column for
// each thread: what the step changed, where the thread is now, and the action.
// This one is known, of the protocol as Go 1.26 ships it: an M wants to wake another,
// finds no P for it, and still counts as spinning. The M that does spin relies on it, and
// goes to sleep.
//
//	$ spindle model -v sched-shipped
//	the machines in Go; ...
//	ok    sched-shipped                violates WorkRescuer after ... states ...
//	  as expected: DN-WORK-RESCUER, by WorkRescuer
//	...
//	    steps
//	      step  M1 ... M2
//	...
//	    schedule     M1.Ready M1.WakepLoad ...
//	    see again    spindle model -v sched-shipped
//	    look at      ...
//	...
//	pass: exit 0; 1 of 1 model ended, ...
//
// A configuration may refine another module: the run queue's steps are effects of an
// abstract queue. That is checked step by step. With -mutants the known-bad
// variants are explored.
//
// As a target of check the model is checked by requirement, in every run that names
// no other target:
//
//	$ spindle check -v -seed 1 -run '^model/sched-mended$' model
//	...
//	  DN-LOCK           MUST   passed           1 check, ... states
//	...
//	positive controls: 1 of 1 caught what is wrong on purpose
//	... requirements: ... passed + ... not run
//	pass: exit 0; 1 target, 1 check, 0 findings, ...
//
// # Findings
//
// What the model found is shown on the runtime itself: Findings plays the schedule of each
// page in tla/findings on the installed toolchain. It runs it as it is shipped, delayed
// where the window is a few instructions wide, and fixed, and counts how often the fault is
// seen. A toolchain whose functions are not those that were modelled is refused.
//
//	$ spindle findings -list stw-syscall
//	stw-syscall   a stop of the world waits until a syscall ends (reentersyscall, ...)
//
// # Export
//
// Export writes scenarios as data, for an explorer that is no child. The first line says which
// follow, each other line is one:
//
//	$ spindle export -contract lifo-deque -size 2x2
//	{"scenarios":{"version":1,"contract":"lifo-deque","size":"2x2","capacity":[2],"offers":[],"count":...}}
//	{"name":"2-threads-2-calls-1",...}
//	...
//
// # Exit codes
//
//	  0  pass; also known failures, and a pass in which what the target does not
//	     offer was skipped (3 with -strict)
//	  1  a requirement is broken, or a known failure passes
//	  2  wrong usage: an unknown command, flag, target or id, a file that cannot
//	     be opened; Go's own fatal errors (out of memory) end with 2 as well
//	  3  inconclusive: the budget ended first, what had to be seen was not seen,
//	     or nothing ran
//	  4  the suite or the target's harness did not work, a report could not be
//	     written, or an input file is cut off or malformed
//	130  interrupted (SIGINT, SIGTERM, SIGHUP); what was found until then is printed
//
// Of several the gravest counts: 2, then 4, 130, 1, 3. An interrupt ends a run with
// what it has; a second one ends it at once.
//
// # Environment
//
// NO_COLOR, if set, turns colours off; they are only used on a terminal. The
// progress line on standard error is only shown on a terminal.
package main
