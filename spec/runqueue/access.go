package runqueue

import "fmt"

// What follows is for who holds real code against the machine, step by step: which
// word of shared memory a step is about, with the values, and what a call answers. It
// is right for machines without damages.

// An Object is a kind of word of shared memory.
type Object uint8

// The objects. The global queue is one word with its lock.
const (
	NoObject Object = iota
	Head
	Tail
	Slot
	Next
	Global
)

var objectNames = []string{"nothing", "head", "tail", "slot", "next", "global"}

// A Word is a word of shared memory: an object of P P, numbered from 0; I is which of its
// slots.
type Word struct {
	Object Object
	P, I   uint8
}

// String shows the word as the module does, with Ps from 1: "slot[1][0]".
func (w Word) String() string {
	switch w.Object {
	case NoObject, Global:
		return objectNames[w.Object]
	case Slot:
		return fmt.Sprintf("slot[%d][%d]", w.P+1, w.I)
	}
	return fmt.Sprintf("%s[%d]", objectNames[w.Object], w.P+1)
}

// A How says what an access does.
type How uint8

// What accesses do. A Section is all that is done under the lock.
const (
	Load How = iota
	Store
	Swap // compare and swap
	Section
)

// String names it as package sync/atomic does.
func (h How) String() string { return [...]string{"Load", "Store", "CompareAndSwap", "Lock"}[h] }

// An Access is what a step does to shared memory. Values are indices, or Gs; 0 is none.
type Access struct {
	Action uint8 // by its place in Actions
	How    How
	Word   Word
	Read   uint8
	Wrote  uint8
	Failed bool // a Swap that did not
	// Also is what rides along: a word that only this thread writes, NoObject for none.
	Also  Word
	Store bool // Also is written
	Value uint8

	Answer Answer
}

// access says which word the next step of c is about, with what it finds there.
func (m *Machine) access(s *State, c *thread, p int, a *Access) {
	a.Action = uint8(c.pc - 1)
	own, v := uint8(p), c.v-1
	at := func(p uint8, i uint8) Word { return Word{Slot, p, i & (m.cap - 1)} }
	a.How = Load
	switch c.pc {
	case putLoadNext, getLoadNext, drainLoadNext:
		a.Word = Word{Object: Next, P: own}
	case grabLoadNext, emptyLoadNext, lenLoadNext:
		a.Word = Word{Object: Next, P: v}
	case putCASNext, getCASNext, drainCASNext:
		a.Word, a.How, a.Failed = Word{Object: Next, P: own}, Swap, s.next[own] != c.old
	case grabCASNext:
		a.Word, a.How, a.Failed = Word{Object: Next, P: v}, Swap, s.next[v] != c.old
		if !a.Failed {
			a.Also, a.Store = at(own, s.tail[own]), true
		}
	case putLoadHead, putBatchLoadHead, getLoadHead, drainLoadHead:
		a.Word, a.Also = Word{Object: Head, P: own}, Word{Object: Tail, P: own}
	case stealLoadHead:
		a.Word = Word{Object: Head, P: own}
	case grabLoadHead:
		a.Word, a.Also = Word{Object: Head, P: v}, Word{Object: Tail, P: own}
	case emptyLoadHead, lenLoadHead:
		a.Word = Word{Object: Head, P: v}
	case grabLoadTail, emptyLoadTail, emptyReloadTail, lenLoadTail:
		a.Word = Word{Object: Tail, P: v}
	case putWriteSlot:
		a.Word, a.How = at(own, s.tail[own]), Store
	case putBatchWriteSlots:
		a.Word, a.How = at(own, s.tail[own]+c.i), Store
	case putStoreTail, putBatchStoreTail, stealStoreTail:
		a.Word, a.How = Word{Object: Tail, P: own}, Store
	case putSlowCopy, drainReadSlots:
		a.Word = at(own, c.h+c.i)
	case grabCopySlot:
		a.Word, a.Also, a.Store = at(v, c.h+c.i), at(own, s.tail[own]+c.i), true
	case putSlowCASHead, drainCASHead:
		a.Word, a.How, a.Failed = Word{Object: Head, P: own}, Swap, s.head[own] != c.h
	case getCASHead:
		a.Word, a.How, a.Failed = Word{Object: Head, P: own}, Swap, s.head[own] != c.h
		a.Also = at(own, c.h)
	case grabCASHead:
		a.Word, a.How, a.Failed = Word{Object: Head, P: v}, Swap, s.head[v] != c.h
		if !a.Failed {
			a.Also = at(own, s.tail[own]+c.n-1)
		}
	default:
		a.Word, a.How = Word{Object: Global}, Section
	}
	a.Read, a.Value = m.value(s, a.Word), m.value(s, a.Also)
}

// value is what a word holds.
func (m *Machine) value(s *State, w Word) uint8 {
	switch w.Object {
	case Head:
		return s.head[w.P]
	case Tail:
		return s.tail[w.P]
	case Slot:
		return m.slot(s, int(w.P), w.I)
	case Next:
		return s.next[w.P]
	}
	return 0
}
