package sync

import (
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// An RWMutex is a [sync.RWMutex].
//
// Threads work on the words of the original, as its methods do. No other way
// has one state for both worlds: that a writer waits for the readers that are in
// and shuts out others cannot be brought about by calls that do not block. Where
// the words are is checked when the program begins.
//
// Readers that wait are not counted, as they are by the original: to have one go
// on before any writer that comes later is a choice of the scheduler's among
// others, and a program cannot tell whether a reader that did not has called
// RLock yet.
type RWMutex struct{ rw sync.RWMutex }

// rwWords is how a sync.RWMutex is laid out.
type rwWords struct {
	w           sync.Mutex // held by the writer that is in or waits for readers
	writerSem   uint32
	readerSem   uint32
	readerCount int32 // readers that are in, less maxReaders if there is a writer
	readerWait  int32 // readers that the writer waits for
}

const maxReaders = 1 << 30

func (rw *RWMutex) words() *rwWords { return (*rwWords)(unsafe.Pointer(rw)) }

// Lock is [sync.RWMutex.Lock].
func (rw *RWMutex) Lock() { rw.LockAt(0) }

// LockAt is Lock at site.
func (rw *RWMutex) LockAt(site Site) {
	if !engine.Controlled() {
		if !rw.rw.TryLock() {
			engine.WaitsOutside("a lock that is not given back")
			rw.rw.Lock()
		}
		return
	}
	engine.Await(unsafe.Pointer(rw), object.WLock, site, noWriter, unsafe.Pointer(rw))
	engine.Touches(unsafe.Pointer(rw), unsafe.Sizeof(*rw))
	w := rw.words()
	w.w.TryLock()
	readers := w.readerCount
	w.readerCount -= maxReaders
	w.readerWait += readers
	engine.End(0, 1, true)
	if readers != 0 {
		engine.Await(unsafe.Pointer(rw), object.WDrain, site, drained, unsafe.Pointer(rw))
		engine.Touches(unsafe.Pointer(rw), unsafe.Sizeof(*rw))
		engine.End(0, 0, true)
	}
}

// TryLock is [sync.RWMutex.TryLock].
func (rw *RWMutex) TryLock() bool { return rw.TryLockAt(0) }

// TryLockAt is TryLock at site.
func (rw *RWMutex) TryLockAt(site Site) bool {
	if !engine.Controlled() {
		return rw.rw.TryLock()
	}
	engine.Begin(unsafe.Pointer(rw), object.TryWLock, site)
	engine.Touches(unsafe.Pointer(rw), unsafe.Sizeof(*rw))
	if !rw.rw.TryLock() {
		engine.End(1, 1, false)
		return false
	}
	engine.End(0, 1, true)
	return true
}

// Unlock is [sync.RWMutex.Unlock]. Of an RWMutex that is not locked for writing
// it is a failure that no recover helps against: the original ends the process.
func (rw *RWMutex) Unlock() { rw.UnlockAt(0) }

// UnlockAt is Unlock at site.
func (rw *RWMutex) UnlockAt(site Site) {
	if !engine.Controlled() {
		rw.rw.Unlock()
		return
	}
	engine.Begin(unsafe.Pointer(rw), object.WUnlock, site)
	engine.Touches(unsafe.Pointer(rw), unsafe.Sizeof(*rw))
	w := rw.words()
	if w.readerCount >= 0 {
		engine.End(0, 0, false)
		engine.Fatal("sync: Unlock of unlocked RWMutex")
	}
	w.readerCount += maxReaders
	w.w.Unlock()
	engine.End(1, 0, true)
}

// RLock is [sync.RWMutex.RLock].
func (rw *RWMutex) RLock() { rw.RLockAt(0) }

// RLockAt is RLock at site.
func (rw *RWMutex) RLockAt(site Site) {
	if !engine.Controlled() {
		if !rw.rw.TryRLock() {
			engine.WaitsOutside("a lock that is not given back")
			rw.rw.RLock()
		}
		return
	}
	engine.Await(unsafe.Pointer(rw), object.RLock, site, noWriter, unsafe.Pointer(rw))
	engine.Touches(unsafe.Pointer(rw), unsafe.Sizeof(*rw))
	rw.words().readerCount++
	engine.End(0, 1, true) // not how many: readers do not see each other
}

// TryRLock is [sync.RWMutex.TryRLock].
func (rw *RWMutex) TryRLock() bool { return rw.TryRLockAt(0) }

// TryRLockAt is TryRLock at site.
func (rw *RWMutex) TryRLockAt(site Site) bool {
	if !engine.Controlled() {
		return rw.rw.TryRLock()
	}
	engine.Begin(unsafe.Pointer(rw), object.TryRLock, site)
	engine.Touches(unsafe.Pointer(rw), unsafe.Sizeof(*rw))
	if !rw.rw.TryRLock() {
		engine.End(0, 0, false)
		return false
	}
	engine.End(0, 1, true)
	return true
}

// RUnlock is [sync.RWMutex.RUnlock]. Of an RWMutex that is not locked for reading
// it is a failure that no recover helps against: the original ends the process.
func (rw *RWMutex) RUnlock() { rw.RUnlockAt(0) }

// RUnlockAt is RUnlock at site.
func (rw *RWMutex) RUnlockAt(site Site) {
	if !engine.Controlled() {
		rw.rw.RUnlock()
		return
	}
	engine.Begin(unsafe.Pointer(rw), object.RUnlock, site)
	engine.Touches(unsafe.Pointer(rw), unsafe.Sizeof(*rw))
	w := rw.words()
	if w.readerCount == 0 || w.readerCount == -maxReaders {
		engine.End(0, 0, false)
		engine.Fatal("sync: RUnlock of unlocked RWMutex")
	}
	w.readerCount--
	if w.readerCount < 0 {
		w.readerWait--
	}
	engine.End(1, 0, true)
}

func noWriter(rw unsafe.Pointer) bool { return (*RWMutex)(rw).words().readerCount >= 0 }

func drained(rw unsafe.Pointer) bool { return (*RWMutex)(rw).words().readerWait == 0 }

// RLocker is [sync.RWMutex.RLocker].
func (rw *RWMutex) RLocker() Locker { return (*rlocker)(rw) }

type rlocker RWMutex

func (r *rlocker) Lock()              { (*RWMutex)(r).RLock() }
func (r *rlocker) LockAt(site Site)   { (*RWMutex)(r).RLockAt(site) }
func (r *rlocker) Unlock()            { (*RWMutex)(r).RUnlock() }
func (r *rlocker) UnlockAt(site Site) { (*RWMutex)(r).RUnlockAt(site) }
