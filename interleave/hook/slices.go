package hook

import (
	"iter"
	"reflect"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/std"
)

// SliceR is a read of the first n elements of s, of all if n is -1.
func SliceR[S ~[]E, E any](site Site, n int, s S) S {
	if n < 0 || n > len(s) {
		n = len(s)
	}
	elements(s[:n], site, engine.Read)
	return s
}

// elements reads or writes all elements of s.
func elements[E any](s []E, site Site, do func(unsafe.Pointer, uintptr, Site)) {
	if len(s) > 0 && engine.Controlled() {
		do(unsafe.Pointer(&s[0]), uintptr(len(s))*unsafe.Sizeof(s[0]), site)
	}
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

// Turns are those of the elements of a slice, or a map, in a range statement that cannot
// be over a function: Over reads the first element and Next each that follows.
type Turns struct {
	at         unsafe.Pointer
	size, step uintptr // of an element, and how far it is to the next: 0 for a map
	left       int
	site       Site
}

// Over begins.
func Over[S ~[]E, E any](t *Turns, site Site, s S) S {
	if engine.Controlled() {
		var e E
		*t = Turns{unsafe.Pointer(unsafe.SliceData(s)), unsafe.Sizeof(e), unsafe.Sizeof(e), len(s), site}
		t.read()
	}
	return s
}

// OverMap begins with a map.
func OverMap[M ~map[K]V, K comparable, V any](t *Turns, site Site, m M) M {
	if engine.Controlled() && m != nil {
		*t = Turns{word(m), 1, 0, 1, site}
		t.read()
	}
	return m
}

// Next is the end of a turn.
func (t *Turns) Next() {
	if t.step > 0 {
		if t.left--; t.left > 0 {
			t.at = unsafe.Add(t.at, t.step)
		}
	}
	t.read()
}

func (t *Turns) read() {
	if t.left > 0 {
		engine.Read(t.at, t.size, t.site)
	}
}

// Copy is copy, of slices.
func Copy[D ~[]E, S ~[]E, E any](site Site, to D, from S) int {
	n := min(len(to), len(from))
	elements(from[:n], site, engine.Read)
	elements(to[:n], site, engine.Write)
	return copy(to, from)
}

// CopyString is copy of a string.
func CopyString[D ~[]byte, S ~string](site Site, to D, from S) int {
	elements(to[:min(len(to), len(from))], site, engine.Write)
	return copy(to, from)
}

// Clear is clear, of a slice.
func Clear[S ~[]E, E any](site Site, s S) {
	elements(s, site, engine.Write)
	clear(s)
}

// Append is append(s, more...), which becomes hook.Append(17, s)(more...). If the
// capacity suffices it writes behind the length, and otherwise reads what there
// is.
func Append[S ~[]E, E any](site Site, s S) func(more ...E) S {
	return func(more ...E) S {
		elements(more, site, engine.Read)
		appended(site, s, len(more))
		return append(s, more...)
	}
}

// AppendString is append of a string.
func AppendString[S ~[]byte](site Site, s S) func(more string) S {
	return func(more string) S {
		appended(site, s, len(more))
		return append(s, more...)
	}
}

// Text is a string of any type, for AppendString.
func Text[S ~string](s S) string { return string(s) }

func appended[E any](site Site, s []E, n int) {
	if n <= cap(s)-len(s) {
		elements(s[len(s):len(s)+n], site, engine.Write)
	} else {
		elements(s, site, engine.Read)
	}
}

// Bytes is what is appended or copied, of a type parameter that allows strings and
// slices of bytes.
func Bytes[S ~string | ~[]byte](s S) []byte {
	if reflect.TypeFor[S]().Kind() == reflect.String {
		return unsafe.Slice(unsafe.StringData(string(s)), len(s))
	}
	return *(*[]byte)(unsafe.Pointer(&s))
}

// Contents is a read of the elements of v, if it is a slice.
func Contents[T any](site Site, v T) T {
	if engine.Controlled() {
		if r := reflect.ValueOf(v); r.Kind() == reflect.Slice && r.Len() > 0 {
			engine.Read(r.UnsafePointer(), uintptr(r.Len())*r.Type().Elem().Size(), site)
		}
	}
	return v
}

// At is an index at which *s, of a type parameter that allows several kinds of types, is
// assigned to.
func At[S, I any](site Site, s *S, index I) I {
	Given(site, std.MayWrite, s)
	return index
}
