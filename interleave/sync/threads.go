//go:build spindle_runtime

package sync

import (
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// What code that is not explored does with package sync itself, on a thread: the types have the layout of these.

// What package sync calls in place of an operation of a thread. Its layout is that of the file that the overlay adds to it.
type hooks struct {
	step             func(unsafe.Pointer) bool
	lock             func(m *sync.Mutex)
	tryLock          func(m *sync.Mutex) bool
	unlock           func(m *sync.Mutex)
	rwLock           func(rw *sync.RWMutex)
	rwTryLock        func(rw *sync.RWMutex) bool
	rwUnlock         func(rw *sync.RWMutex)
	rLock            func(rw *sync.RWMutex)
	tryRLock         func(rw *sync.RWMutex) bool
	rUnlock          func(rw *sync.RWMutex)
	add              func(wg *sync.WaitGroup, delta int)
	groupWait        func(wg *sync.WaitGroup)
	do               func(o *sync.Once, f func())
	wait             func(c *sync.Cond)
	signal           func(c *sync.Cond)
	broadcast        func(c *sync.Cond)
	get              func(p *sync.Pool) any
	put              func(p *sync.Pool, x any)
	load             func(m *sync.Map, key any) (any, bool)
	store            func(m *sync.Map, key, value any)
	clear            func(m *sync.Map)
	loadOrStore      func(m *sync.Map, key, value any) (any, bool)
	loadAndDelete    func(m *sync.Map, key any) (any, bool)
	remove           func(m *sync.Map, key any)
	swap             func(m *sync.Map, key, value any) (any, bool)
	compareAndSwap   func(m *sync.Map, key, old, new any) bool
	compareAndDelete func(m *sync.Map, key, old any) bool
	all              func(m *sync.Map, f func(key, value any) bool)
}

//go:linkname spindleInstall sync.spindleInstall
func spindleInstall(*hooks)

func ofMutex(m *sync.Mutex) *Mutex          { return (*Mutex)(unsafe.Pointer(m)) }
func ofRWMutex(rw *sync.RWMutex) *RWMutex   { return (*RWMutex)(unsafe.Pointer(rw)) }
func ofGroup(wg *sync.WaitGroup) *WaitGroup { return (*WaitGroup)(unsafe.Pointer(wg)) }
func ofCond(c *sync.Cond) *Cond             { return (*Cond)(unsafe.Pointer(c)) }
func ofPool(p *sync.Pool) *Pool             { return (*Pool)(unsafe.Pointer(p)) }
func ofMap(m *sync.Map) *Map                { return (*Map)(unsafe.Pointer(m)) }

func init() {
	at := engine.CalledAt
	spindleInstall(&hooks{
		step:             engine.Steps,
		lock:             func(m *sync.Mutex) { ofMutex(m).LockAt(at()) },
		tryLock:          func(m *sync.Mutex) bool { return ofMutex(m).TryLockAt(at()) },
		unlock:           func(m *sync.Mutex) { ofMutex(m).UnlockAt(at()) },
		rwLock:           func(rw *sync.RWMutex) { ofRWMutex(rw).LockAt(at()) },
		rwTryLock:        func(rw *sync.RWMutex) bool { return ofRWMutex(rw).TryLockAt(at()) },
		rwUnlock:         func(rw *sync.RWMutex) { ofRWMutex(rw).UnlockAt(at()) },
		rLock:            func(rw *sync.RWMutex) { ofRWMutex(rw).RLockAt(at()) },
		tryRLock:         func(rw *sync.RWMutex) bool { return ofRWMutex(rw).TryRLockAt(at()) },
		rUnlock:          func(rw *sync.RWMutex) { ofRWMutex(rw).RUnlockAt(at()) },
		add:              func(wg *sync.WaitGroup, delta int) { ofGroup(wg).AddAt(at(), delta) },
		groupWait:        func(wg *sync.WaitGroup) { ofGroup(wg).WaitAt(at()) },
		do:               func(o *sync.Once, f func()) { (*Once)(unsafe.Pointer(o)).DoAt(at(), f) },
		wait:             func(c *sync.Cond) { ofCond(c).WaitAt(at()) },
		signal:           func(c *sync.Cond) { ofCond(c).SignalAt(at()) },
		broadcast:        func(c *sync.Cond) { ofCond(c).BroadcastAt(at()) },
		get:              func(p *sync.Pool) any { return ofPool(p).GetAt(at()) },
		put:              func(p *sync.Pool, x any) { ofPool(p).PutAt(at(), x) },
		load:             func(m *sync.Map, key any) (any, bool) { return ofMap(m).LoadAt(at(), key) },
		store:            func(m *sync.Map, key, value any) { ofMap(m).StoreAt(at(), key, value) },
		clear:            func(m *sync.Map) { ofMap(m).ClearAt(at()) },
		loadOrStore:      func(m *sync.Map, key, value any) (any, bool) { return ofMap(m).LoadOrStoreAt(at(), key, value) },
		loadAndDelete:    func(m *sync.Map, key any) (any, bool) { return ofMap(m).LoadAndDeleteAt(at(), key) },
		remove:           func(m *sync.Map, key any) { ofMap(m).DeleteAt(at(), key) },
		swap:             func(m *sync.Map, key, value any) (any, bool) { return ofMap(m).SwapAt(at(), key, value) },
		compareAndSwap:   func(m *sync.Map, key, old, new any) bool { return ofMap(m).CompareAndSwapAt(at(), key, old, new) },
		compareAndDelete: func(m *sync.Map, key, old any) bool { return ofMap(m).CompareAndDeleteAt(at(), key, old) },
		all:              func(m *sync.Map, f func(key, value any) bool) { ofMap(m).RangeAt(at(), f) },
	})
}
