package hook

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// A Late has the accesses of an assignment whose sides have operations: they are
// after these.
type Late struct {
	noted []lateAccess
}

type lateAccess struct {
	addr unsafe.Pointer
	size uintptr
	site Site
	read bool
}

func (l *Late) note(addr unsafe.Pointer, size uintptr, site Site, read bool) {
	if addr != nil && engine.Controlled() {
		l.noted = append(l.noted, lateAccess{addr, size, site, read})
	}
}

// Report tells of the accesses, at the end of the assignment.
func (l *Late) Report() {
	for _, a := range l.noted {
		if a.read {
			engine.Read(a.addr, a.size, a.site)
		}
		engine.Write(a.addr, a.size, a.site)
	}
	l.noted = l.noted[:0]
}

// LateW is W at the end of the assignment.
func LateW[T any](l *Late, site Site, p *T) *T {
	l.note(unsafe.Pointer(p), unsafe.Sizeof(*p), site, false)
	return p
}

// LateRW is RW at the end of the assignment.
func LateRW[T any](l *Late, site Site, p *T) *T {
	l.note(unsafe.Pointer(p), unsafe.Sizeof(*p), site, true)
	return p
}

// LateMapW is MapW at the end of the assignment.
func LateMapW[M ~map[K]V, K comparable, V any](l *Late, site Site, m M) M {
	l.note(word(m), 1, site, false)
	return m
}

// LateMapRW is MapRW at the end of the assignment.
func LateMapRW[M ~map[K]V, K comparable, V any](l *Late, site Site, m M) M {
	l.note(word(m), 1, site, true)
	return m
}

// Result is the read of a result by the caller of a function, when the deferred
// calls have been made.
func Result[T any](site Site, p *T) {
	engine.Read(unsafe.Pointer(p), unsafe.Sizeof(*p), site)
}
