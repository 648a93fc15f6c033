// Package atomic stands in for sync/atomic in code that is explored: every
// operation of a thread is announced to the scheduler, which chooses when it is
// carried out. Outside of an exploration it is sync/atomic.
//
// Explored code uses sync/atomic itself, which calls this package for threads. Models import it, for store buffers.
//
// The types have the size and the alignment of the originals, which they hold,
// so padding and unsafe.Sizeof mean what they meant. What the scheduler notes
// about a word lies elsewhere.
package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

//go:generate go run gen.go

// A Site is a place in the source, 0 if unknown.
type Site = engine.Site

// The operations of a controlled thread. Only one thread runs at a time, and it
// is this one until its next operation: plain reads and writes do.

type integer interface {
	int32 | int64 | uint32 | uint64 | uintptr
}

func load[T integer](addr *T, site Site) T {
	engine.Begin(unsafe.Pointer(addr), object.Load, site)
	engine.Touches(unsafe.Pointer(addr), unsafe.Sizeof(*addr))
	v := *addr
	if engine.Buffering {
		if own, ok := engine.Forward(unsafe.Pointer(addr)); ok {
			v = T(own)
		}
	}
	engine.End(uint64(v), 0, false)
	return v
}

func store[T integer](addr *T, site Site, val T) {
	engine.With(uint64(val), 0)
	write(addr, object.Store, site, func(T) T { return val })
}

func swap[T integer](addr *T, site Site, new T) (old T) {
	engine.With(uint64(new), 0)
	return write(addr, object.Swap, site, func(T) T { return new })
}

func add[T integer](addr *T, site Site, delta T) (new T) {
	engine.With(uint64(delta), 0)
	return write(addr, object.Add, site, func(old T) T { return old + delta }) + delta
}

func and[T integer](addr *T, site Site, mask T) (old T) {
	engine.With(uint64(mask), 0)
	return write(addr, object.And, site, func(old T) T { return old & mask })
}

func or[T integer](addr *T, site Site, mask T) (old T) {
	engine.With(uint64(mask), 0)
	return write(addr, object.Or, site, func(old T) T { return old | mask })
}

// write puts f of what is at addr there, and returns what was.
func write[T integer](addr *T, k object.Kind, site Site, f func(T) T) (old T) {
	engine.Begin(unsafe.Pointer(addr), k, site)
	engine.Touches(unsafe.Pointer(addr), unsafe.Sizeof(*addr))
	old = *addr
	*addr = f(old)
	engine.End(uint64(old), uint64(*addr), true)
	return old
}

func compareAndSwap[T integer](addr *T, site Site, old, new T) (swapped bool) {
	engine.With(uint64(old), uint64(new))
	engine.Begin(unsafe.Pointer(addr), object.CompareAndSwap, site)
	engine.Compare(uint64(old))
	engine.Touches(unsafe.Pointer(addr), unsafe.Sizeof(*addr))
	was := *addr
	if was == old {
		*addr = new
	}
	engine.End(uint64(was), uint64(*addr), was == old)
	return was == old
}

// The originals are nothing but their words. If one had more, or its word
// elsewhere than at the beginning, this would not compile.
var (
	_ [4 - unsafe.Sizeof(atomic.Int32{})]struct{}
	_ [4 - unsafe.Sizeof(atomic.Uint32{})]struct{}
	_ [8 - unsafe.Sizeof(atomic.Int64{})]struct{}
	_ [8 - unsafe.Sizeof(atomic.Uint64{})]struct{}
	_ [unsafe.Sizeof(uintptr(0)) - unsafe.Sizeof(atomic.Uintptr{})]struct{}
	_ [unsafe.Sizeof(uintptr(0)) - unsafe.Sizeof(atomic.Pointer[int]{})]struct{}
)
