package trace

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/sched"
)

// DanceWords are the addresses of the words of a scheduler that are compared with the model's, each as
// unsafe.Pointer. Other words are not compared: slots (Gs have no identity in the model), the
// states of Gs, lists of free Gs, numbers for Gs; the lines that touch these say why.
type DanceWords struct {
	Nmspinning, Needspinning, Npidle, Runqsize, Lock unsafe.Pointer
	Ps                                               []DanceP
}

// DanceP are those of a P, the one that the model numbers from 1 first.
type DanceP struct{ Head, Tail, Next unsafe.Pointer }

// wordKind is what a word is. Its name is that of the field.
type wordKind uint8

const (
	noWord wordKind = iota
	nmspinning
	needspinning
	npidle
	runqsize
	headWord
	tailWord
	nextWord
	lockWord
)

var wordNames = [...]string{nmspinning: "nmspinning", needspinning: "needspinning", npidle: "npidle", runqsize: "runqsize",
	headWord: "head", tailWord: "tail", nextWord: "next", lockWord: "global"}

// A danceWord is a word; p is the P that it is of, from 1.
type danceWord struct {
	kind wordKind
	p    uint8
}

// DanceObjects says which word each object of an execution is, by its number in the steps.
type DanceObjects map[int]danceWord

// In returns which word each object of an execution is. It is for a function given to Finally.
func (w *DanceWords) In(x *interleave.Exec) DanceObjects {
	m := make(DanceObjects)
	add := func(addr unsafe.Pointer, kind wordKind, p int) {
		if n := harness.Object(x, addr); n >= 0 {
			m[n] = danceWord{kind, uint8(p)}
		}
	}
	add(w.Nmspinning, nmspinning, 0)
	add(w.Needspinning, needspinning, 0)
	add(w.Npidle, npidle, 0)
	add(w.Runqsize, runqsize, 0)
	add(w.Lock, lockWord, 0)
	for i := range w.Ps {
		add(w.Ps[i].Head, headWord, i+1)
		add(w.Ps[i].Tail, tailWord, i+1)
		add(w.Ps[i].Next, nextWord, i+1)
	}
	return m
}

// values are what the words of the code hold. They are uint32 or int32 all.
type values struct {
	single     [runqsize + 1]uint32
	head, tail [sched.MaxPs]uint32
	next       [sched.MaxPs]uint32
}

func (v *values) of(w danceWord) *uint32 {
	switch w.kind {
	case headWord:
		return &v.head[w.p-1]
	case tailWord:
		return &v.tail[w.p-1]
	case nextWord:
		return &v.next[w.p-1]
	}
	return &v.single[w.kind]
}

// ofState sets the words to what the model's state says of them; indices begin at 0.
func (v *values) ofState(s *sched.State) {
	*v = values{}
	w := s.Words()
	v.single[nmspinning] = uint32(w.Nmspinning)
	v.single[npidle] = uint32(w.Npidle)
	v.single[runqsize] = uint32(w.Runq)
}

// words returns what they say, as the model has it.
func (v *values) words() sched.Words {
	w := sched.Words{Nmspinning: int8(v.single[nmspinning]), Npidle: int8(v.single[npidle]), Runq: int8(v.single[runqsize]),
		Needspinning: v.single[needspinning] != 0}
	for p := range v.head {
		w.Next[p] = v.next[p] != 0
		w.Ring[p] = int8(v.tail[p] - v.head[p])
	}
	return w
}
