package interleave

import "github.com/spindle-go/spindle/interleave/internal/engine"

// An Exec is one execution: the body of a test starts threads with it, and body,
// threads and Finally say with it what is wrong. It is the engine's own object, so that
// nothing lies between; packages beside this one see more of it (package harness).
type Exec engine.Exec

// Go adds a thread that runs f. Threads start when the body has returned. They have
// letters in a schedule, a, b and so on, in the order in which the body adds them; with an
// empty name a thread is called T0, T1 and so on. Go panics when the body has returned: a
// thread starts another by a go statement.
func (x *Exec) Go(name string, f func()) { (*engine.Exec)(x).Go(name, f) }

// Daemon adds a thread that need not end: when all others have ended and no daemon can go
// on, the execution is over. Threads that it starts by a go statement are daemons, too.
// Otherwise it is as Go.
func (x *Exec) Daemon(name string, f func()) { (*engine.Exec)(x).Daemon(name, f) }

// Finally has f called when all threads have ended: to look at what is left, and to call
// Fatalf if it is wrong. It is not called for an execution that is broken off: one that
// is wrong already, or in which a thread waits in a loop in vain. Functions are called in
// the order in which they were given. Finally panics when the body has returned.
func (x *Exec) Finally(f func()) { (*engine.Exec)(x).Finally(f) }

// NoLeaks has this execution be wrong if a goroutine is left at its end that a dependency has
// started. Threads of the body are not meant: those of Go must end, and those of
// Daemon need not. NoLeaks panics when the body has returned.
func (x *Exec) NoLeaks() { (*engine.Exec)(x).NoLeaks() }

// Strict has the test fail that passes in doubt: where something was not seen, went by chance, or was
// not compared. So does SPINDLE_DOUBT=fail, for all tests. Strict panics when the body has returned.
func (x *Exec) Strict() { (*engine.Exec)(x).Strict() }

// OneStep says that what these packages do for themselves, with locks, channels and atomics, is no
// step: in which order threads come there matters to nobody else. What they read and write is seen all
// the same. They must be packages of dependencies; the certificate names those that were met.
// OneStep panics when the body has returned.
func (x *Exec) OneStep(packages ...string) { (*engine.Exec)(x).OneStep(packages...) }

// LateClock lets time go by at any step, and not only when no thread can go on: then a time-out comes
// while others compute, as it may on a busy machine. The search is without reduction, and so for small
// tests. LateClock panics when the body has returned.
func (x *Exec) LateClock() { (*engine.Exec)(x).LateClock() }

// AnyChoice has the search try what the documentation leaves open, and one release of Go decides:
// which of several waiting threads Signal of a Cond wakes, and in which order a range goes over a map,
// or Range over a sync.Map. Without it there is a rule for each, which the certificate names where it
// decided something. A dependency goes over a map in one order all the same, and that is a doubt.
// AnyChoice panics when the body has returned.
func (x *Exec) AnyChoice() { (*engine.Exec)(x).AnyChoice() }

// Fatalf says that this execution is wrong, as fmt.Sprintf words it, and ends it. It is
// for the body, a thread and a function given to Finally, and does not return.
func (x *Exec) Fatalf(format string, args ...any) { (*engine.Exec)(x).Fatalf(format, args...) }

// Errorf says that this execution is wrong, as fmt.Sprintf words it. The thread goes on to
// its next operation, and there the execution ends.
func (x *Exec) Errorf(format string, args ...any) { (*engine.Exec)(x).Errorf(format, args...) }

// FailNow ends the execution as wrong. With Errorf and Helper it makes an Exec fit for
// assertion libraries.
func (x *Exec) FailNow() { (*engine.Exec)(x).FailNow() }

// Helper does nothing: a failure shows steps instead of a line of the test.
func (x *Exec) Helper() {}

// engineBody is body as the engine calls it.
func engineBody(body func(*Exec)) func(*engine.Exec) {
	return func(x *engine.Exec) { body((*Exec)(x)) }
}
