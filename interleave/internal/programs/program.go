// Package programs makes small concurrent programs at random, and says what they
// can do: once by running them on the drop-ins, under a strategy of the explorer,
// and once by an interpreter that walks all states and knows nothing of threads,
// reduction or drop-ins. The two must agree.
package programs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// An Op is what a step of a program does. Obj says to which object.
type Op uint8

// The operations. What a thread reads goes into its history, and so does whether
// an operation that may fail has succeeded.
const (
	Load Op = iota
	Store
	Release // a store that may stay in a buffer
	Swap
	Add
	And
	Or
	CompareAndSwap
	Await // loads until the word is not 0
	Gosched

	Lock
	Unlock
	TryLock

	RLock
	RUnlock
	TryRLock
	WLock
	WUnlock
	TryWLock

	Wait // of the condition, whose lock is mutex 0
	Signal
	Broadcast

	Done // of the group
	Count
	WaitGroup

	Once // adds 1 to word 0

	MapLoad
	MapStore
	MapLoadOrStore
	MapLoadAndDelete
	MapCompareAndSwap

	PoolGet
	PoolPut

	ChanSend
	ChanReceive
	ChanTrySend // in a select with a default
	ChanTryReceive
	ChanSelect // of two ways: see Instr.ways
	ChanTrySelect
	ChanClose
	ChanLen

	Sleep
	Now
	TimerReset
	TimerStop
	TimerReceive
	TimerTryReceive

	Go    // starts thread Obj
	Later // starts thread Obj after a time
	ops
)

var names = [ops]string{
	"load", "store", "release", "swap", "add", "and", "or", "cas", "await", "gosched",
	"lock", "unlock", "trylock", "rlock", "runlock", "tryrlock", "wlock", "wunlock", "trywlock",
	"wait", "signal", "broadcast", "done", "count", "waitgroup", "once",
	"map.load", "map.store", "map.loadorstore", "map.loadanddelete", "map.cas", "get", "put",
	"send", "receive", "trysend", "tryreceive", "select", "tryselect", "close", "len",
	"sleep", "now", "reset", "stop", "<-timer", "try<-timer", "go", "later",
}

// An Instr is a line of a thread.
type Instr struct {
	Op   Op
	Obj  int
	A, B uint8 // a CompareAndSwap is from A to B, others write B
	// Skip leaves out the next line if what was read is A: so what a thread reads
	// decides what it does, and wrong pruning loses outcomes and not only classes.
	Skip bool
}

// A Thread is a list of lines.
type Thread struct {
	Code   []Instr
	Daemon bool
	Child  bool // started by a Go of another
}

// A Program is what the threads do, and how the objects are when they begin.
type Program struct {
	Kind    string // of operations: see kinds
	Threads []Thread
	TSO     bool
	// How the body leaves the objects.
	Locked, RLocked, WLocked bool
	Counted, Put, Stored     bool
	Filled, Shut             bool          // channel 0 has a value, if there is room; channel 1 is closed
	Caps                     [chans]int    // of channels
	Due                      [timers]uint8 // when the body has timers be due, 0 if it has stopped them
	Late                     bool          // time goes by at any step
	Any                      bool          // Signal wakes any
	// Scattered has each execution find the words at other distances.
	Scattered bool
}

// Sizes of what threads share.
const (
	mostThreads = 6
	words       = 6
	few         = 2 // of them, in programs that have other objects
	mutexes     = 2
	keys        = 2
	chans       = 3
	timers      = 2
)

