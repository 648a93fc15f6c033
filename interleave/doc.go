// Package interleave runs real Go code through all its interleavings, under plain
// go test.
//
//	func TestStealAgainstGet(t *testing.T) {
//		interleave.Test(t, func(x *interleave.Exec) {
//			q := New(4)
//			x.Go("owner", func() { q.Put(1); q.Get() })
//			x.Go("thief", func() { q.Steal() })
//			x.Finally(func() { ... })
//		})
//	}
//
// The body makes what is tested and names the threads. Test runs it again and
// again, each time with another order of the operations of the threads on shared
// memory, until every class of orders that differ in what conflicts has been run
// once, and says so ("complete: 1,120 executions, no bound"); or until one is
// wrong, which it shows as a table with the fewest switches that it found, and a
// schedule that replays it. README.md has the whole story.
//
// # The parts
//
//   - Test, Explore, Remote, Progress and the options are here.
//   - atomic and sync stand in for the packages of those names in code that is
//     explored. Nobody writes their names but the instrumenter, and models.
//   - internal/engine is the scheduler: coroutines, strategies, the reduction.
//   - internal/programs makes programs at random and says what they can do, by an
//     interpreter that knows nothing of the engine; internal/racy makes others, for
//     the race detector of Go to judge beside.
//   - internal/instrument rewrites source in a temporary overlay; hook is what the
//     rewritten code calls.
//   - internal/rerun runs a test again in an instrumented binary.
//   - table writes an execution for people.
//
// # Designs that were not taken
//
// Types of the explorer's own, to be used in place of those of sync/atomic, as
// loom has them for Rust: the whole code, with all it depends on, would have to be
// written for the explorer, or be switched by a build tag. Here it is ordinary code,
// and the production build has nothing of this.
//
// A patched Go runtime: it would see everything, channels included, and would have
// to be built for each release by whoever wants to run one test.
//
// Real threads that are stopped and let go by the operating system: a switch
// costs microseconds instead of nanoseconds.
//
// Asking the runtime who called, to say where an operation is in the source: 93 ns
// an operation. The instrumented code passes a number instead.
//
// A stored state, in place of a stored schedule: Go has no way to take a snapshot
// of a goroutine. What is explored is run from the start each time.
package interleave
