//go:build spindle_runtime

package variables

import (
	"bytes"
	"unsafe"
)

// A Memory is what is reached from a stack and from package-level variables, and what it was like.
type Memory struct{ held State }

// Reach keeps what is reached from a stack, which lies between two addresses, except some objects and what is reached through these alone.
func (m *Memory) Reach(from, to uintptr, except ...unsafe.Pointer) {
	read()
	m.held = State{seen: make(map[unsafe.Pointer]bool)}
	for _, p := range except {
		if object, _ := spindleObject(p); object != nil {
			m.held.seen[object] = true
		}
	}
	for at := from; at < to; at += unsafe.Sizeof(at) {
		m.held.object(**(**unsafe.Pointer)(unsafe.Pointer(&at)), "")
	}
	m.held.follow()
}

// Changed reports whether something of it is different now.
func (m *Memory) Changed() bool {
	for i := range m.held.regions {
		if r := &m.held.regions[i]; !bytes.Equal(r.Was, r.Now()) {
			return true
		}
	}
	return false
}
