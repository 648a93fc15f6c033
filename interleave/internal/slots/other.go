//go:build !amd64

package slots

// Known reports whether the machine code of this platform is known.
const Known = false

func decode([]byte, uintptr) (instruction, bool) { return instruction{}, false }
