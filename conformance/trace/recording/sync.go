package recording

import (
	"sync"
	"unsafe"
)

// A WaitGroup is that of sync.
type WaitGroup = sync.WaitGroup

// A Mutex is a Mutex of sync.
type Mutex struct {
	mu      sync.Mutex
	version uint32 // how often it was taken and given back, under mu
}

func (m *Mutex) Lock() {
	m.mu.Lock()
	if t := now(); t != nil {
		t.note(1, unsafe.Pointer(m), Lock, m.version, 0, 0, true)
	}
	m.version++
}

func (m *Mutex) Unlock() {
	if t := now(); t != nil {
		t.note(1, unsafe.Pointer(m), Unlock, m.version, 0, 0, true)
	}
	m.version++
	m.mu.Unlock()
}

// Peek calls f while nobody has the lock, without a record of it.
func (m *Mutex) Peek(f func()) {
	m.mu.Lock()
	f()
	m.mu.Unlock()
}
