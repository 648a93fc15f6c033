package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A Bool is an [atomic.Bool].
type Bool struct{ v atomic.Bool }

// Load is [atomic.Bool.Load].
func (x *Bool) Load() bool {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		return x.load(0)
	}
	return x.v.Load()
}

// LoadAt is Load at site.
func (x *Bool) LoadAt(site Site) bool {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		return x.load(site)
	}
	return x.v.Load()
}

// Store is [atomic.Bool.Store].
func (x *Bool) Store(val bool) { x.StoreAt(0, val) }

// StoreAt is Store at site.
func (x *Bool) StoreAt(site Site, val bool) {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		x.swap(object.Store, site, val)
		return
	}
	x.v.Store(val)
}

// Swap is [atomic.Bool.Swap].
func (x *Bool) Swap(new bool) (old bool) { return x.SwapAt(0, new) }

// SwapAt is Swap at site.
func (x *Bool) SwapAt(site Site, new bool) (old bool) {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		return x.swap(object.Swap, site, new)
	}
	return x.v.Swap(new)
}

// CompareAndSwap is [atomic.Bool.CompareAndSwap].
func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	return x.CompareAndSwapAt(0, old, new)
}

// CompareAndSwapAt is CompareAndSwap at site.
func (x *Bool) CompareAndSwapAt(site Site, old, new bool) (swapped bool) {
	if engine.Operates(unsafe.Pointer(&x.v)) {
		return x.compareAndSwap(site, old, new)
	}
	return x.v.CompareAndSwap(old, new)
}

func (x *Bool) load(site Site) bool {
	engine.Begin(unsafe.Pointer(x), object.Load, site)
	engine.Touches(unsafe.Pointer(x), unsafe.Sizeof(*x))
	v := x.v.Load()
	engine.End(word(v), 0, false)
	return v
}

func (x *Bool) swap(k object.Kind, site Site, new bool) (old bool) {
	engine.With(word(new), 0)
	engine.Begin(unsafe.Pointer(x), k, site)
	engine.Touches(unsafe.Pointer(x), unsafe.Sizeof(*x))
	old = x.v.Swap(new)
	engine.End(word(old), word(new), true)
	return old
}

func (x *Bool) compareAndSwap(site Site, old, new bool) (swapped bool) {
	engine.With(word(old), word(new))
	engine.Begin(unsafe.Pointer(x), object.CompareAndSwap, site)
	engine.Compare(word(old))
	engine.Touches(unsafe.Pointer(x), unsafe.Sizeof(*x))
	was := x.v.Load()
	swapped = x.v.CompareAndSwap(old, new)
	engine.End(word(was), word(x.v.Load()), swapped)
	return swapped
}

func word(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
