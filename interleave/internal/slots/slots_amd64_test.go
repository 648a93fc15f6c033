package slots

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// Instructions, for functions with a frame of 24 bytes: three words, of which the last is the pointer to the frame of the caller.
const (
	begin    = "55 4889e5 4883ec10 " // PUSHQ BP; MOVQ SP, BP; SUBQ $16, SP
	end      = "4883c410 5d c3 "     // ADDQ $16, SP; POPQ BP; RET
	call     = "e800010000 "         // CALL, of what the tests do not know
	store0   = "48890424 "           // MOVQ AX, (SP)
	store8   = "4889442408 "         // MOVQ AX, 8(SP)
	load0    = "488b0424 "           // MOVQ (SP), AX
	load8    = "488b442408 "         // MOVQ 8(SP), AX
	byte9    = "0fb6442409 "         // MOVZX 9(SP), AX
	store9   = "88442409 "           // MOVB AX, 9(SP)
	address  = "488d0424 "           // LEAQ (SP), AX
	address8 = "488d442408 "         // LEAQ 8(SP), AX
	twice    = "0f110424 "           // MOVUPS X0, (SP)
	argument = "488b442420 "         // MOVQ 32(SP), AX: the first of the caller
	zero     = "31c0 "               // XORL AX, AX
	test     = "84c0 "               // TESTB AX, AX
	quotient = "4899 "               // CQO, which reads AX
	table    = "ffe1 "               // JMP CX
	stack    = "4889e0 "             // MOVQ SP, AX
	minus    = "4829e0 "             // SUBQ SP, AX
	no       = "cc "                 // INT3
	back     = "ebf9 "               // JMP to the call before it
	over     = "7505 "               // JNE, over five bytes
	bad      = "06 "                 // no instruction
	swap     = "f0480fc10424 "       // LOCK XADDQ AX, (SP)
)

// function makes one of instructions. The pointer to the stack is as the instructions say.
func function(t *testing.T, text string) (f Function, after []uintptr) {
	t.Helper()
	code, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	const entry = 0x1000
	f = Function{Entry: entry, Code: code}
	delta, behind := 0, map[string]int{"55": 8, "4883ec10": 24, "4883c410": 8, "5d": 0}
	for pc, fields := uintptr(entry), strings.Fields(text); len(fields) > 0; fields = fields[1:] {
		pc += uintptr(len(fields[0]) / 2)
		f.Steps = append(f.Steps, Step{pc, delta})
		if d, ok := behind[fields[0]]; ok {
			delta = d
		}
		if fields[0]+" " == call {
			after = append(after, pc)
		}
	}
	return f, after
}

// of says which bytes of the two words of a function may be read when its calls return, and whether results are not.
func of(t *testing.T, text string) string {
	t.Helper()
	f, after := function(t, text)
	f.Bare = func(target uintptr) bool { return false }
	frame, ok := Analyze(f)
	if !ok {
		return "unknown"
	}
	var all []string
	for _, pc := range after {
		s := ""
		live, ok := frame.Live(pc)
		if !ok {
			s = "?"
		}
		for _, l := range live {
			switch {
			case l.Offset >= 16 && l.Offset < 32: // of the caller
			case l.Mask == ^uint64(0):
				s += fmt.Sprintf(" %d", l.Offset)
			default:
				s += fmt.Sprintf(" %d:%x", l.Offset, l.Mask)
			}
			if l.Offset >= 32 { // what is behind is the same
				break
			}
		}
		if frame.Unused(pc) {
			s += " unused"
		}
		all = append(all, strings.TrimSpace(s))
	}
	return strings.Join(all, "; ")
}

// TestLive: what may be read of a frame, by its code.
func TestLive(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"nothing", call + zero, "unused"},
		{"a word", call + load0, "0 unused"},
		{"another", call + load8, "8 unused"},
		{"written first", call + zero + store0 + load0, "unused"},
		{"written later", call + load0 + store0, "0 unused"},
		{"two by one", call + twice + load0 + load8, "unused"},
		{"a byte", call + byte9, "8:ff00 unused"},
		{"a byte is written, the word is read", call + store9 + load8, "8:ffffffffffff00ff"},
		{"a word is written, the byte is read", call + zero + store8 + byte9, "unused"},
		{"read and written", call + zero + swap, "0 unused"},
		{"an address is taken", address + call + zero, "0 8 unused"},
		{"an address is taken, of the last", address8 + call + zero, "8 unused"},
		{"the address of an argument is taken", "488d442420 " + call + zero, "unknown"},
		{"on one way", call + test + over + load8, "8"},
		{"round again", call + load0 + zero + call + store8 + zero, "0 unused; "},
		{"for ever", call + back, ""},
		{"for ever, with a word", load0 + call + "ebf5 ", "0 unused"},
		{"an argument", call + argument, "32 unused"},
		{"the result", call + store0, ""},
		{"another function takes its place", call + zero + "4883c410 5d e900010000 ", "32 unused"},
		{"the result, by no name", call + quotient, ""},
		{"a way that is not known", call + zero + table, "0 8 32 unused"},
		{"where the stack is", stack + call, "unknown"},
		{"how far an address is from it", address + minus + call + zero, "unused"},
		{"how far an argument is from it", "488d442420 " + minus + call + zero, "unused"},
		{"an address, and how far another is", address + "4829e3 " + call + zero, "0 8 unused"},
		{"no instruction", call + bad, "unknown"},
		{"never", call + no + load0, ""},
	} {
		if got := of(t, begin+c.code+end); got != c.want {
			t.Errorf("%s: expected %q, saw %q", c.name, c.want, got)
		}
	}
}

// TestEnds: what comes behind a call that never returns does not count, nor is the result read by a call without arguments.
func TestEnds(t *testing.T) {
	f, after := function(t, begin+call+zero+call+load0+end)
	f.Ends = func(target uintptr) bool { return target == after[1]+0x100 }
	frame, ok := Analyze(f)
	if !ok {
		t.Fatal("expected it to be known")
	}
	if live, _ := frame.Live(after[0]); len(live) != 2 { // what is the caller's
		t.Errorf("expected that nothing is read, saw %v", live)
	}
	f, after = function(t, begin+call+call+end)
	for _, bare := range []bool{false, true} {
		f.Bare = func(uintptr) bool { return bare }
		if frame, _ = Analyze(f); frame.Unused(after[0]) != bare {
			t.Errorf("a call behind it without arguments: %v: expected the result to be unused: %v", bare, bare)
		}
	}
}

// TestElsewhere: of an address that is behind no call nothing is said.
func TestElsewhere(t *testing.T) {
	f, after := function(t, begin+call+load0+end)
	frame, _ := Analyze(f)
	if _, ok := frame.Live(after[0] + 4); ok || frame.Unused(after[0]+4) {
		t.Error("expected nothing of an address behind no call")
	}
	if frame.Size() != 24 {
		t.Errorf("expected a frame of 24 bytes, saw %d", frame.Size())
	}
}
