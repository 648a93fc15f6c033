package interleave_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

func itself(v *things) *things { return v }

func pointerTo(v *things) *int { return &v.n }

// unusual has statements that are seldom written.
func unusual() []pair {
	return []pair{
		{name: "range that assigns to what a function returns", one: func(v *things) {
			for itself(v).n = range 1 {
			}
		}, two: func(v *things) { use(v.n) }},
		{name: "range that assigns behind a pointer", one: func(v *things) {
			for _, *pointerTo(v) = range []int{1} {
			}
		}, two: func(v *things) { use(v.n) }},
		{name: "range that assigns by its own index", one: func(v *things) {
			i := 3
			for i, v.a[i] = range []int{1} {
			}
		}, two: func(v *things) { use(v.a[3]) }},
		{name: "range over a string that assigns", one: func(v *things) {
			for _, itself(v).r[0] = range "a" {
			}
		}, two: func(v *things) { use(v.r[0]) }},
		{name: "range over a map that assigns", one: func(v *things) {
			for itself(v).word = range map[int64]int{1: 1} {
			}
		}, two: func(v *things) { use(v.word) }},
		{name: "range over a function that assigns", one: func(v *things) {
			for itself(v).n = range func(yield func(int) bool) { yield(1) } {
			}
		}, two: func(v *things) { use(v.n) }},
		{name: "range that assigns to an element of a map", one: func(v *things) {
			for itself(v).table[word(1)] = range 1 {
			}
		}, two: func(v *things) { use(v.table["a"]) }},
		{name: "method of results", one: func(v *things) { use((*spot).add(spotAndNumber(v))) }, two: func(v *things) { v.q.y = 1 }},
		{name: "results formatted", one: func(v *things) { text(fmt.Sprint(spotAndNumber(v))) }, two: func(v *things) { v.q.y = 1 }},
		{name: "results written", one: func(v *things) { fmt.Fprint(writerAndNumber(v)) }, two: func(v *things) { v.buffer.Reset() }},
		{name: "results of a method", one: func(v *things) { use(bytes.Equal(slicesOfBytes(v))) }, two: func(v *things) { v.b[1] = 1 }},
		{name: "interface on an embedded Builder", one: func(v *things) { var i stringer = &v.builds; text(i.String()) }, two: func(v *things) { v.builds.WriteString("a") }},
		{name: "interface on an embedded pointer to a Buffer", one: func(v *things) { var i io.Writer = v.buffers; i.Write(nil) }, two: func(v *things) { use(v.buffers.Len()) }},
		{name: "interface through an embedded pointer to a Buffer", one: func(v *things) { var i io.Writer = &v.buffers; i.Write(nil) }, two: func(v *things) { v.buffers.Buffer = new(bytes.Buffer) }},
		{name: "method value on an embedded Builder", one: func(v *things) { var i stringer = &v.builds; f := i.String; text(f()) }, two: func(v *things) { v.builds.WriteString("a") }},
		{name: "sorted by methods", one: func(v *things) { sort.Sort(&v.sorted) }, two: func(v *things) { v.sorted = nil }},
		{name: "formatted by a method", one: func(v *things) { text(fmt.Sprint(&v.worded)) }, two: func(v *things) { v.worded.x = 2 }},
		{name: "asked by a method", one: func(v *things) { use(errors.Is(&v.failed, io.EOF)) }, two: func(v *things) { v.failed.x = 2 }},
	}
}

type builds struct {
	_ int
	strings.Builder
}

type buffers struct {
	_ int
	*bytes.Buffer
}

type sorted []int

func (s sorted) Len() int           { return len(s) }
func (s sorted) Less(i, j int) bool { return s[i] < s[j] }
func (s sorted) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

type worded struct{ x int }

func (w worded) String() string { return string(rune('a' + w.x)) }

type failed struct{ x int }

func (f failed) Error() string   { return "failed" }
func (f failed) Is(e error) bool { return f.x > 1 }

func spotAndNumber(v *things) (*spot, int)       { return v.q, 1 }
func writerAndNumber(v *things) (io.Writer, int) { return &v.buffer, 1 }
func slicesOfBytes(v *things) ([]byte, []byte)   { return slices.Clip(v.b[:2:2]), nil }
