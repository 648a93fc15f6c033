// Package unseen knows the code of which not all is reported that it reads, writes and calls: assembly, C, functions that say //go:norace, and the builtin clear of a
// slice. Which functions call such code is read from the machine code. What may go wrong there unnoticed is for package race to say.
package unseen

import (
	"encoding/binary"
	"runtime"
)

// Packages says of which packages not all is reported, and what is not: "assembly".
var Packages = make(map[string]string)

// Hiding are packages from which code may be called that writes without a report.
var Hiding = make(map[string]bool)

// NoRace are the functions that say //go:norace, as the runtime names them, without type arguments.
var NoRace = make(map[string]bool)

// CallsKnown reports whether the calls of a function can be read from the machine code of this platform.
const CallsKnown = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"

// A call is one of a function in machine code, or a jump there.
type call struct {
	pc     uintptr // behind its first byte
	target uintptr
}

// calls returns those of the machine code of an architecture, which lies at entry, to what lies outside of it. What looks like one, and is none, counts, too.
func calls(arch string, code []byte, entry uintptr) (all []call) {
	add := func(at int, target uintptr) {
		if target-entry >= uintptr(len(code)) {
			all = append(all, call{entry + uintptr(at) + 1, target})
		}
	}
	switch arch {
	case "amd64":
		for i := 0; i+5 <= len(code); i++ {
			if code[i] == 0xe8 || code[i] == 0xe9 { // CALL, JMP
				add(i, entry+uintptr(i)+5+uintptr(int32(binary.LittleEndian.Uint32(code[i+1:]))))
			}
		}
	case "arm64":
		for i := 0; i+4 <= len(code); i += 4 {
			if word := binary.LittleEndian.Uint32(code[i:]); word>>26&0x1f == 0b00101 { // BL, B
				add(i, entry+uintptr(i)+uintptr(int32(word<<6)>>4))
			}
		}
	}
	return all
}
