package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// StoreRelease stores v in the word p, a *Int32, *Uint64 or one of their like, as
// a store that other threads may see late. In an exploration under interleave.TSO
// it stays in a buffer of its thread for a while, as the plain stores of an x86
// processor do, and only its own thread sees it at once; everywhere else it is
// p.Store(v). There is nothing like it in sync/atomic: it is for models of code
// that has it, such as the Go runtime's StoreRel.
func StoreRelease[P interface{ Store(V) }, V integer](p P, v V) {
	if !engine.Controlled() {
		p.Store(v)
		return
	}
	addr := *(*unsafe.Pointer)(unsafe.Pointer(&p)) // P is a pointer
	engine.Buffer(addr, 0, uint64(v), func() uint64 {
		engine.Touches(addr, unsafe.Sizeof(v))
		if unsafe.Sizeof(v) == 4 {
			return uint64(atomic.SwapUint32((*uint32)(addr), uint32(v)))
		}
		return atomic.SwapUint64((*uint64)(addr), uint64(v))
	})
}

// Fence waits until all stores of the running thread have left its buffer.
func Fence() {
	if engine.Controlled() {
		engine.FenceNow(0)
	}
}
