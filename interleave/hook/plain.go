package hook

import (
	"iter"
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

// MapR is a read of a map, of any of its elements: a map is one location.
func MapR[M ~map[K]V, K comparable, V any](site Site, m M) M {
	if p := word(m); p != nil {
		engine.Read(p, 1, site)
	}
	return m
}

// MapW is a write of a map.
func MapW[M ~map[K]V, K comparable, V any](site Site, m M) M {
	if p := word(m); p != nil {
		engine.Write(p, 1, site)
	}
	return m
}

// MapRW is a read and a write of a map.
func MapRW[M ~map[K]V, K comparable, V any](site Site, m M) M {
	if p := word(m); p != nil {
		engine.Read(p, 1, site)
		engine.Write(p, 1, site)
	}
	return m
}

// Elements is a range over s that reads an element when its turn comes.
func Elements[S ~[]E, E any](site Site, s S) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i := range s {
			engine.Read(unsafe.Pointer(&s[i]), unsafe.Sizeof(s[i]), site)
			if !yield(i, s[i]) {
				return
			}
		}
	}
}

// Copy is copy, of slices.
func Copy[D ~[]E, S ~[]E, E any](site Site, to D, from S) int {
	if n := min(len(to), len(from)); n > 0 && engine.Controlled() {
		engine.Read(unsafe.Pointer(&from[0]), uintptr(n)*unsafe.Sizeof(from[0]), site)
		engine.Write(unsafe.Pointer(&to[0]), uintptr(n)*unsafe.Sizeof(to[0]), site)
	}
	return copy(to, from)
}
