// Package engine is the controlled scheduler: it runs the threads of a test one
// operation at a time, in an order that a strategy chooses.
package engine

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/race"
)

// A Site is a place in the source that makes an operation: see Register. Where it
// is 0 the caller is asked of the runtime, if it is needed.
type Site = order.Site

// controlled says that a thread of an exploration is running.
var controlled bool

// Begin announces the running thread's next operation: k on the object at addr,
// nil for none. It returns when it is the thread's turn to carry it out. End
// must follow, with nothing but the operation in between. To be called only by
// a controlled thread.
//
// If the execution has been given up, Begin panics with a sentinel, and does so
// at every further operation until the thread has ended.
func Begin(addr unsafe.Pointer, k object.Kind, site Site) {
	if k != object.None && k != object.Gosched && k != object.Fence {
		_ = *(*byte)(addr) // an operation on nil panics before it is one
	}
	begin(addr, k, site, nil, nil)
}

// Await is Begin of an operation that can be carried out only while ready(arg)
// is true. Ready must be a function of the package, not a closure; it is called
// often, must change nothing, and may look only at what operations on the same
// object change.
func Await(addr unsafe.Pointer, k object.Kind, site Site, ready func(unsafe.Pointer) bool, arg unsafe.Pointer) {
	_ = *(*byte)(addr)
	begin(addr, k, site, ready, arg)
}

// With says with which values the operation is that is announced next.
func With(a, b uint64) {
	if s := current; s != nil {
		s.with = given{a, b, true}
	}
}

// What an operation was given, if that is known.
type given struct {
	a, b  uint64
	known bool
}

// End says what the operation that Begin or Await announced has read and
// written. Changed is false if it wrote nothing: a load, a CompareAndSwap that
// did not swap, a try that failed.
func End(read, wrote uint64, changed bool) { end(read, wrote, changed, false) }

// Compare says what value the CompareAndSwap that Begin has announced compares
// with, as End says what it read: so it is known what it would do elsewhere. To be
// called before End, or not at all.
func Compare(expected uint64) { current.op.Expected, current.op.Compares = expected, true }

// Pick returns which of n things the operation that Begin has announced does, from 0:
// what the documentation of its package leaves open. All are tried. To be called
// before End, once.
func Pick(n int) int { return current.pick(n) }

// EndPointer is End of an operation on a pointer, or on an interface by its data
// word. Pointers differ from run to run; the engine names them in the order in
// which they appear.
func EndPointer(read, wrote unsafe.Pointer, changed bool) {
	end(uint64(uintptr(read)), uint64(uintptr(wrote)), changed, true)
}

// Peek is asked what state an object of package sync was left in by the body, when
// a thread comes to its first operation on it. Set by the drop-ins; nil for none.
var Peek func(addr unsafe.Pointer, k object.Kind) object.State

// Spawn is the go statement of a controlled thread.
func Spawn(site Site, f func()) { spawn(site, f) }

// SpawnOutside is the go statement of the body, at site. It reports whether f is a thread now.
func SpawnOutside(site Site, f func()) bool {
	s := current
	return s != nil && !controlled && insider() && s.spawnOutside(site, f)
}

// RefuseOutside ends the exploration with an error where the body, or a function given to Finally, has reached what only a thread may do.
func RefuseOutside(site Site, what string) {
	if s := current; !controlled && Exploring() {
		s.refuse("the body", site, what)
	}
}

// Read is a plain read by the running thread of size bytes at addr, Write a
// plain write. They are no operations, nobody is scheduled: a read or write that
// is not ordered with another by the operations of the threads is a data race.
// Outside of a controlled thread they do nothing.
func Read(addr unsafe.Pointer, size uintptr, site Site) {
	if controlled {
		plain(addr, size, site, race.Read)
	}
}

// Write: see Read.
func Write(addr unsafe.Pointer, size uintptr, site Site) {
	if controlled {
		plain(addr, size, site, race.Write)
	}
}

// Ranges says that the running thread ranges over what at stands for, and Changes that it changes that. Where nothing orders the two, it is a doubt what the Range sees.
func Ranges(at unsafe.Pointer, site Site) {
	if Controlled() {
		plain(at, 1, site, race.RangeOver)
	}
}

// Changes: see Ranges.
func Changes(at unsafe.Pointer, site Site) {
	if Controlled() {
		plain(at, 1, site, race.RangeChange)
	}
}

// Running returns the number of the running thread, below MaxThreads of package order.
func Running() int { return current.running.ID }

// Alone reports whether the running thread is the only one so far.
func Alone() bool { return len(current.threads) == 1 }

// Fatal says that the running thread, the body or Finally has come to what Go ends the
// process for. It does not return.
func Fatal(message string) { current.fatal(message) }

// Exploring reports whether the caller is of an execution that is under way: its body, a
// thread, or a function given to Finally.
func Exploring() bool { return (controlled || current != nil && current.outside) && insider() }

// Overlooked says that something was reached of which it is not seen what it does.
func Overlooked(site Site, what string) {
	current.doubts.Add(certificate.NotSeen, what, place.Where(site))
}
