// Package racy makes programs with plain and atomic accesses, with and without
// data races, and runs them on the goroutines of the Go runtime by a schedule that an
// exploration took. So what the explorer says of an execution can be compared with
// what the race detector of Go says of the same.
//
// The interpreter of the programs is in package program, which is instrumented;
// this package is not, so that its own records are no accesses of the threads.
package racy

import "math/rand/v2"

// A Kind is what an Op does.
type Kind uint8

// The kinds. Those up to WriteBy are plain.
const (
	Read Kind = iota
	Write
	ReadHalf
	WriteHalf
	ReadBoth
	ReadWord
	WriteWord
	ReadBy  // by statement N of those that read
	WriteBy // by statement N of those that write
	Load
	Store
	Add
	Swap
	CompareAndSwap
	Lock
	TryLock
	RLock
	WLock
	Done
	Wait
	MapStore
	MapLoad
	Go
	GoBy   // by a method that is given a copy of a variable
	GoLoop // in a loop of which the thread shares the variable; N says when it writes it
)

// An Op is an operation of a thread.
type Op struct {
	Kind Kind
	On   int   // which variable, word, lock or key
	N    int64 // a value
	In   []Op  // what is done while a lock is held, or by the thread that is started
}

// A Program has named variables, words and locks, and threads on them.
type Program struct {
	Threads [][]Op
	Dones   int  // of all threads
	Maps    bool // has operations on a map
}

// Sizes of what a program works on.
const (
	Vars  = 3
	Words = 2
	Locks = 2
)

// How many statements there are to read and to write a variable.
const (
	Reading = 30
	Writing = 18
)

type maker struct {
	r       *rand.Rand
	p       *Program
	allowed []Kind
	access  func(held int) (Op, bool) // makes a plain access, held is a lock or -1
	spawned int
}

// Make makes a program by chance, which may have races.
func Make(seed uint64) *Program {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &maker{r: r, p: new(Program)}
	kinds := []Kind{Load, Store, Add, Swap, CompareAndSwap, Lock, TryLock, RLock, WLock, Done, Wait, MapStore, MapLoad, Go, GoBy, GoLoop}
	for len(m.allowed) == 0 {
		for _, k := range kinds {
			if r.IntN(2) == 0 {
				m.allowed = append(m.allowed, k)
			}
		}
	}
	words := r.IntN(4) == 0 // plain accesses of words as well
	m.access = func(int) (Op, bool) {
		k := Kind(r.IntN(int(ReadWord)))
		on := r.IntN(Vars)
		if words && r.IntN(3) == 0 {
			k, on = ReadWord+Kind(r.IntN(2)), r.IntN(Words)
		}
		if r.IntN(2) == 0 {
			if r.IntN(3) == 0 {
				return Op{Kind: WriteBy, On: on % Vars, N: int64(r.IntN(Writing))}, true
			}
			return Op{Kind: ReadBy, On: on % Vars, N: int64(r.IntN(Reading))}, true
		}
		return Op{Kind: k, On: on, N: int64(r.IntN(3))}, true
	}
	for range 2 + r.IntN(2) {
		m.p.Threads = append(m.p.Threads, m.thread(2+r.IntN(4), -1))
	}
	return m.p
}

// MakeRight makes a program without a race: each variable is accessed under its
// lock, or only read, or before it is published and after that was seen.
func MakeRight(seed uint64) *Program {
	r := rand.New(rand.NewPCG(seed, 2))
	m := &maker{r: r, p: new(Program), allowed: []Kind{Load, Store, Add, Swap, CompareAndSwap, Lock, Lock, TryLock, RLock, WLock, WLock, Done, MapStore, MapLoad, Go}}
	// Variable 0 belongs to lock 0, variable 1 to the readers' lock 1; variable 2 is
	// never written. Held is the lock, counted on for a readers' lock, and once
	// more if it is held for writing.
	m.access = func(held int) (Op, bool) {
		write := r.IntN(2) == 0
		if r.IntN(2) == 0 {
			switch read := (Op{Kind: ReadBy, N: int64(r.IntN(Reading))}); {
			case (held == 0 || held == 2*Locks+1) && write:
				return Op{Kind: WriteBy, On: held & 1, N: int64(r.IntN(Writing))}, true
			case held == 0:
				return read, true
			case held == 2*Locks+1 || held == Locks+1:
				read.On = 1
				return read, true
			default:
				read.On = 2
				return read, true
			}
		}
		switch {
		case held == 0 && write:
			return Op{Kind: Write + Kind(2*r.IntN(2)), On: 0}, true
		case held == 0:
			return Op{Kind: ReadBoth, On: 0}, true
		case held == 2*Locks+1 && write:
			return Op{Kind: Write, On: 1}, true
		case held == 2*Locks+1 || held == Locks+1:
			return Op{Kind: Read, On: 1}, true
		}
		return Op{Kind: Read, On: 2}, true
	}
	for range 2 + r.IntN(2) {
		m.p.Threads = append(m.p.Threads, m.thread(4+r.IntN(5), -1))
	}
	return m.p
}

// thread makes n operations, under a lock that is held, or -1.
func (m *maker) thread(n, held int) (ops []Op) {
	for range n {
		if m.r.IntN(2) == 0 {
			if o, ok := m.access(held); ok {
				ops = append(ops, o)
				continue
			}
		}
		o := Op{Kind: m.allowed[m.r.IntN(len(m.allowed))], On: m.r.IntN(Words), N: int64(m.r.IntN(3))}
		switch o.Kind {
		case Lock, TryLock, RLock, WLock:
			if held >= 0 {
				continue // no deadlocks
			}
			now := o.On
			if o.Kind == RLock {
				now += Locks
			} else if o.Kind == WLock {
				now += 2 * Locks
			}
			o.In = m.thread(1+m.r.IntN(2), now)
		case Done:
			m.p.Dones++
		case Wait:
			if held >= 0 {
				continue
			}
		case MapStore, MapLoad:
			m.p.Maps = true
		case Go, GoBy, GoLoop:
			if held >= 0 || m.spawned == 2 {
				continue
			}
			m.spawned++
			o.In = m.thread(1+m.r.IntN(3), -1)
		}
		ops = append(ops, o)
	}
	return ops
}
