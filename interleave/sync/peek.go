package sync

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

func init() { engine.Peek = peek }

// peek says what state an object was left in by the body, when a thread comes to
// its first operation on it: how often it is locked, for reading, and the counter.
func peek(addr unsafe.Pointer, k engine.Kind) (held, readers, count int) {
	switch {
	case k <= engine.Unlock:
		if !mutexFree(addr) {
			held = 1
		}
	case k <= engine.WUnlock:
		readers = int((*RWMutex)(addr).words().readerCount)
		if readers < 0 {
			held, readers = 1, readers+maxReaders
		}
	case k >= engine.Count:
		count = int((*WaitGroup)(addr).counter())
	}
	return held, readers, count
}
