package recording

import (
	"sync/atomic"
	"unsafe"
)

// What is not recorded.
type (
	Bool           = atomic.Bool
	Int64          = atomic.Int64
	Uint64         = atomic.Uint64
	Pointer[T any] = atomic.Pointer[T]
)

// word is a value with its version above it.
type word struct{ bits atomic.Uint64 }

func split(bits uint64) (version, value uint32) { return uint32(bits >> 32), uint32(bits) }

// write makes f of the value the value, and records it.
func (w *word) write(kind uint8, f func(uint32) uint32) (old, new uint32) {
	for {
		bits := w.bits.Load()
		version, old := split(bits)
		new := f(old)
		if w.bits.CompareAndSwap(bits, uint64(version+1)<<32|uint64(new)) {
			if t := now(); t != nil {
				t.note(2, unsafe.Pointer(w), kind, version, old, new, true)
			}
			return old, new
		}
	}
}

func (w *word) load() uint32 {
	version, value := split(w.bits.Load())
	if t := now(); t != nil {
		t.note(2, unsafe.Pointer(w), Load, version, value, value, false)
	}
	return value
}

func (w *word) compareAndSwap(old, new uint32) bool {
	for {
		bits := w.bits.Load()
		version, value := split(bits)
		if value != old {
			if t := now(); t != nil {
				t.note(2, unsafe.Pointer(w), CompareAndSwap, version, value, value, false)
			}
			return false
		}
		if w.bits.CompareAndSwap(bits, uint64(version+1)<<32|uint64(new)) {
			if t := now(); t != nil {
				t.note(2, unsafe.Pointer(w), CompareAndSwap, version, value, new, true)
			}
			return true
		}
	}
}

// A Uint32 is a Uint32 of sync/atomic.
type Uint32 struct{ w word }

func (x *Uint32) Load() uint32                        { return x.w.load() }
func (x *Uint32) Store(v uint32)                      { x.w.write(Store, func(uint32) uint32 { return v }) }
func (x *Uint32) CompareAndSwap(old, new uint32) bool { return x.w.compareAndSwap(old, new) }
func (x *Uint32) Add(delta uint32) (new uint32) {
	_, new = x.w.write(Add, func(v uint32) uint32 { return v + delta })
	return new
}
func (x *Uint32) Swap(new uint32) (old uint32) {
	old, _ = x.w.write(Swap, func(uint32) uint32 { return new })
	return old
}

// An Int32 is an Int32 of sync/atomic.
type Int32 struct{ w word }

func (x *Int32) Load() int32   { return int32(x.w.load()) }
func (x *Int32) Store(v int32) { x.w.write(Store, func(uint32) uint32 { return uint32(v) }) }
func (x *Int32) CompareAndSwap(old, new int32) bool {
	return x.w.compareAndSwap(uint32(old), uint32(new))
}
func (x *Int32) Add(delta int32) (new int32) {
	_, sum := x.w.write(Add, func(v uint32) uint32 { return v + uint32(delta) })
	return int32(sum)
}
