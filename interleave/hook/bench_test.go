package hook

import (
	"testing"
	"unsafe"
)

type thing struct {
	n    int
	next *thing
	s    []int
	m    map[string]int
}

var sink int

// BenchmarkPlain is the cost of hooks outside of an exploration, of each beside
// the access alone.
func BenchmarkPlain(b *testing.B) {
	x := &thing{s: make([]int, 8), m: map[string]int{"a": 1}}
	x.next = x
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			sink += x.n
		}
	})
	b.Run("R", func(b *testing.B) {
		for b.Loop() {
			sink += *R(1, &x.n)
		}
	})
	b.Run("R-struct", func(b *testing.B) {
		for b.Loop() {
			sink += (*R(1, &x.next)).n
		}
	})
	b.Run("RW", func(b *testing.B) {
		for b.Loop() {
			*RW(1, &x.n)++
		}
	})
	b.Run("Set", func(b *testing.B) {
		for b.Loop() {
			Set(1, &x.n)(5)
		}
	})
	b.Run("MapR", func(b *testing.B) {
		for b.Loop() {
			sink += len(MapR(1, x.m))
		}
	})
	b.Run("Elements", func(b *testing.B) {
		for b.Loop() {
			for _, v := range Elements(1, x.s) {
				sink += v
			}
		}
	})
	_ = unsafe.Pointer(x)
}
