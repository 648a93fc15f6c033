// Package slots says which bytes of a function's frame the function may still read.
//
// The compiler keeps what it needs after a call in slots of the frame. What lies in the others is left over: the states
// of two threads that differ there alone are the same state. Which slots these are follows from the machine code, by the analysis of
// live variables (Aho, Lam, Sethi, Ullman, Compilers, 9.2.5), in which a slot is a variable. What is not known counts as read.
package slots

import "math/bits"

// A Step says by how much the stack pointer is lower than at the begin of a function, in its code up to an address.
type Step struct {
	End   uintptr
	Delta int
}

// A Function is one as it lies in memory.
type Function struct {
	Entry uintptr
	Code  []byte
	Steps []Step // in order; the last ends where Code does
	// Ends reports whether a call of what begins at an address never returns, Bare whether it takes no arguments.
	Ends, Bare func(target uintptr) bool
}

// A Slot is a word of a frame that may be read. Offset counts from where the stack pointer is while the function calls another one, in bytes; a byte may be read if its
// bits in Mask are set.
type Slot struct {
	Offset int
	Mask   uint64
}

// Slots are the words of a frame that may be read, by offset.
type Slots []Slot

// What the analysis takes on.
const (
	mostFrame    = 16 << 10 // bytes
	incoming     = 256      // bytes of arguments on the stack
	mostCode     = 64 << 10 // bytes
	largestBytes = 64       // that one instruction reads
)

// A flow says where an instruction goes on.
type flow uint8

const (
	onward flow = iota // at the next one
	jumps              // somewhere else
	forks              // there, or at the next one
	exits              // in the caller
	halts              // nowhere
	lost               // that is not known
)

// A piece is bytes of a frame, from where the stack pointer is then.
type piece struct{ from, to int }

// An instruction is what the analysis knows of one.
type instruction struct {
	size   int
	flow   flow
	target uintptr
	reads  piece
	kills  piece
	taken  bool // the address from reads.from on may be kept
	result use  // of the register that has the first result of a call
	odd    bool // it does something with the stack pointer that is not known
}

// A use says what an instruction does with a register.
type use uint8

const (
	none     use = iota
	used         // it may read it
	lostThen     // it writes it, or calls what does, and does not read it
)

// A set has the bytes of a frame, and behind them a bit for the register.
type set []uint64

func (s set) add(p piece) {
	for i := max(p.from, 0); i < min(p.to, 64*len(s)); i++ {
		s[i/64] |= 1 << (i % 64)
	}
}

func (s set) remove(p piece) {
	for i := max(p.from, 0); i < min(p.to, 64*len(s)); i++ {
		s[i/64] &^= 1 << (i % 64)
	}
}

// join adds another set, and reports whether that changes s.
func (s set) join(o set) (changed bool) {
	for i, w := range o {
		changed = changed || w&^s[i] != 0
		s[i] |= w
	}
	return changed
}

// A Frame has the answers for one function.
type Frame struct {
	size     int
	register piece
	at       map[uintptr]set
}

