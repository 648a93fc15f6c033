package engine_test

import (
	"errors"
	"strings"
	"testing"
	"unsafe"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	. "github.com/spindle-go/spindle/interleave/internal/object"
)

// TestOverlap: atomics of which bytes are the same, but not all, are refused, and
// both places are named.
func TestOverlap(t *testing.T) {
	PlainAccesses = true
	defer func() { PlainAccesses = false }()
	first := SitesOf(Place{File: "a.go", Line: 7, Expr: "s.whole"}, Place{File: "b.go", Line: 8, Expr: "s.half"})
	at := func(p unsafe.Pointer, size uintptr, site Site) {
		Begin(p, Store, site)
		Touches(p, size)
		End(0, 1, true)
	}
	for _, c := range []struct {
		offset  int
		size    uintptr
		refused bool
	}{{4, 4, true}, {0, 4, false}, {8, 4, false}} {
		_, f, err := Explore(Options{Strategy: Exhaustive, Bound: -1}, func(x *Exec) {
			s := new(scene)
			x.Go("a", func() { at(unsafe.Pointer(&s.far), 8, first) })
			x.Go("b", func() { at(unsafe.Add(unsafe.Pointer(&s.far), c.offset), c.size, first+1) })
		})
		if f != nil || errors.Is(err, ErrUncontrolled) != c.refused {
			t.Errorf("at %d: %v, %v", c.offset, f, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "s.whole at a.go:7") || !strings.Contains(err.Error(), "s.half at b.go:8")) {
			t.Errorf("which words? %v", err)
		}
	}
}
