package rounds

import (
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// A turn is an operation that a thread comes to, as Visit would tell it: the words of its stack there, and what it has done before.
type turn struct {
	at     uintptr // depth
	sum    uint64  // of what is not among the words
	words  []uint64
	writes uint64 // a word that it has written before, with this value
	does   object.Kind
}

// pc is where a call of it returns to.
func pc() uintptr {
	pc, _, _, _ := runtime.Caller(1)
	return pc
}

// TestVisits: which turns of a thread end a round in vain: the first at which it is where it was, with nothing changed.
func TestVisits(t *testing.T) {
	same := []uint64{0, 0, 7}
	site := place.Add(place.Known{Place: place.Place{File: "p.go", Line: 3}})
	load := turn{words: same, does: object.Load}
	at := func(depth uintptr, t turn) turn { t.at = depth; return t }
	for _, c := range []struct {
		name  string
		turns []turn
		want  []int // turns after which the thread is to be held back
		grows string
	}{
		{"goes round", []turn{load, load, load}, []int{1, 2}, ""},
		{"an operation at another depth", []turn{load, at(16, load), at(32, load)}, nil, ", where the stack is another one each time (+16 bytes)"},
		{"two operations", []turn{load, at(1, load), load, at(1, load), load}, []int{2, 4}, ""}, // compared at one of them
		{"a variable counts", []turn{load, {words: []uint64{0, 0, 8}, does: object.Load}, {words: []uint64{0, 0, 9}, does: object.Load}}, nil, ", where a variable of "},
		{"a stack that grows", []turn{load, {words: []uint64{0, 0, 7, 7}, does: object.Load}}, nil, ", where what the stack has, or what is deferred, is another size each time (+1 words)"},
		{"what it is given", []turn{load, {words: []uint64{1, 0, 7}, does: object.Load}}, nil, ", where what it is given is another one each time"},
		{"what is not among the words", []turn{load, {sum: 1, words: same, does: object.Load}, {sum: 2, words: same, does: object.Load}}, nil, ""},
		{"a store", []turn{load, {words: same, does: object.Store}, load}, nil, ""},
		{"a word that is written", []turn{load, {words: same, writes: 1, does: object.Load}, {words: same, writes: 2, does: object.Load}}, nil, ", where memory is written at p.go:3"},
		{"a word that is written as it was", []turn{load, {words: same, writes: 1, does: object.Load}, {words: same, writes: 1, does: object.Load}}, []int{2}, ""},
		{"back after two", []turn{load, {words: []uint64{0, 0, 8}, does: object.Load}, load, {words: []uint64{0, 0, 8}, does: object.Load}}, []int{2, 3}, ""},
	} {
		x := order.New()
		x.Begin()
		g := Log{Writes: true}
		g.Begin(&x)
		of := &order.Thread{ID: x.IDOf(-1, 0), Parent: -1}
		x.Start(of)
		l := Loops{}
		l.Begin()
		var word, memory uint64
		var saw []int
		grows := ""
		for i, turn := range c.turns {
			if turn.writes != 0 {
				old := uintptr(memory)
				memory = turn.writes
				l.Writes(&Write{Addr: uintptr(unsafe.Pointer(&memory)), Size: 8, Old: [mostWords]uintptr{old}, Last: of.Last, Site: site}, func(uintptr) uintptr { return 1 })
			}
			loc, _ := x.Locate(unsafe.Pointer(&word))
			of.Next = order.Next{Kind: turn.does, Write: turn.does.MayWrite(), Loc: loc}
			s := &stack{at: where{site: site, depth: turn.at, within: uint64(turn.does)}, slots: []Slot{{Offset: 8}}, rest: 16, returns: []uintptr{pc(), 0}, frames: []uintptr{0, 100},
				sum: func([]Object) (uint64, []uint64) { return turn.sum, turn.words }}
			g.visit(&l, of, s, 2)
			if l.Pending == Vain {
				saw = append(saw, i)
				l.Pending = None
			}
			if l.Grows != (Growth{}) {
				grows = l.Grows.String()
			}
			op := object.Op{Read: word, Wrote: word}
			if turn.does == object.Store {
				word++
				op.Wrote = word
			}
			g.Event(x.Add(of, &op, turn.does == object.Store))
		}
		if !slices.Equal(saw, c.want) {
			t.Errorf("%s: expected rounds in vain to end at %v, saw %v", c.name, c.want, saw)
		}
		if len(grows) < len(c.grows) || grows[:len(c.grows)] != c.grows {
			t.Errorf("%s: expected %q of what grows, saw %q", c.name, c.grows, grows)
		}
	}
}
