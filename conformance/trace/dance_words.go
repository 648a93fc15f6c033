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
	Gcwaiting, SafePoint                             unsafe.Pointer
	Lastpoll, PollUntil                              unsafe.Pointer
	Now                                              unsafe.Pointer // the clock
	Ps                                               []DanceP
}

// DanceP are those of a P, the one that the model numbers from 1 first.
type DanceP struct{ Head, Tail, Next, Insyscall, First, SafeSeen unsafe.Pointer }

// wordKind is what a word is. Its name is that of the field.
type wordKind uint8

const (
	noWord wordKind = iota
	nmspinning
	needspinning
	npidle
	runqsize
	lastpoll
	pollUntil
	gcwaiting
	safePoint
	nowWord
	headWord
	tailWord
	nextWord
	insyscall
	firstWord
	safeSeen
	lockWord
)

var wordNames = [...]string{nmspinning: "nmspinning", needspinning: "needspinning", npidle: "npidle", runqsize: "runqsize",
	lastpoll: "lastpoll", pollUntil: "pollUntil", gcwaiting: "gcwaiting", safePoint: "safePoint", nowWord: "now",
	headWord: "head", tailWord: "tail", nextWord: "next", insyscall: "insyscall", firstWord: "first", safeSeen: "safeSeen", lockWord: "global"}

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
	w.each(func(addr unsafe.Pointer, word danceWord) {
		if n := harness.Object(x, addr); n >= 0 {
			m[n] = word
		}
	})
	return m
}

// each calls f with the address of each word.
func (w *DanceWords) each(f func(addr unsafe.Pointer, word danceWord)) {
	f(w.Nmspinning, danceWord{nmspinning, 0})
	f(w.Needspinning, danceWord{needspinning, 0})
	f(w.Npidle, danceWord{npidle, 0})
	f(w.Runqsize, danceWord{runqsize, 0})
	f(w.Lastpoll, danceWord{lastpoll, 0})
	f(w.PollUntil, danceWord{pollUntil, 0})
	f(w.Gcwaiting, danceWord{gcwaiting, 0})
	f(w.SafePoint, danceWord{safePoint, 0})
	f(w.Now, danceWord{nowWord, 0})
	f(w.Lock, danceWord{lockWord, 0})
	for i, p := range w.Ps {
		n := uint8(i + 1)
		f(p.Head, danceWord{headWord, n})
		f(p.Tail, danceWord{tailWord, n})
		f(p.Next, danceWord{nextWord, n})
		f(p.Insyscall, danceWord{insyscall, n})
		f(p.First, danceWord{firstWord, n})
		f(p.SafeSeen, danceWord{safeSeen, n})
	}
}

// values are what the words of the code hold, as bits.
type values struct {
	single [nowWord + 1]uint64
	of     [lockWord - headWord][sched.MaxPs]uint64
}

func (v *values) at(w danceWord) *uint64 {
	if w.kind >= headWord {
		return &v.of[w.kind-headWord][w.p-1]
	}
	return &v.single[w.kind]
}

// time notes whose time has come, before an operation.
func (v *values) time(o *observation) {
	come := func(when uint64) bool { return when != 0 && int64(when) <= int64(v.single[nowWord]) }
	for p := range o.due {
		o.due[p] = come(v.of[firstWord-headWord][p])
	}
	o.over = come(v.single[pollUntil])
}

// ofState sets the words to what the model's state says of them; indices begin at 0.
func (v *values) ofState(s *sched.State) {
	*v = values{}
	w := s.Words()
	v.single[nmspinning] = uint64(w.Nmspinning)
	v.single[npidle] = uint64(w.Npidle)
	v.single[runqsize] = uint64(w.Runq)
	v.single[lastpoll] = 1
	v.single[nowWord] = 1
}

// words returns what they say, as the model has it.
func (v *values) words() sched.Words {
	w := sched.Words{Nmspinning: int8(v.single[nmspinning]), Npidle: int8(v.single[npidle]), Runq: int8(v.single[runqsize]),
		Needspinning: v.single[needspinning] != 0, Polls: v.single[lastpoll] == 0, PollsUntil: v.single[pollUntil] != 0, Stopping: v.single[gcwaiting] != 0}
	of := func(kind wordKind, p int) uint64 { return v.of[kind-headWord][p] }
	for p := range w.Ring {
		w.Next[p] = of(nextWord, p) != 0
		w.Insyscall[p] = of(insyscall, p) != 0
		w.Unsafe[p] = of(safeSeen, p) < v.single[safePoint]
		w.Timer[p] = of(firstWord, p) != 0
		w.Ring[p] = int8(of(tailWord, p) - of(headWord, p))
	}
	return w
}
