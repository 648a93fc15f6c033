package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A Value is an [atomic.Value].
type Value struct{ v atomic.Value }

// Load is [atomic.Value.Load].
func (v *Value) Load() (val any) { return v.LoadAt(0) }

// LoadAt is Load at site.
func (v *Value) LoadAt(site Site) (val any) {
	if !engine.Controlled() {
		return v.v.Load()
	}
	engine.Begin(unsafe.Pointer(v), object.Load, site)
	engine.Touches(unsafe.Pointer(v), unsafe.Sizeof(*v))
	val = v.v.Load()
	engine.EndPointer(data(val), nil, false)
	return val
}

// Store is [atomic.Value.Store].
func (v *Value) Store(val any) { v.StoreAt(0, val) }

// StoreAt is Store at site.
func (v *Value) StoreAt(site Site, val any) {
	if engine.Controlled() {
		engine.Begin(unsafe.Pointer(v), object.Store, site)
		engine.Touches(unsafe.Pointer(v), unsafe.Sizeof(*v))
		defer v.end(v.v.Load(), true)
	}
	v.v.Store(val)
}

// Swap is [atomic.Value.Swap].
func (v *Value) Swap(new any) (old any) { return v.SwapAt(0, new) }

// SwapAt is Swap at site.
func (v *Value) SwapAt(site Site, new any) (old any) {
	if engine.Controlled() {
		engine.Begin(unsafe.Pointer(v), object.Swap, site)
		engine.Touches(unsafe.Pointer(v), unsafe.Sizeof(*v))
		defer v.end(v.v.Load(), true)
	}
	return v.v.Swap(new)
}

// CompareAndSwap is [atomic.Value.CompareAndSwap].
func (v *Value) CompareAndSwap(old, new any) (swapped bool) {
	return v.CompareAndSwapAt(0, old, new)
}

// CompareAndSwapAt is CompareAndSwap at site.
func (v *Value) CompareAndSwapAt(site Site, old, new any) (swapped bool) {
	if engine.Controlled() {
		engine.Begin(unsafe.Pointer(v), object.CompareAndSwap, site)
		engine.Touches(unsafe.Pointer(v), unsafe.Sizeof(*v))
		was := v.v.Load()
		defer func() { v.end(was, swapped) }()
	}
	return v.v.CompareAndSwap(old, new)
}

// end ends an operation that found was in v. It is deferred, because the
// original panics if it is given a nil, a value of another type, or one that
// cannot be compared.
func (v *Value) end(was any, changed bool) {
	engine.EndPointer(data(was), data(v.v.Load()), changed)
}

// data returns the data word of an interface.
func data(v any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1] }
