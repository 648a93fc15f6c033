// Package variables puts back after each execution what package-level variables hold, and what can be reached from there: the next one is of the same program. This
// is so of all packages but those of the standard library, and of this project: these have what the process needs, and go on with it.
//
// Which variables there are, the symbols of the binary say; what they point to, the collector's maps say. No type is looked at: a map, a lock, or a
// channel is memory as any other.
package variables

import (
	"strconv"
	"strings"
	"unsafe"
)

// FileVar names the file that says where package-level variables are: a line for each, "kind address size name", with numbers in hexadecimal. Of kind "at"
// there is one, of Anchor: the binary may lie elsewhere. Of kind "kept" are those of packages whose state is put back, of kind "other" those of this project, and of kind "std" all others: what lies there
// has a name, and is never put back.
const FileVar = "SPINDLE_INTERNAL_STATE"

// Anchor is a variable whose place is known.
var Anchor byte

type variable struct {
	At   unsafe.Pointer
	Size uintptr // bytes
	Name string  // of the variable, or of the first from which it is reached
}

// parse reads such a file, of a binary in which Anchor is at a place. Lines that say nothing are passed over.
func parse(text string, anchor uintptr) (kept, other, std []variable) {
	var moved uintptr
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		at, err1 := strconv.ParseUint(f[1], 16, 64)
		size, err2 := strconv.ParseUint(f[2], 16, 64)
		if err1 != nil || err2 != nil {
			continue
		}
		v := variable{unsafe.Add(unsafe.Pointer(nil), uintptr(at)+moved), uintptr(size), f[3]}
		switch f[0] {
		case "at":
			moved = anchor - uintptr(at)
		case "kept":
			kept = append(kept, v)
		case "other":
			other = append(other, v)
		case "std":
			std = append(std, v)
		}
	}
	return kept, other, std
}
