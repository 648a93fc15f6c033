package slots

import "golang.org/x/arch/x86/x86asm"

// Known reports whether the machine code of this platform is known.
const Known = true

// A call whose target is not known has this one.
const anywhere = ^uintptr(0)

func decode(code []byte, pc uintptr) (i instruction, ok bool) {
	inst, err := x86asm.Decode(code, 64)
	if err != nil {
		return i, false
	}
	i.size = inst.Len
	next := pc + uintptr(inst.Len)
	switch inst.Op {
	case x86asm.RET:
		i.flow = exits
	case x86asm.UD1, x86asm.UD2:
		i.flow = halts
	case x86asm.INT:
		i.flow = halts
	case x86asm.JMP:
		i.flow = lost
		if to, is := inst.Args[0].(x86asm.Rel); is {
			i.flow, i.target = jumps, next+uintptr(to)
		}
	case x86asm.CALL:
		i.target = anywhere
		if to, is := inst.Args[0].(x86asm.Rel); is {
			i.target = next + uintptr(to)
		}
	default:
		if to, is := inst.Args[0].(x86asm.Rel); is {
			i.flow, i.target = forks, next+uintptr(to)
		}
	}
	i.result = resultIn(inst)
	for k, a := range inst.Args {
		switch a := a.(type) {
		case x86asm.Reg:
			if a == x86asm.RSP || a == x86asm.ESP || a == x86asm.SP {
				i.odd = i.odd || !moves(inst) && !(inst.Op == x86asm.SUB && k == 1)
			}
		case x86asm.Mem:
			if a.Base != x86asm.RSP {
				i.odd = i.odd || a.Index == x86asm.RSP
				continue
			}
			from := int(a.Disp)
			n := inst.MemBytes
			switch {
			case inst.Op == x86asm.LEA && measures(code[inst.Len:], inst.Args[0]):
			case inst.Op == x86asm.LEA || a.Index != 0:
				i.taken, i.reads = true, piece{from, from + 1}
			case n > 0 && k == 0 && stores[inst.Op]:
				i.kills = piece{from, from + n}
			case n > 0:
				i.reads = piece{from, from + n}
			default:
				i.reads = piece{from, from + largestBytes}
			}
		}
	}
	return i, true
}

// moves reports whether an instruction makes a frame, or ends it.
func moves(inst x86asm.Inst) bool {
	if inst.Op == x86asm.MOV && inst.Args[0] == x86asm.RBP {
		return true // which has nothing but the chain of frames
	}
	_, fixed := inst.Args[1].(x86asm.Imm)
	return (inst.Op == x86asm.ADD || inst.Op == x86asm.SUB) && inst.Args[0] == x86asm.RSP && fixed
}

// measures reports whether code begins with a subtraction of the stack pointer from a register, which has an address of the frame: whether something lies in the frame is asked so, since
// Go 1.26 of slices that are made there, and not what is there.
func measures(code []byte, register x86asm.Arg) bool {
	inst, err := x86asm.Decode(code, 64)
	return err == nil && inst.Op == x86asm.SUB && inst.Args[0] == register && inst.Args[1] == x86asm.RSP
}

// stores are instructions that write to the memory that they have first, and do not read it.
var stores = map[x86asm.Op]bool{
	x86asm.MOV: true, x86asm.MOVUPS: true, x86asm.MOVAPS: true, x86asm.MOVUPD: true, x86asm.MOVAPD: true, x86asm.MOVDQU: true, x86asm.MOVDQA: true,
	x86asm.MOVSD_XMM: true, x86asm.MOVSS: true, x86asm.MOVQ: true, x86asm.MOVD: true,
	x86asm.SETA: true, x86asm.SETAE: true, x86asm.SETB: true, x86asm.SETBE: true, x86asm.SETE: true, x86asm.SETG: true, x86asm.SETGE: true, x86asm.SETL: true,
	x86asm.SETLE: true, x86asm.SETNE: true, x86asm.SETNO: true, x86asm.SETNP: true, x86asm.SETNS: true, x86asm.SETO: true, x86asm.SETP: true, x86asm.SETS: true,
}

// resultIn says what an instruction does with RAX.
func resultIn(inst x86asm.Inst) use {
	if _, jump := inst.Args[0].(x86asm.Rel); !jump && !plain[inst.Op] {
		return used
	}
	if (inst.Op == x86asm.XOR || inst.Op == x86asm.SUB) && inst.Args[0] == inst.Args[1] && whole[inst.Args[0]] {
		return lostThen
	}
	for k, a := range inst.Args {
		switch a := a.(type) {
		case x86asm.Reg:
			if ofResult[a] && (k > 0 || !writes[inst.Op]) {
				return used
			}
		case x86asm.Mem:
			if a.Base == x86asm.RAX || a.Index == x86asm.RAX {
				return used
			}
		}
	}
	if writes[inst.Op] && whole[inst.Args[0]] {
		return lostThen
	}
	return none
}

var (
	ofResult = map[x86asm.Reg]bool{x86asm.RAX: true, x86asm.EAX: true, x86asm.AX: true, x86asm.AL: true, x86asm.AH: true}
	whole    = map[x86asm.Arg]bool{x86asm.RAX: true, x86asm.EAX: true} // a write of the lower half clears the upper
	// writes are instructions that only write the register that they have first.
	writes = map[x86asm.Op]bool{x86asm.MOV: true, x86asm.LEA: true, x86asm.MOVZX: true, x86asm.MOVSX: true, x86asm.MOVSXD: true, x86asm.POP: true}
	// plain are those that use no register which they do not have.
	plain = map[x86asm.Op]bool{
		x86asm.MOV: true, x86asm.LEA: true, x86asm.MOVZX: true, x86asm.MOVSX: true, x86asm.MOVSXD: true, x86asm.POP: true, x86asm.PUSH: true,
		x86asm.ADD: true, x86asm.SUB: true, x86asm.AND: true, x86asm.OR: true, x86asm.XOR: true, x86asm.CMP: true, x86asm.TEST: true,
		x86asm.INC: true, x86asm.DEC: true, x86asm.NEG: true, x86asm.NOT: true, x86asm.SHL: true, x86asm.SHR: true, x86asm.SAR: true,
		x86asm.NOP: true, x86asm.XCHG: true, x86asm.MOVUPS: true, x86asm.JMP: true, x86asm.RET: true,
	}
)
