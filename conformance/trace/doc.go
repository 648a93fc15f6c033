// Package trace validates traces: it holds each execution of the code of a run queue against
// the model, step by step. The field calls it trace validation.
//
// The explorer runs a scenario in every order that makes a difference. Each execution
// is replayed on the machine of tla/RunQueue.tla in Go (package spec/runqueue), which
// makes the calls of the same scripts: every operation on shared memory must be the
// machine's next step of that thread, with the same action, the same word and the same
// values; every call must return what the machine's returns; and in the end the same must
// be where. Which action an operation is says the comment at the end of its line.
//
// # What is the same
//
//   - Indices of the code are compared modulo the machine's.
//   - References to Gs are numbers that the code gives out as it likes. Which G one stands
//     for is learned when it is first written to a slot or to runnext, and may not change
//     in the execution; what calls return is compared by ids.
//   - Objects of the code are addresses. Which word one is is learned from the first step
//     on it, and may not change either: a step on another P's head is a divergence.
//   - A compare-and-swap is compared by what it found, whether it swapped, and what it
//     wrote.
//   - A section under the lock is one step, at its lock.
//   - An operation "with" an action is no step. It belongs to the action of its thread
//     before it or after it, must be on the word that the machine says, and see the value
//     that is there.
//   - Stutters are not operations at all: the explorer does not schedule them.
//
// # Where the order is not the code's
//
// A thief's read of a slot and the store of what it read to its own slot are one step of
// the machine. A third thread whose indices are a lap old may read that slot in between;
// its copy is thrown away, but it is not what the machine has. So the read is taken on the
// machine when its store comes, or before somebody writes what was read: nobody could
// tell the difference. Of a thief that takes runnext the swap cannot wait; if a third
// thread reads the slot between it and the store, that is said to be a divergence. It takes
// a ring that was full a moment ago, and no scenario of the suite has it.
//
// # Coverage
//
// An execution stands for a class: all orders of its steps that keep the order of those
// which touch one word, one of them writing. The replay walks all of them on the machine and
// marks the edges of its graph that they take. If the explorer is complete and the code has
// all the machine's behaviours, each edge is marked.
//
// # The other ways round
//
// Schedule turns a behaviour of the machine into a schedule of the code: a counterexample
// of a damaged machine, the explorer's own or TLC's, is run by code with the same damage,
// and must be a failure there. A Trace is what threads that ran freely called and
// returned, and when: the machine, and TLC by tla/TraceRunQueue.tla, look for an order of
// steps that explains it.
//
// # The dance
//
// A Dance does the same for a scheduler and tla/Sched.tla. That machine is nondeterministic, Gs have no
// identity in it, and some of its steps nobody sees, so the set of states is kept that agree with
// what was seen (package spec/follow). After each operation all words are compared: nmspinning, needspinning, npidle,
// the length of the global queue, whether somebody polls and has said until when, and of each P runnext (filled or
// not), the length of its ring, whether it lies with an M in a syscall, and whether a G sleeps there. All invariants
// of the machine are looked at in each state; one that holds in none of the set is a finding.
//
//   - A line that names one action or several is one step of the machine. What a section under the lock
//     begins may be taken at the lock, or where a line says "with"; when the lock is given back it must
//     have been.
//   - Of the run queue's operations those are steps that take or give something: the swap of runnext is Ready, the
//     store of tail Kick, BatchPut or StealPut, and so on (observer.queue has them all). A read that finds a
//     place empty is the step that does so. All else is nothing to the dance.
//   - Recheck and HandoffEmpty may be taken at any time between the first and the last read of Empty; Block at any
//     time between the store that says so and what the M does next; DropPut, and what a section began, at any
//     time in the section, if no word changes by it; TimerBreak until the poller hears it; Poll at any time
//     in its sleep at which it may end; TopCheck, RecheckTimers, PollTest, and HandoffIdle where the code does not
//     look, at any time; and a new M begins without an operation. Nobody could tell the difference.
//   - The clock is the program's. What is due in the code is due in the model, before anybody does anything else.
//     A look at timers that are not due may come to nothing: they may be due when the M asks for the time.
//   - One step is missing in the model, and is allowed: who polls comes back because its time is over, and
//     nothing is due any more, since another M took the G that slept before it began to wait. In the model
//     it waits on. Executions with this step are counted (Dance.Beyond), and none of their states after it count
//     as covered.
//   - Not compared, since the model does not have them: slots and which G is where, the states of Gs, lists of free
//     Gs, numbers, notes, what a program's own locks do. Their lines say "outside" and why.
//   - Rounds of stealWork before the one that takes runnext may pass as nothing.
//
// A DanceLog does so for a run of real threads, which package recording has recorded: each word carries a version,
// so the operations on it are in order, and those of each M are; any order that agrees with both will do.
//
// A scope says how often the program and the world choose what; the edges of the machine restricted to it are counted
// that lie on some order of some execution (DanceCover). There the model and the code differ in one word: ExitTry
// looks at the list of idle Ps in the model, and at npidle, its length, in the code. While somebody changes
// both under the lock they may disagree; the scope is the machine that looks at npidle.
//
// Not held against the model: who comes from outside (Go and Ready of a Scheduler), Close, and sysmon's clocks and
// sleep; which M a note wakes; two times at once on one P; in recorded runs syscalls and times.
//
// # Designs that were not taken
//
// A search without reduction would cover the graph with no thought about independence. But
// pg | s alone has 104,113 executions in 5 classes, and ppg | s more than 196,000. Instead
// all orders of each class are walked on the machine, where they share their states. That
// two steps are independent is checked on the way: both orders must do the same and lead
// to the same state.
//
// States of the machine written down by hand beside the code, as assertions, would be
// read and written by the code under test, and are one more thing to keep in order.
//
//interleave:off
package trace