// The kinds of programs: the operations that they are made of.
var kinds = []struct {
	name string
	ops  []Op
}{
	{"words", []Op{Load, Load, Load, Store, Store, CompareAndSwap, CompareAndSwap, Add}},
	{"many words", []Op{Load, Load, Store, CompareAndSwap, Add}},
	{"all words", []Op{Load, Store, Swap, Add, And, Or, CompareAndSwap, Release, Release, Gosched}},
	{"buffers", []Op{Load, Load, Release, Release, CompareAndSwap, Store}},
	{"mutexes", []Op{Lock, Lock, Unlock, TryLock, Load, Store}},
	{"readers and writers", []Op{RLock, RLock, RUnlock, TryRLock, WLock, WUnlock, TryWLock, Load, Add}},
	{"conditions", []Op{Lock, Unlock, Wait, Signal, Broadcast, Store, Load}},
	{"groups", []Op{Done, Count, WaitGroup, Load, Store}},
	{"maps", []Op{MapLoad, MapStore, MapLoadOrStore, MapLoadAndDelete, MapCompareAndSwap, Load, Store}},
	{"pools", []Op{PoolGet, PoolPut, Once, Load, CompareAndSwap}},
	{"loops", []Op{Await, Store, Load, Lock, Unlock, CompareAndSwap}},
	{"channels", []Op{ChanSend, ChanSend, ChanReceive, ChanReceive, Load, Store}},
	{"channels that close", []Op{ChanSend, ChanReceive, ChanReceive, ChanClose, Load, Store}},
	{"selects", []Op{ChanSend, ChanReceive, ChanSelect, ChanTryReceive, ChanTrySend, ChanClose, Load}},
	{"all of channels", []Op{ChanSend, ChanReceive, ChanTrySend, ChanTryReceive, ChanSelect, ChanTrySelect, ChanClose, ChanLen, Lock, Unlock}},
	{"times", []Op{Sleep, Now, TimerReset, TimerStop, TimerReceive, TimerTryReceive, Load, Store}},
	{"times and channels", []Op{Sleep, TimerReset, TimerStop, ChanSelect, ChanTrySelect, ChanSend, ChanReceive, ChanClose}},
	{"times and locks", []Op{Sleep, Lock, Unlock, TryLock, TimerReset, TimerReceive, Wait, Signal, Load, Store}},
	{"everything", nil},
}

// New makes a program.
func New(r *rand.Rand) *Program {
	p := &Program{TSO: r.IntN(2) == 0, Scattered: r.IntN(2) == 0}
	k := kinds[r.IntN(len(kinds))]
	p.Kind = k.name
	wide := few
	if k.name == "many words" {
		wide = words
	}
	n := 2 + r.IntN(4)
	budget := []int{0, 0, 10, 8, 7, 6}[n] - r.IntN(3)
	timed := k.ops == nil || slices.Contains(k.ops, Sleep)
	tidy := r.IntN(2) == 0 // locks are given back, most of the time
	some := func() bool { return r.IntN(6) == 0 }
	p.Locked, p.RLocked, p.Counted, p.Put, p.Stored = some(), some(), some(), some(), some()
	p.WLocked = !p.RLocked && some()
	p.Filled, p.Shut = some(), some()
	p.Any = r.IntN(2) == 0
	for i := range p.Caps {
		p.Caps[i] = []int{0, 0, 1, 2}[r.IntN(4)]
	}
	if timed {
		for i := range p.Due {
			p.Due[i] = uint8(r.IntN(4))
		}
		p.Late = r.IntN(4) == 0
	}
	for t := range n {
		length := budget / n
		if t < budget%n {
			length++
		}
		th := Thread{Daemon: r.IntN(4) == 0}
		for range length {
			op := Op(r.IntN(int(Go)))
			if k.ops != nil {
				op = k.ops[r.IntN(len(k.ops))]
			}
			if (op == Await || op == Release && !p.TSO) && r.IntN(2) == 0 {
				op = Load
			}
			in := Instr{Op: op, A: uint8(r.IntN(3)), B: uint8(1 + r.IntN(3)), Skip: r.IntN(4) == 0}
			switch {
			case op <= Await:
				in.Obj = r.IntN(wide)
			case op == Lock || op == Unlock || op == TryLock:
				in.Obj = r.IntN(mutexes)
			case op >= MapLoad && op <= MapCompareAndSwap:
				in.Obj = r.IntN(keys)
			case op >= Sleep && op <= TimerTryReceive:
				in.Obj, in.B = r.IntN(timers), uint8(r.IntN(4))
			case op == ChanSelect || op == ChanTrySelect:
				if in.Obj = r.IntN(ways * ways); timed && r.IntN(2) == 0 {
					in.Obj |= ofTimer
				}
			case op >= ChanSend && op <= ChanLen:
				in.Obj = r.IntN(chans)
			}
			th.Code = append(th.Code, in)
		}
		if tidy {
			th.giveBack()
		}
		p.Threads = append(p.Threads, th)
	}
	// Some threads are started by others.
	for t := 1; t < n; t++ {
		if r.IntN(4) == 0 {
			parent := r.IntN(t)
			code := &p.Threads[parent].Code
			at := r.IntN(len(*code) + 1)
			starts := Instr{Op: Go, Obj: t}
			if timed && r.IntN(2) == 0 {
				starts = Instr{Op: Later, Obj: t, B: uint8(r.IntN(4))}
			}
			*code = append((*code)[:at:at], append([]Instr{starts}, (*code)[at:]...)...)
			p.Threads[t].Child, p.Threads[t].Daemon = true, starts.Op == Later || p.Threads[parent].Daemon
		}
	}
	return p
}

