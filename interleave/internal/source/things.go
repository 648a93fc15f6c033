package source

import (
	"bytes"
	"strings"
)

// This file is part of the programs that are made, too.

// Things are what a program works on with the standard library. One lot belongs to each
// thread, as local variables, one to each lock. No slice comes to have more than its capacity.
type things struct {
	line []byte // of capacity 4
	sb   strings.Builder
	bb   bytes.Buffer
	xs   []int // of three
	mp   map[int32]int32
	n    int32
}

func newThings() things {
	return things{line: make([]byte, 2, 4), xs: []int{2, 0, 1}, mp: map[int32]int32{}}
}

// Packed is things as a value.
type Packed struct {
	Line, SB, BB Text
	XS           [3]int16
	MP           [3]int16 // -1 for a key that there is not
	N            int16
}

// Text is a few bytes. Those behind N count where there is a slice.
type Text struct {
	N int8
	B [4]byte
}

func textOf(b []byte) (t Text) {
	t.N = int8(len(b))
	copy(t.B[:], b)
	return t
}

func lineOf(line []byte) Text {
	t := textOf(line[:4])
	t.N = int8(len(line))
	return t
}

func listOf(xs []int) (p [3]int16) {
	for i := range p {
		p[i] = int16(xs[i])
	}
	return p
}

func mapOf(mp map[int32]int32) (p [3]int16) {
	for i := range p {
		p[i] = -1
		if v, ok := mp[int32(i)]; ok {
			p[i] = int16(v)
		}
	}
	return p
}

func (h *things) pack() Packed {
	return Packed{lineOf(h.line), textOf([]byte(h.sb.String())), textOf(h.bb.Bytes()), listOf(h.xs), mapOf(h.mp), int16(h.n)}
}

// Observed is what a thread shows at its end.
type Observed struct {
	L      [4]int32
	Line   Text
	SB, BB Text
	XS     [3]int16
	MP     [3]int16
	Caught bool
}

// Final is how an execution has ended.
type Final struct {
	Out  [4]Observed
	W    [3]int32
	A, B Packed // of the mutex, of the lock for readers
}
