// Package interleave runs Go code through all its interleavings, under go test.
//
//	interleave.Test(t, func(x *interleave.Exec) {
//		q := New(4)
//		x.Go("owner", func() { q.Put(1); q.Get() })
//		x.Go("thief", func() { q.Steal() })
//		x.Finally(func() { ... })
//	})
//
// Test runs the body again and again, each time with another order of what threads do to
// shared memory, until each class of orders was run ("complete") or one is wrong: a table
// shows it, with the command that replays it. See README.md, and packages progress (threads
// that stop) and harness (to build on the explorer).
package interleave
