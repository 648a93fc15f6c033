// Package racy makes programs with plain and atomic accesses, channels, and calls of the
// standard library, with and without data races, and runs them on the goroutines of the
// Go runtime by a schedule that an exploration took. So what the explorer says of an
// execution can be compared with what the race detector of Go says of the same.
//
// The interpreter of the programs is in package program, which is instrumented;
// this package is not, so that its own records are no accesses of the threads.
package racy

import "math/rand/v2"

// A Kind is what an Op does.
type Kind uint8

// The kinds. Those up to WriteBy are plain. Of those on channels the tries are made where
// there is a buffer: whether another thread waits at a channel is not known elsewhere.
const (
	Read Kind = iota
	Write
	ReadHalf
	WriteHalf
	ReadBoth
	ReadWord
	WriteWord
	ReadBy  // by statement N of those of group By that read
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
	Ask    // statement N of those of group By that have locks of their own
	Hold   // Lock by a function that is given the lock, and what is done while it is held
	Send   // an object; N says which: see the constants below
	Receive
	TrySend
	TryReceive
	Range // receives until the channel is closed, and does something with each
	Len
	Close
)

// InHand is what On is where an access is of the object that the thread has received last: there may be none.
const InHand = -1

// What is sent.
const (
	New     = iota // an object that nobody else has
	Given          // the one in hand, which the thread has no longer
	Kept           // the one in hand, which the thread keeps
	OneOf          // a variable
	Sending        // how many there are
)

// A Group is how many statements there are on a part of an object: to read it, to write it, and those that have locks of their own.
// Where there are some of these, the others keep to no lock.
type Group struct{ Reads, Writes, Asks int }

// An Op is an operation of a thread.
type Op struct {
	Kind Kind
	On   int   // which variable, word, lock, channel or key
	By   int   // which group of statements
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
	Chans = 2 // the first without a buffer
)

type maker struct {
	r       *rand.Rand
	p       *Program
	allowed []Kind
	access  func(held int) Op // makes a plain access, held is a lock or -1
	spawned int
	groups  []Group
	by      []int // the groups that the program has statements of
	right   bool
	sender  int // the channel that only the thread sends to, in a program that is right
}

// statement makes one of a group.
func (m *maker) statement(kind Kind, on int) Op {
	for range 100 {
		by := m.by[m.r.IntN(len(m.by))]
		g := m.groups[by]
		n := g.Reads
		switch kind {
		case WriteBy:
			n = g.Writes
		case Ask:
			n = g.Asks
		}
		if n > 0 && (kind == Ask || !m.right || g.Asks == 0) {
			return Op{Kind: kind, On: on, By: by, N: int64(m.r.IntN(n))}
		}
	}
	return Op{Kind: Read, On: Vars - 1} // of the variable that is never written
}

// chooses chooses the groups: two of them, so that threads often have the same.
func (m *maker) chooses() {
	m.by = []int{m.r.IntN(len(m.groups)), m.r.IntN(len(m.groups))}
	if m.r.IntN(3) == 0 {
		m.by[0] = 0
	}
}

// Make makes a program by chance, which may have races.
func Make(seed uint64, groups []Group) *Program {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &maker{r: r, p: new(Program), groups: groups}
	for len(m.allowed) == 0 {
		for k := Load; k <= Close; k++ {
			if r.IntN(2) == 0 {
				m.allowed = append(m.allowed, k)
			}
		}
	}
	m.chooses()
	words := r.IntN(4) == 0 // plain accesses of words as well
	m.access = func(int) Op {
		k := Kind(r.IntN(int(ReadWord)))
		on := r.IntN(Vars)
		if words && r.IntN(3) == 0 {
			k, on = ReadWord+Kind(r.IntN(2)), r.IntN(Words)
		}
		if r.IntN(2) == 0 {
			if r.IntN(4) == 0 {
				on = InHand
			} else {
				on %= Vars
			}
			return m.statement(ReadBy+Kind(r.IntN(3)/2), on)
		}
		return Op{Kind: k, On: on, N: int64(r.IntN(3))}
	}
	for range 2 + r.IntN(2) {
		m.p.Threads = append(m.p.Threads, m.thread(2+r.IntN(4), -1))
	}
	return m.p
}

