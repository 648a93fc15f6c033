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

// LoadAt is Load at site.
func (x *Pointer[T]) LoadAt(site Site) *T {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		return (*T)(loadPointer((*unsafe.Pointer)(unsafe.Pointer(&x.v)), site))
	}
	return x.v.Load()
}

// Store is [atomic.Pointer.Store].
func (x *Pointer[T]) Store(val *T) { x.StoreAt(0, val) }

// StoreAt is Store at site.
func (x *Pointer[T]) StoreAt(site Site, val *T) {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		storePointer((*unsafe.Pointer)(unsafe.Pointer(&x.v)), site, unsafe.Pointer(val))
		return
	}
	x.v.Store(val)
}

// Swap is [atomic.Pointer.Swap].
func (x *Pointer[T]) Swap(new *T) (old *T) { return x.SwapAt(0, new) }

// SwapAt is Swap at site.
func (x *Pointer[T]) SwapAt(site Site, new *T) (old *T) {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		return (*T)(swapPointer((*unsafe.Pointer)(unsafe.Pointer(&x.v)), site, unsafe.Pointer(new)))
	}
	return x.v.Swap(new)
}

// CompareAndSwap is [atomic.Pointer.CompareAndSwap].
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	return x.CompareAndSwapAt(0, old, new)
}

// CompareAndSwapAt is CompareAndSwap at site.
func (x *Pointer[T]) CompareAndSwapAt(site Site, old, new *T) (swapped bool) {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		return compareAndSwapPointer((*unsafe.Pointer)(unsafe.Pointer(&x.v)), site, unsafe.Pointer(old), unsafe.Pointer(new))
	}
	return x.v.CompareAndSwap(old, new)
}

// LoadPointer is [atomic.LoadPointer].
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) { return LoadPointerAt(0, addr) }

// LoadPointerAt is LoadPointer at site.
func LoadPointerAt(site Site, addr *unsafe.Pointer) (val unsafe.Pointer) {
	if engine.Operates(unsafe.Pointer(addr)) {
		return loadPointer(addr, site)
	}
	return atomic.LoadPointer(addr)
}

// StorePointer is [atomic.StorePointer].
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) { StorePointerAt(0, addr, val) }

// StorePointerAt is StorePointer at site.
func StorePointerAt(site Site, addr *unsafe.Pointer, val unsafe.Pointer) {
	if engine.Operates(unsafe.Pointer(addr)) {
		storePointer(addr, site, val)
		return
	}
	atomic.StorePointer(addr, val)
}

// SwapPointer is [atomic.SwapPointer].
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	return SwapPointerAt(0, addr, new)
}

// SwapPointerAt is SwapPointer at site.
func SwapPointerAt(site Site, addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	if engine.Operates(unsafe.Pointer(addr)) {
		return swapPointer(addr, site, new)
	}
	return atomic.SwapPointer(addr, new)
}

// CompareAndSwapPointer is [atomic.CompareAndSwapPointer].
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	return CompareAndSwapPointerAt(0, addr, old, new)
}

// CompareAndSwapPointerAt is CompareAndSwapPointer at site.
func CompareAndSwapPointerAt(site Site, addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	if engine.Operates(unsafe.Pointer(addr)) {
		return compareAndSwapPointer(addr, site, old, new)
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
