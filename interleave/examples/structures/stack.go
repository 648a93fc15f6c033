package structures

import "sync/atomic"

// A Stack is Treiber's stack (Systems Programming: Coping with Parallelism, IBM
// RJ 5118, 1986) with a garbage collector: each push makes a node.
type Stack struct{ head atomic.Pointer[stackNode] }

type stackNode struct {
	value int64
	next  *stackNode // not written after the node is pushed
}

// Push adds v on top.
func (s *Stack) Push(v int64) {
	n := &stackNode{value: v}
	for {
		n.next = s.head.Load()
		if s.head.CompareAndSwap(n.next, n) {
			return
		}
	}
}

// Pop takes the value on top.
func (s *Stack) Pop() (v int64, ok bool) {
	for {
		n := s.head.Load()
		if n == nil {
			return 0, false
		}
		if s.head.CompareAndSwap(n, n.next) {
			return n.value, true
		}
	}
}

// A FreeList hands out the numbers 1, 2, ... of the slots of some table. It is
// Treiber's stack again, and the nodes are used again by their nature.
type FreeList struct {
	head atomic.Uint64   // a count above, the number on top below
	next []atomic.Uint32 // what is under a number
	flaw Flaw
}

// NoCount leaves out the count that each Put and Get adds to head. A Get that
// was interrupted then takes a number that came back for one that never left,
// and what was under it then for what is under it now (ABA; the count is in
// Treiber's report and in the IBM System/370 manual before it).
const NoCount Flaw = "no count beside the number"

// NewFreeList has the numbers 1 to n, 1 on top.
func NewFreeList(n int, flaw Flaw) *FreeList {
	l := &FreeList{next: make([]atomic.Uint32, n+1), flaw: flaw}
	for i := n; i > 0; i-- {
		l.Put(uint32(i))
	}
	return l
}

func (l *FreeList) with(head uint64, number uint32) uint64 {
	if l.flaw == NoCount {
		return uint64(number)
	}
	return head>>32<<32 + 1<<32 | uint64(number)
}

// Get takes a number; 0 if there is none.
func (l *FreeList) Get() uint32 {
	for {
		h := l.head.Load()
		i := uint32(h)
		if i == 0 {
			return 0
		}
		if l.head.CompareAndSwap(h, l.with(h, l.next[i].Load())) {
			return i
		}
	}
}

// Put gives a number back.
func (l *FreeList) Put(i uint32) {
	for {
		h := l.head.Load()
		l.next[i].Store(uint32(h))
		if l.head.CompareAndSwap(h, l.with(h, i)) {
			return
		}
	}
}
