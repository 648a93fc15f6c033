//go:build spindle_runtime

package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// What code that is not explored does with the types of package sync/atomic itself, on a thread: they have the layout of these.

// What package sync/atomic calls in place of an operation of a thread. Its layout is that of the file that the overlay adds to it.
type hooks struct {
	step           func(unsafe.Pointer) bool
	int32          wordHooks[int32]
	int64          wordHooks[int64]
	uint32         wordHooks[uint32]
	uint64         wordHooks[uint64]
	uintptr        wordHooks[uintptr]
	pointer        wordHooks[unsafe.Pointer]
	load           func(v *atomic.Value) any
	store          func(v *atomic.Value, val any)
	swap           func(v *atomic.Value, new any) any
	compareAndSwap func(v *atomic.Value, old, new any) bool
}

type wordHooks[T any] struct {
	load           func(addr *T) T
	store          func(addr *T, val T)
	swap           func(addr *T, new T) T
	compareAndSwap func(addr *T, old, new T) bool
	add            func(addr *T, delta T) T
	and, or        func(addr *T, mask T) T
}

//go:linkname spindleInstall sync/atomic.spindleInstall
func spindleInstall(*hooks)

func hooksOf[T integer]() wordHooks[T] {
	at := engine.CalledAt
	return wordHooks[T]{
		load:           func(addr *T) T { return load(addr, at()) },
		store:          func(addr *T, val T) { store(addr, at(), val) },
		swap:           func(addr *T, new T) T { return swap(addr, at(), new) },
		compareAndSwap: func(addr *T, old, new T) bool { return compareAndSwap(addr, at(), old, new) },
		add:            func(addr *T, delta T) T { return add(addr, at(), delta) },
		and:            func(addr *T, mask T) T { return and(addr, at(), mask) },
		or:             func(addr *T, mask T) T { return or(addr, at(), mask) },
	}
}

func value(v *atomic.Value) *Value { return (*Value)(unsafe.Pointer(v)) }

func init() {
	at := engine.CalledAt
	spindleInstall(&hooks{
		step:  engine.Steps,
		int32: hooksOf[int32](), int64: hooksOf[int64](), uint32: hooksOf[uint32](), uint64: hooksOf[uint64](), uintptr: hooksOf[uintptr](),
		pointer: wordHooks[unsafe.Pointer]{
			load:  func(addr *unsafe.Pointer) unsafe.Pointer { return loadPointer(addr, at()) },
			store: func(addr *unsafe.Pointer, val unsafe.Pointer) { storePointer(addr, at(), val) },
			swap:  func(addr *unsafe.Pointer, new unsafe.Pointer) unsafe.Pointer { return swapPointer(addr, at(), new) },
			compareAndSwap: func(addr *unsafe.Pointer, old, new unsafe.Pointer) bool {
				return compareAndSwapPointer(addr, at(), old, new)
			},
		},
		load:           func(v *atomic.Value) any { return value(v).LoadAt(at()) },
		store:          func(v *atomic.Value, val any) { value(v).StoreAt(at(), val) },
		swap:           func(v *atomic.Value, new any) any { return value(v).SwapAt(at(), new) },
		compareAndSwap: func(v *atomic.Value, old, new any) bool { return value(v).CompareAndSwapAt(at(), old, new) },
	})
}