// giveBack has the thread unlock at its end what its lines have locked.
func (th *Thread) giveBack() {
	undo := map[Op]Op{Lock: Unlock, RLock: RUnlock, WLock: WUnlock}
	held := map[Instr]int{}
	var order []Instr
	for _, in := range th.Code {
		if u, ok := undo[in.Op]; ok {
			order = append(order, Instr{Op: u, Obj: in.Obj})
			held[Instr{Op: u, Obj: in.Obj}]++
		} else if held[Instr{Op: in.Op, Obj: in.Obj}] > 0 {
			held[Instr{Op: in.Op, Obj: in.Obj}]--
		}
	}
	for i := len(order) - 1; i >= 0; i-- {
		if held[order[i]] > 0 {
			held[order[i]]--
			th.Code = append(th.Code, order[i])
		}
	}
}

// String is the program in a line.
func (p *Program) String() string {
	var b strings.Builder
	for _, f := range []struct {
		is   bool
		name string
	}{{p.TSO, "TSO"}, {p.Any, "any is signalled"}, {p.Scattered, "scattered"}, {p.Locked, "mutex 0 locked"}, {p.RLocked, "locked for reading"}, {p.WLocked, "locked for writing"}, {p.Counted, "counted"}, {p.Put, "put"}, {p.Stored, "stored"}} {
		if f.is {
			fmt.Fprintf(&b, "%s; ", f.name)
		}
	}
	if p.hasTime() {
		fmt.Fprintf(&b, "timers due %v, late clock %v; ", p.Due, p.Late)
	}
	if p.hasChannels() {
		fmt.Fprintf(&b, "channels of %v, filled %v, shut %v; ", p.Caps, p.filled(), p.Shut)
	}
	for t, th := range p.Threads {
		fmt.Fprintf(&b, "%c", 'a'+t)
		if th.Daemon {
			b.WriteString(" (daemon)")
		}
		if th.Child {
			b.WriteString(" (child)")
		}
		b.WriteString(":")
		for _, in := range th.Code {
			fmt.Fprintf(&b, " %v", in)
		}
		b.WriteString("; ")
	}
	return b.String()
}

// filled is how many values channel 0 has when the threads begin.
func (p *Program) filled() int {
	if p.Filled {
		return min(1, p.Caps[0])
	}
	return 0
}

// hasChannels reports whether a thread uses one.
func (p *Program) hasChannels() bool { return p.uses(ChanSend, ChanLen) || p.hasTime() }

// hasTime reports whether a thread uses the clock.
func (p *Program) hasTime() bool {
	return p.uses(Sleep, TimerTryReceive) || p.uses(Later, Later) || p.selectsTimers()
}

func (p *Program) selectsTimers() bool {
	return p.any(func(in Instr) bool { return (in.Op == ChanSelect || in.Op == ChanTrySelect) && in.Obj&ofTimer != 0 })
}

// uses reports whether a thread has an operation between two.
func (p *Program) uses(from, to Op) bool {
	return p.any(func(in Instr) bool { return in.Op >= from && in.Op <= to })
}

func (p *Program) any(is func(Instr) bool) bool {
	return slices.ContainsFunc(p.Threads, func(th Thread) bool { return slices.ContainsFunc(th.Code, is) })
}

// String is the line as text.
func (in Instr) String() string {
	s := names[in.Op]
	switch {
	case in.Op == Go:
		return fmt.Sprintf("%s %c", s, 'a'+in.Obj)
	case in.Op == Later:
		return fmt.Sprintf("after %d go %c", in.B, 'a'+in.Obj)
	case in.Op == Sleep:
		s += fmt.Sprintf("(%d)", in.B)
	case in.Op == ChanSelect || in.Op == ChanTrySelect:
		all, _ := in.ways()
		for i, w := range all {
			s += fmt.Sprintf("%s%d", []string{"(<-", ",<-"}[i], w.obj)
			if w.obj >= chans {
				s += " (timer)"
			}
			if w.send {
				s += fmt.Sprintf("<-%d", in.B)
			}
		}
		s += ")"
	case in.Op == CompareAndSwap || in.Op == MapCompareAndSwap:
		s += fmt.Sprintf("%d(%d,%d)", in.Obj, in.A, in.B)
	case in.Op == Store || in.Op == Release || in.Op == Swap || in.Op == Add || in.Op == And || in.Op == Or || in.Op == MapStore || in.Op == MapLoadOrStore || in.Op == PoolPut || in.Op == ChanSend || in.Op == ChanTrySend || in.Op == TimerReset:
		s += fmt.Sprintf("%d(%d)", in.Obj, in.B)
	default:
		s += fmt.Sprint(in.Obj)
	}
	if in.Skip {
		s += fmt.Sprintf("?%d", in.A)
	}
	return s
}
