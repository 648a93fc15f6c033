package hook

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// R is a plain read of *p: x becomes *hook.R(17, &x). It is small enough to be
// inlined, as are the other functions of this file, so that outside of an
// exploration an access costs one more load and a branch.
func R[T any](site Site, p *T) *T {
	engine.Read(unsafe.Pointer(p), unsafe.Sizeof(*p), site)
	return p
}

// W is a plain write of *p: *hook.W(17, &x) = 1. What is assigned must not
// contain an operation: the write would then be taken for one before it.
func W[T any](site Site, p *T) *T {
	engine.Write(unsafe.Pointer(p), unsafe.Sizeof(*p), site)
	return p
}

// RW is a read and a write: *hook.RW(17, &x) += 1.
func RW[T any](site Site, p *T) *T {
	engine.Read(unsafe.Pointer(p), unsafe.Sizeof(*p), site)
	engine.Write(unsafe.Pointer(p), unsafe.Sizeof(*p), site)
	return p
}

// Set is a write of a value that is computed by operations: x = y.Load()
// becomes hook.Set(17, &x)(y.Load()). The write is then after them, and the
// value is converted as in the assignment.
func Set[T any](site Site, p *T) func(T) {
	return func(v T) {
		engine.Write(unsafe.Pointer(p), unsafe.Sizeof(*p), site)
		*p = v
	}
}
