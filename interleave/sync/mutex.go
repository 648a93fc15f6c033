package sync

import (
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A Mutex is a [sync.Mutex].
type Mutex struct{ mu sync.Mutex }

// Lock is [sync.Mutex.Lock].
func (m *Mutex) Lock() { m.LockAt(0) }

// LockAt is Lock at site.
func (m *Mutex) LockAt(site Site) {
	if !engine.Controlled() {
		if !m.mu.TryLock() {
			engine.WaitsOutside("a lock that is not given back")
			m.mu.Lock()
		}
		return
	}
	engine.Await(unsafe.Pointer(m), object.Lock, site, mutexFree, unsafe.Pointer(m))
	engine.Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	m.mu.TryLock()
	engine.End(0, 1, true)
}

// TryLock is [sync.Mutex.TryLock].
func (m *Mutex) TryLock() bool { return m.TryLockAt(0) }

// TryLockAt is TryLock at site.
func (m *Mutex) TryLockAt(site Site) bool {
	if !engine.Controlled() {
		return m.mu.TryLock()
	}
	engine.Begin(unsafe.Pointer(m), object.TryLock, site)
	engine.Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	if !m.mu.TryLock() {
		engine.End(1, 1, false)
		return false
	}
	engine.End(0, 1, true)
	return true
}

// Unlock is [sync.Mutex.Unlock]. Of a mutex that is not locked it is a failure that no
// recover helps against: the original ends the process.
func (m *Mutex) Unlock() { m.UnlockAt(0) }

// UnlockAt is Unlock at site.
func (m *Mutex) UnlockAt(site Site) {
	if !engine.Controlled() {
		if engine.Outside() && free(&m.mu) {
			engine.Fatal("sync: unlock of unlocked mutex")
		}
		m.mu.Unlock()
		return
	}
	engine.Begin(unsafe.Pointer(m), object.Unlock, site)
	engine.Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	if free(&m.mu) {
		engine.End(0, 0, false)
		engine.Fatal("sync: unlock of unlocked mutex")
	}
	m.mu.Unlock()
	engine.End(1, 0, true)
}

func mutexFree(m unsafe.Pointer) bool { return free(&(*Mutex)(m).mu) }

// free reports whether nobody holds m. The scheduler asks at every step, so it
// is made cheap: the zero value of a Mutex is unlocked, by its documentation;
// what is not zero is tried, which costs one load if it is locked.
func free(m *sync.Mutex) bool {
	if *(*mutexBytes)(unsafe.Pointer(m)) == (mutexBytes{}) {
		return true
	}
	if !m.TryLock() {
		return false
	}
	m.Unlock()
	return true
}

type mutexBytes [unsafe.Sizeof(sync.Mutex{}) / 4]uint32
