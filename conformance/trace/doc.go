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