// MakeRight makes a program without a race: each variable is accessed under its
// lock, or only read, or before it is published and after that was seen; and an object
// that is sent is the receiver's alone.
func MakeRight(seed uint64, groups []Group) *Program {
	r := rand.New(rand.NewPCG(seed, 2))
	m := &maker{r: r, p: new(Program), groups: groups, right: true, allowed: []Kind{
		Load, Store, Add, Swap, CompareAndSwap, Lock, Lock, TryLock, RLock, WLock, WLock, Done, MapStore, MapLoad, Go, Ask, Ask, Hold,
		Send, Receive, TrySend, TryReceive, TryReceive, Range, Len,
	}}
	m.chooses()
	// Variable 0 belongs to lock 0, variable 1 to the readers' lock 1; variable 2 is
	// never written. Held is the lock, counted on for a readers' lock, and once
	// more if it is held for writing.
	m.access = func(held int) Op {
		write := r.IntN(2) == 0
		if r.IntN(4) == 0 {
			return m.statement(ReadBy+Kind(r.IntN(2)), InHand)
		}
		if r.IntN(2) == 0 {
			switch {
			case (held == 0 || held == 2*Locks+1) && write:
				return m.statement(WriteBy, held&1)
			case held == 0:
				return m.statement(ReadBy, 0)
			case held == 2*Locks+1 || held == Locks+1:
				return m.statement(ReadBy, 1)
			default:
				return m.statement(ReadBy, 2)
			}
		}
		switch {
		case held == 0 && write:
			return Op{Kind: Write + Kind(2*r.IntN(2)), On: 0}
		case held == 0:
			return Op{Kind: ReadBoth, On: 0}
		case held == 2*Locks+1 && write:
			return Op{Kind: Write, On: 1}
		case held == 2*Locks+1 || held == Locks+1:
			return Op{Kind: Read, On: 1}
		}
		return Op{Kind: Read, On: 2}
	}
	for i := range 2 + r.IntN(2) {
		m.sender = i
		ops := m.thread(4+r.IntN(5), -1)
		if i < Chans && r.IntN(2) == 0 {
			ops = append(ops, Op{Kind: Close, On: i})
		}
		m.p.Threads = append(m.p.Threads, ops)
	}
	return m.p
}

// thread makes n operations, under a lock that is held, or -1.
func (m *maker) thread(n, held int) (ops []Op) {
	for range n {
		if m.r.IntN(2) == 0 {
			ops = append(ops, m.access(held))
			continue
		}
		o := Op{Kind: m.allowed[m.r.IntN(len(m.allowed))], On: m.r.IntN(Words), N: int64(m.r.IntN(3))}
		switch o.Kind {
		case Lock, TryLock, RLock, WLock, Hold:
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
			sender := m.sender
			m.sender = -1
			o.In = m.thread(1+m.r.IntN(3), -1)
			m.sender = sender
		case Ask:
			if o = m.statement(Ask, m.r.IntN(Vars)); o.Kind != Ask {
				continue
			}
		case Send, TrySend:
			o.On = m.r.IntN(Chans)
			if o.N = int64(m.r.IntN(Sending)); m.right {
				o.N &= 1
				if o.On = m.sender; o.On < 0 || o.On >= Chans {
					continue
				}
			}
			if o.Kind == Send && held >= 0 {
				continue
			}
			if o.On == 0 {
				o.Kind = Send
				if held >= 0 {
					continue
				}
			}
		case Receive, Range:
			if held >= 0 {
				continue
			}
			if o.Kind == Range {
				o.In = []Op{m.access(-1)} // as often as something is received
			}
		case TryReceive:
			o.On = Chans - 1
		}
		ops = append(ops, o)
	}
	return ops
}
