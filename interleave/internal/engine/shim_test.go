package engine_test

import (
	"unsafe"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	. "github.com/spindle-go/spindle/interleave/internal/object"
)

// here is the place of operations that are given none.
var here Site

// word is a drop-in of the tests' own.
type word struct{ v uint64 }

func (w *word) load() uint64 { return w.loadAt(here) }

func (w *word) loadAt(site Site) uint64 {
	Begin(unsafe.Pointer(w), Load, site)
	Touches(unsafe.Pointer(w), unsafe.Sizeof(*w))
	v := w.v
	if Buffering {
		if own, ok := Forward(unsafe.Pointer(w)); ok {
			v = own
		}
	}
	End(v, 0, false)
	return v
}

// release is a store that may stay in a buffer.
func (w *word) release(v uint64) { w.releaseAt(here, v) }

func (w *word) releaseAt(site Site, v uint64) {
	Buffer(unsafe.Pointer(w), site, v, func() uint64 {
		Touches(unsafe.Pointer(w), unsafe.Sizeof(*w))
		old := w.v
		w.v = v
		return old
	})
}

func (w *word) store(v uint64) { w.storeAt(here, v) }

func (w *word) storeAt(site Site, v uint64) {
	Begin(unsafe.Pointer(w), Store, site)
	Touches(unsafe.Pointer(w), unsafe.Sizeof(*w))
	old := w.v
	w.v = v
	End(old, v, true)
}

func (w *word) add(v uint64) uint64 { return w.addAt(here, v) }

func (w *word) addAt(site Site, v uint64) uint64 {
	Begin(unsafe.Pointer(w), Add, site)
	Touches(unsafe.Pointer(w), unsafe.Sizeof(*w))
	old := w.v
	w.v += v
	End(old, old+v, true)
	return old + v
}

func (w *word) swap(v uint64) uint64 { return w.swapAt(here, v) }

func (w *word) swapAt(site Site, v uint64) uint64 {
	Begin(unsafe.Pointer(w), Swap, site)
	Touches(unsafe.Pointer(w), unsafe.Sizeof(*w))
	old := w.v
	w.v = v
	End(old, v, true)
	return old
}

func (w *word) cas(old, v uint64) bool { return w.casAt(here, old, v) }

func (w *word) casAt(site Site, old, v uint64) bool {
	Begin(unsafe.Pointer(w), CompareAndSwap, site)
	Compare(old)
	Touches(unsafe.Pointer(w), unsafe.Sizeof(*w))
	was := w.v
	if was == old {
		w.v = v
	}
	End(was, w.v, was == old)
	return was == old
}

type mutex struct {
	locked bool
	_      uint64
}

func mutexFree(p unsafe.Pointer) bool { return !(*mutex)(p).locked }

func (m *mutex) lock() { m.lockAt(here) }

func (m *mutex) lockAt(site Site) {
	Await(unsafe.Pointer(m), Lock, site, mutexFree, unsafe.Pointer(m))
	Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	m.locked = true
	End(0, 1, true)
}

func (m *mutex) tryLock() bool { return m.tryLockAt(here) }

func (m *mutex) tryLockAt(site Site) bool {
	Begin(unsafe.Pointer(m), TryLock, site)
	Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	ok := !m.locked
	m.locked = true
	End(0, 1, ok)
	return ok
}

func (m *mutex) unlock() { m.unlockAt(here) }

func (m *mutex) unlockAt(site Site) {
	Begin(unsafe.Pointer(m), Unlock, site)
	Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	m.locked = false
	End(1, 0, true)
}

type rwmutex struct {
	readers int
	writer  bool
}

func noWriter(p unsafe.Pointer) bool  { return !(*rwmutex)(p).writer }
func noReaders(p unsafe.Pointer) bool { return (*rwmutex)(p).readers == 0 }

func (m *rwmutex) rlock() {
	Await(unsafe.Pointer(m), RLock, here, noWriter, unsafe.Pointer(m))
	Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	m.readers++
	End(0, 1, true)
}

func (m *rwmutex) runlock() {
	Begin(unsafe.Pointer(m), RUnlock, here)
	Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	m.readers--
	End(1, 0, true)
}

func (m *rwmutex) tryRLock() bool {
	Begin(unsafe.Pointer(m), TryRLock, here)
	Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	if m.writer {
		End(0, 0, false)
		return false
	}
	m.readers++
	End(0, 1, true)
	return true
}

func (m *rwmutex) tryLock() bool {
	Begin(unsafe.Pointer(m), TryWLock, here)
	Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	if m.writer || m.readers > 0 {
		End(1, 1, false)
		return false
	}
	m.writer = true
	End(0, 1, true)
	return true
}

func (m *rwmutex) lock() {
	Await(unsafe.Pointer(m), WLock, here, noWriter, unsafe.Pointer(m))
	Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	m.writer = true
	End(0, 1, true)
	Await(unsafe.Pointer(m), WDrain, here, noReaders, unsafe.Pointer(m))
	Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	End(0, 0, true)
}

func (m *rwmutex) unlock() {
	Begin(unsafe.Pointer(m), WUnlock, here)
	Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	m.writer = false
	End(1, 0, true)
}

type group struct{ n int }

func zero(p unsafe.Pointer) bool { return (*group)(p).n == 0 }

func (g *group) add(n int) {
	Begin(unsafe.Pointer(g), Count, here)
	Touches(unsafe.Pointer(g), unsafe.Sizeof(*g))
	old := g.n
	g.n += n
	End(uint64(old), uint64(g.n), true)
}

func (g *group) wait() {
	Await(unsafe.Pointer(g), Wait, here, zero, unsafe.Pointer(g))
	Touches(unsafe.Pointer(g), unsafe.Sizeof(*g))
	End(0, 0, false)
}

func init() {
	Peek = func(p unsafe.Pointer, k Kind) (s State) {
		switch {
		case k <= Unlock:
			if (*mutex)(p).locked {
				s.Held = 1
			}
		case k <= WUnlock:
			s.Readers = (*rwmutex)(p).readers
			if (*rwmutex)(p).writer {
				s.Held = 1
			}
		case k >= Count:
			s.Count = (*group)(p).n
		}
		return s
	}
}
