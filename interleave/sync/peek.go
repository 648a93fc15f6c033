package sync

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

func init() { engine.Peek = peek }

// peek says what state an object was left in by the body, when a thread comes to
// its first operation on it.
func peek(addr unsafe.Pointer, k object.Kind) (s object.State) {
	switch {
	case k <= object.Unlock:
		if !mutexFree(addr) {
			s.Held = 1
		}
	case k <= object.WUnlock:
		s.Readers = int((*RWMutex)(addr).words().readerCount)
		if s.Readers < 0 {
			s.Held, s.Readers = 1, s.Readers+maxReaders
		}
	case k >= object.Count:
		s.Count = int((*WaitGroup)(addr).counter())
	}
	return s
}
