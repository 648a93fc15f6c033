// Package sync stands in for package sync in code that is explored: every
// operation of a thread is announced to the scheduler, which chooses when it is
// carried out, and a thread that has to wait lets others go on. Outside of an
// exploration it is package sync.
//
// Explored code uses sync itself, which calls this package for threads: for each operation M there is MAt, whose first argument
// says which place in the source it is.
//
// The types have the size of the originals. What is locked by the body of a test,
// outside of any thread, can be unlocked by a thread and the other way round: a
// Mutex, an RWMutex, a WaitGroup, a Once and a Map have one state for both
// worlds, that of the original.
//
// What a thread sees is what the documentation of package sync promises, which
// is less than what its implementation does: a Mutex is not fair, and a Pool
// keeps what it is given. Copies of a Cond are found outside of an exploration
// only; that a WaitGroup is reused while a Wait has yet to return is not found.
package sync

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// A Site is a place in the source, 0 if unknown.
type Site = engine.Site

// A Locker is a [sync.Locker].
type Locker = sync.Locker

// lockerAt is a Locker of this package.
type lockerAt interface {
	LockAt(Site)
	UnlockAt(Site)
}

// rLocker is the type of what sync.RWMutex.RLocker returns.
var rLocker = reflect.TypeOf(new(sync.RWMutex).RLocker())

// lockerOf returns l as a Locker of this package, if it is one, or one of package sync on a thread that is a goroutine.
func lockerOf(l Locker) (lockerAt, bool) {
	if engine.Hosted {
		switch o := l.(type) {
		case *sync.Mutex:
			return (*Mutex)(unsafe.Pointer(o)), true
		case *sync.RWMutex:
			return (*RWMutex)(unsafe.Pointer(o)), true
		}
		if reflect.TypeOf(l) == rLocker {
			return (*rlocker)(data(l)), true
		}
	}
	at, ok := l.(lockerAt)
	return at, ok
}

// noCopy is for go vet, as in package sync.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// An execution holds what threads must see and the originals cannot hold. It is
// kept here, by object, and not in the objects: nothing of it is to be left in
// an object that outlives the execution, however that ends.
type execution struct {
	number  uint64
	waiters []*ticket          // of all Conds, those that have waited longest first
	pools   map[*Pool][]pooled // the last one put is the first to be got
	keys    map[mapKey]int     // of all Maps, when they were stored first
	came    int                // how many were
	fresh   map[*Map]int       // how many, of each Map
	cells   map[mapKey]*byte   // see Map.order
}

var latest execution

// current returns the state of the execution that is under way.
func current() *execution {
	if n := engine.Execution(); latest.number != n {
		latest = execution{number: n}
	}
	return &latest
}

// data returns the data word of an interface.
func data(v any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1] }