// Analyze looks at a function. It reports false if it cannot tell: then all may be read.
func Analyze(f Function) (*Frame, bool) {
	if !Known || len(f.Code) > mostCode {
		return nil, false
	}
	size := 0
	for _, s := range f.Steps {
		size = max(size, s.Delta)
	}
	if size > mostFrame {
		return nil, false
	}
	limit := size + word + incoming
	register := piece{limit, limit + 1}
	taken := make(set, limit/64+1)
	type node struct {
		pc uintptr
		instruction
	}
	var all []node
	index := make(map[uintptr]int)
	step := 0
	for pc, end := f.Entry, f.Entry+uintptr(len(f.Code)); pc < end; {
		i, ok := decode(f.Code[pc-f.Entry:], pc)
		if !ok {
			return nil, false
		}
		for step < len(f.Steps)-1 && pc >= f.Steps[step].End {
			step++
		}
		delta := f.Steps[step].Delta
		if delta == 0 { // before the frame, or behind it: nothing of it can be meant
			i.odd = false
			if i.taken {
				i.taken, i.reads = false, piece{}
			}
		}
		if i.odd {
			return nil, false
		}
		shift := size - delta
		for _, p := range []*piece{&i.reads, &i.kills} {
			if p.from != p.to {
				p.from, p.to = p.from+shift, p.to+shift
			}
		}
		if i.taken {
			if i.reads.from >= size { // of an argument, which may be large
				return nil, false
			}
			taken.add(piece{i.reads.from, size})
			i.reads = piece{}
		}
		if i.reads.to > limit {
			return nil, false
		}
		if f.Ends != nil && i.flow == onward && i.target != 0 && f.Ends(i.target) {
			i.flow = halts
		}
		if i.calls() {
			i.result = used
			if f.Bare != nil && f.Bare(i.target) {
				i.result = lostThen
			}
		}
		index[pc] = len(all)
		all = append(all, node{pc, i})
		pc += uintptr(i.size)
	}
	// What is read where another function takes the place of this one: its arguments. Results on the stack are read by the caller, and so they are found there.
	out := make(set, len(taken))
	out.add(piece{size + word, limit + 1})
	every := make(set, len(taken))
	every.add(piece{0, limit + 1})
	live := make([]set, len(all))
	for i := range live {
		live[i] = make(set, len(taken))
	}
	now := make(set, len(taken))
	for changed := true; changed; {
		changed = false
		for k := len(all) - 1; k >= 0; k-- {
			n := &all[k]
			clear(now)
			inside := func(pc uintptr) {
				if i, ok := index[pc]; ok {
					now.join(live[i])
				} else {
					now.join(out)
				}
			}
			next := n.pc + uintptr(n.size)
			switch n.flow {
			case onward:
				if k+1 < len(all) {
					now.join(live[k+1])
				}
			case jumps:
				inside(n.target)
			case forks:
				inside(n.target)
				inside(next)
			case exits:
				now.add(register)
			case lost:
				now.join(every)
			}
			now.remove(n.kills)
			now.add(n.reads)
			switch n.result {
			case used:
				now.add(register)
			case lostThen:
				now.remove(register)
			}
			changed = live[k].join(now) || changed
		}
	}
	frame := &Frame{size: size, register: register, at: make(map[uintptr]set)}
	for k := 1; k < len(all); k++ {
		if all[k-1].calls() {
			s := live[k]
			s.join(taken)
			s.add(piece{size - word, size + word}) // of the caller
			frame.at[all[k].pc] = s
		}
	}
	return frame, true
}

// calls reports whether an instruction is a call.
func (i instruction) calls() bool { return i.flow == onward && i.target != 0 }

// Size is how far the stack pointer is, while the function calls another one, from where its own return address lies, in bytes.
func (f *Frame) Size() int { return f.size }

// Live returns what may be read when a call returns to pc. It reports false if no call does.
func (f *Frame) Live(pc uintptr) (Slots, bool) {
	s, ok := f.at[pc]
	if !ok {
		return nil, false
	}
	var all Slots
	for at := 0; at < f.register.from; at += word {
		b := s[at/64] >> (at % 64) & (1<<word - 1)
		if b == 0 {
			continue
		}
		mask := uint64(0)
		for ; b != 0; b &= b - 1 {
			mask |= 0xff << (8 * bits.TrailingZeros64(b))
		}
		all = append(all, Slot{at, mask})
	}
	return all, true
}

// Unused reports whether it is known that the function does not read the first result of a call that returns to pc.
func (f *Frame) Unused(pc uintptr) bool {
	s, ok := f.at[pc]
	return ok && s[f.register.from/64]>>(f.register.from%64)&1 == 0
}

// word is the size of one, in bytes: the analysis is of machines with words of 64 bits.
const word = 8
