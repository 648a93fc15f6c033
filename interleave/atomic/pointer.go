package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A Pointer is an [atomic.Pointer].
type Pointer[T any] struct{ v atomic.Pointer[T] }

var _ = &Pointer[int]{} // an instance, to test that it is inlined

// Load is [atomic.Pointer.Load].
func (x *Pointer[T]) Load() *T {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		return (*T)(loadPointer((*unsafe.Pointer)(unsafe.Pointer(&x.v)), 0))
	}
	return x.v.Load()
}

// Store is [atomic.Pointer.Store].
func (x *Pointer[T]) Store(val *T) {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		storePointer((*unsafe.Pointer)(unsafe.Pointer(&x.v)), 0, unsafe.Pointer(val))
		return
	}
	x.v.Store(val)
}

// Swap is [atomic.Pointer.Swap].
func (x *Pointer[T]) Swap(new *T) (old *T) {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		return (*T)(swapPointer((*unsafe.Pointer)(unsafe.Pointer(&x.v)), 0, unsafe.Pointer(new)))
	}
	return x.v.Swap(new)
}

// CompareAndSwap is [atomic.Pointer.CompareAndSwap].
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		return compareAndSwapPointer((*unsafe.Pointer)(unsafe.Pointer(&x.v)), 0, unsafe.Pointer(old), unsafe.Pointer(new))
	}
	return x.v.CompareAndSwap(old, new)
}

// LoadPointer is [atomic.LoadPointer].
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) {
	if engine.Operates(unsafe.Pointer(addr)) {
		return loadPointer(addr, 0)
	}
	return atomic.LoadPointer(addr)
}

// StorePointer is [atomic.StorePointer].
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) {
	if engine.Operates(unsafe.Pointer(addr)) {
		storePointer(addr, 0, val)
		return
	}
	atomic.StorePointer(addr, val)
}

// SwapPointer is [atomic.SwapPointer].
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	if engine.Operates(unsafe.Pointer(addr)) {
		return swapPointer(addr, 0, new)
	}
	return atomic.SwapPointer(addr, new)
}

// CompareAndSwapPointer is [atomic.CompareAndSwapPointer].
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	if engine.Operates(unsafe.Pointer(addr)) {
		return compareAndSwapPointer(addr, 0, old, new)
	}
	return atomic.CompareAndSwapPointer(addr, old, new)
}

func loadPointer(addr *unsafe.Pointer, site Site) unsafe.Pointer {
	engine.Begin(unsafe.Pointer(addr), object.Load, site)
	engine.Touches(unsafe.Pointer(addr), unsafe.Sizeof(*addr))
	v := *addr
	engine.EndPointer(v, nil, false)
	return v
}

func storePointer(addr *unsafe.Pointer, site Site, val unsafe.Pointer) {
	engine.With(uint64(uintptr(val)), 0)
	engine.Begin(unsafe.Pointer(addr), object.Store, site)
	engine.Touches(unsafe.Pointer(addr), unsafe.Sizeof(*addr))
	old := *addr
	*addr = val
	engine.EndPointer(old, val, true)
}

func swapPointer(addr *unsafe.Pointer, site Site, new unsafe.Pointer) (old unsafe.Pointer) {
	engine.With(uint64(uintptr(new)), 0)
	engine.Begin(unsafe.Pointer(addr), object.Swap, site)
	engine.Touches(unsafe.Pointer(addr), unsafe.Sizeof(*addr))
	old = *addr
	*addr = new
	engine.EndPointer(old, new, true)
	return old
}

func compareAndSwapPointer(addr *unsafe.Pointer, site Site, old, new unsafe.Pointer) bool {
	engine.With(uint64(uintptr(old)), uint64(uintptr(new)))
	engine.Begin(unsafe.Pointer(addr), object.CompareAndSwap, site)
	engine.Compare(uint64(uintptr(old)))
	engine.Touches(unsafe.Pointer(addr), unsafe.Sizeof(*addr))
	was := *addr
	if was == old {
		*addr = new
	}
	engine.EndPointer(was, *addr, was == old)
	return was == old
}
