//go:build spindle_runtime

package variables

import (
	"bytes"
	"unsafe"
)

// A Memory is what is reached from a stack and from package-level variables, and what it was like.
type Memory struct {
	State
	seen map[unsafe.Pointer]bool
}

// Reach keeps what is reached from a stack, as what lies between two addresses, but for some objects and what is reached from them alone.
func (m *Memory) Reach(from, to uintptr, but ...unsafe.Pointer) {
	read()
	*m = Memory{seen: make(map[unsafe.Pointer]bool)}
	for _, p := range but {
		if object, _ := spindleObject(p); object != nil {
			m.seen[object] = true
		}
	}
	add := func(v variable) {
		r := Region{variable: v}
		r.Was = bytes.Clone(r.Now())
		m.regions = append(m.regions, r)
	}
	object := func(p unsafe.Pointer) {
		object, n := spindleObject(p)
		if object == nil {
			object, n = unnamed(p)
		}
		if object != nil && !m.seen[object] && len(m.regions) < mostReached {
			m.seen[object] = true
			m.keep = append(m.keep, object)
			add(variable{object, n, ""})
		}
	}
	for at := from; at < to; at += unsafe.Sizeof(at) {
		object(**(**unsafe.Pointer)(unsafe.Pointer(&at)))
	}
	for _, v := range known.kept {
		add(v)
	}
	for i := 0; i < len(m.regions); i++ {
		spindleEdges(m.regions[i].At, m.regions[i].Size, object)
	}
}

// mostReached bounds the objects.
const mostReached = 10_000

// Changed returns what is different now: nil for nothing. The memory may be that of a variable that the program no longer uses, and that the stack has still.
func (m *Memory) Changed() *Region {
	for i := range m.regions {
		if r := &m.regions[i]; !bytes.Equal(r.Was, r.Now()) {
			return r
		}
	}
	return nil
}
