// Package explore walks all states of an explicit-state machine: breadth first,
// so that what it shows is a shortest way to the trouble.
//
// A [Machine] is a TLA+ module in Go: a state that is a plain value, named
// actions, and the steps from each state. [Explore] visits every state once and
// judges invariants; [Survey] goes on after a violation; [Lively] looks for fair
// behaviours that starve for ever; [GraphOf] gives the whole graph in words, to
// hold against TLC's; [Execution] turns a counterexample into the steps of a
// table. What a machine promises without the compiler's help, package machinetest
// checks.
//
// # The search
//
// Of a visited state only a fingerprint of 64 bits is kept, and five bytes that
// say from which state it was found and by which of that state's steps: 18 to 31
// bytes a state, whatever its size. Whole states exist in the queue alone. A
// counterexample is computed by taking its steps again from an initial state.
// Two states with one fingerprint would be taken for one; Result.Collision says
// how likely that is (1e-5 at 20 million states), and a second run with another
// seed looks elsewhere.
//
// Memory is what a search waits for, so states are expanded in batches: all
// successors of 64 states are made and hashed, then the first place of each in
// the table is read, then they are looked up. The reads of the middle part do
// not depend on each other, and the processor overlaps their misses. The table
// grows by splitting segments, for memory that a process touches for the first
// time is dearer than all the rest: with one array, copied when full, growing
// took a third of the time.
//
// A state is judged when its turn comes, not when it is found. So invariants and
// deadlocks are found in the order of their distance, no matter which, Next is
// never called for a state that breaks an invariant, and with several workers
// the judging is done by them, too. It costs one more level of the graph before
// a violation is seen.
//
// With several workers only the making of successors is spread; one goroutine
// enters them, in the order in which a single worker would. That gives away some
// speed for a promise worth more: counts, numbers and counterexamples do not
// depend on the number of workers, nor on luck. On the ring, whose steps are
// cheap, two workers took 3.0 s where one took 4.1 (14 million states), for 8 %
// more processor time; where Next or Canonical cost more, more is to be gained: two
// workers took 5.7 s where one took 10.4 for the dance with timers and locked Gs (12.7
// million states up to renaming). [Options].Spare lends a search processors while it
// goes on.
//
// A limit on states or memory ends a search with Result.Limited, and Complete false.
// That on states is exact; that on memory is about what the search itself counts, which
// is nearly all that the process has.
//
// # What was rejected
//
// Measured on the ring of this package's tests: a state of 40 bytes, 3.6 to 3.8
// steps a state, 0.94 and 21.2 million states, in million distinct states per
// second of one processor, on a busy machine with two.
//
//	                                 0.94 M     21.2 M
//	this package                     4.9-5.0    2.8-3.7
//	no reads before the look-ups     4.1-4.2    1.9-2.2
//	batches of one state             3.4-3.6    1.9-2.1
//	whole states, numbered (Walk)    1.4-1.7    0.9
//	a map from states to parents     0.6-0.7    not run
//
// The reasons, one by one:
//
//   - Whole states in the table are exact, and need their memory: 67 MB for the
//     smaller ring and 1.6 GB for the larger one, where fingerprints with all else
//     need 30 MB and 0.7 GB. [Walk] and [Lively] keep them, as they must come back
//     to a state.
//   - Depth first needs no queue, and can find cycles on the way. But the way that
//     it shows is a long one, and people read what it shows; and depth counts can
//     not be held against TLC's.
//   - Partial order reduction saves steps that commute, and loses states: the
//     graphs could not be held against TLC's, state by state, and an edge that the
//     Go code takes might be missing. Symmetry is kept, as TLC has it, too, and an
//     option turns it off.
//   - Hash compaction to less than 64 bits and bit states save memory that is not
//     wanted, and give up the answer "there is none".
//   - The standard library's hash: maphash.Comparable takes 42 ns for 40 bytes, the
//     multiplications here 18, and its seeds are its own, so that no run could be
//     repeated.
//   - Large pages for the table: from run to run a little quicker or up to a fifth
//     slower, so not worth a system call.
//   - A memory of the representatives of states just seen, to call Canonical less
//     often: no gain on the run queue's machine that could be told from noise.
//   - A table shared by all workers with compare-and-swap: which of two parents is
//     first would be luck, and with it the counterexample.
//
// # Liveness
//
// [Lively] builds the graph, keeps of it the bad states and the steps between
// them that are no user's, and looks there for a strongly connected component
// that treats every group fairly: Tarjan's algorithm, and where a strongly fair
// group is enabled and takes no step, the same again without the states that
// enable it. What is shown is the shortest way to a state that may stay for ever,
// if there is one, else to the nearest fair component and a short way around in
// it. Whole states and the bad ones' steps are kept: 0.2 GB and 0.9 million states
// a second at 0.94 million states, 6.3 GB at 21 million, so this is for models of
// a few million states. Rejected: a tableau for any formula of temporal logic, as
// TLC has. One form of property is all that the contract asks for.
//
//interleave:off
package explore
