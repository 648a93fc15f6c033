package hook

import (
	"hash/maphash"
	"math"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// Loop stands in front of a loop, and Head at its head, before its condition: see
// internal/instrument/loops.go. Loop returns 0 outside of an exploration.
func Loop(site Site) int {
	if engine.Controlled() {
		return engine.EnterLoop(site)
	}
	return 0
}

// Head is told what the variables are that live across iterations: their values made
// into numbers. It returns true.
//
//go:noinline
func Head(loop int, tally uint64, state ...uint64) bool {
	engine.Head(loop, tally, All(state...), depth())
	return true
}

// Fresh says that something may have changed that is not seen.
func Fresh() {
	if engine.Controlled() {
		engine.Fresh()
	}
}

// Tallies says which sites only add, and do not look at the sum.
func Tallies(sites ...Site) { engine.Tallies(sites...) }

// Unmarked says in which sites' functions loops have no heads.
func Unmarked(sites ...Site) { engine.Unmarked(sites...) }

var seed = maphash.MakeSeed()

// Value is a number for a value.
func Value[T comparable](v T) uint64 { return maphash.Comparable(seed, v) }

// Any is a number for a value that may hold what cannot be compared, or a 0 with a sign.
func Any(v any) uint64 {
	if v == nil {
		return 0
	}
	if !reflect.ValueOf(v).Comparable() {
		return New()
	}
	return All(maphash.Comparable(seed, v), minusZeros(reflect.ValueOf(v), 0))
}

// minusZeros adds to h where v has a -0, which is equal to 0.
func minusZeros(v reflect.Value, h uint64) uint64 {
	sign := func(f float64) { h = All(h, math.Float64bits(f)) }
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if v.Float() == 0 {
			sign(v.Float())
		}
	case reflect.Complex64, reflect.Complex128:
		if c := v.Complex(); real(c) == 0 || imag(c) == 0 {
			sign(real(c))
			sign(imag(c))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			h = minusZeros(v.Field(i), h)
		}
	case reflect.Array:
		for i := range v.Len() {
			h = minusZeros(v.Index(i), h)
		}
	case reflect.Interface:
		h = minusZeros(v.Elem(), h)
	}
	return h
}

// Slice is a number for a slice: where its elements are, not what they are.
func Slice[S ~[]E, E any](s S) uint64 {
	return Value([3]uintptr{uintptr(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s)), uintptr(cap(s))})
}

// Map is a number for a map: for which it is, not for its elements.
func Map[M ~map[K]V, K comparable, V any](m M) uint64 { return Value(word(m)) }

var last uint64

// New is a number that there was not before.
func New() uint64 {
	last++
	return last * 0x9e3779b97f4a7c15
}

// All makes one number of several.
func All(numbers ...uint64) uint64 {
	h := uint64(len(numbers))
	for _, n := range numbers {
		h = (h^n)*0xd6e8feb86659fd93 ^ h>>31
	}
	return h
}

// Rewritten names a package that is rewritten.
func Rewritten(path string) { engine.Rewritten(path) }

// Explored names a package that is explored as it is.
func Explored(path string) { engine.Explored(path) }

// A Name is what an operation of a line is on.
type Name = engine.Name

// Names says the names of a file of a package that is explored as it is.
func Names(file string, all ...Name) { engine.RegisterNames(file, all...) }

var ofThem = map[uintptr]bool{} // by entry: whether a function is of one of them

// Called is f, a value that is about to be called. What functions do that are not of
// rewritten packages is not seen.
func Called[F any](f F) F {
	if engine.Controlled() {
		called(*(**uintptr)(unsafe.Pointer(&f)))
	}
	return f
}

func called(f *uintptr) {
	if f == nil {
		return
	}
	of, known := ofThem[*f]
	if !known {
		name := runtime.FuncForPC(*f).Name()
		slash := strings.LastIndexByte(name, '/') + 1
		path, _, _ := strings.Cut(name[slash:], ".")
		path = name[:slash] + path
		of = engine.IsRewritten(path) || strings.HasPrefix(path, ours) || engine.Reports(path)
		ofThem[*f] = of
	}
	if !of {
		engine.Fresh()
	}
}

// Dynamic is v, an interface of which a method is about to be called.
func Dynamic[I any](v I) I {
	if engine.Controlled() {
		if t := reflect.TypeOf(v); t != nil {
			if t.Kind() == reflect.Pointer {
				t = t.Elem()
			}
			if path := t.PkgPath(); !engine.IsRewritten(path) && !strings.HasPrefix(path, ours) && !engine.Reports(path) {
				engine.Fresh()
			}
		}
	}
	return v
}

// ours is what the paths of the explorer's own packages begin with.
const ours = "github.com/spindle-go/spindle/interleave/"
