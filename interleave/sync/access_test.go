package sync

import (
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestEveryOperationIsAnAccess: each operation, beside a plain write of another thread
// to the first or the last byte of what it works on, is a data race; what is the
// user's own is not.
func TestEveryOperationIsAnAccess(t *testing.T) {
	engine.PlainAccesses = true
	defer func() { engine.PlainAccesses = false }()
	type all struct {
		m    Mutex
		rw   RWMutex
		wg   WaitGroup
		c    Cond
		pool Pool
		all  Map
	}
	mutex := func(a *all) (unsafe.Pointer, uintptr) { return unsafe.Pointer(&a.m), unsafe.Sizeof(a.m) }
	rw := func(a *all) (unsafe.Pointer, uintptr) { return unsafe.Pointer(&a.rw), unsafe.Sizeof(a.rw) }
	group := func(a *all) (unsafe.Pointer, uintptr) { return unsafe.Pointer(&a.wg), unsafe.Sizeof(a.wg) }
	cond := func(a *all) (unsafe.Pointer, uintptr) { return unsafe.Pointer(&a.c.notify), unsafe.Sizeof(a.c.notify) }
	pool := func(a *all) (unsafe.Pointer, uintptr) {
		return unsafe.Pointer(&a.pool.local), unsafe.Offsetof(a.pool.New) - unsafe.Offsetof(a.pool.local)
	}
	allKeys := func(a *all) (unsafe.Pointer, uintptr) { return unsafe.Pointer(&a.all), unsafe.Sizeof(a.all) }
	for _, p := range []struct {
		name  string
		of    func(*all) (unsafe.Pointer, uintptr)
		setup func(*all)
		do    func(*all)
		free  bool // no race
	}{
		{"Lock", mutex, nil, func(a *all) { a.m.Lock() }, false},
		{"TryLock", mutex, nil, func(a *all) { a.m.TryLock() }, false},
		{"a TryLock that fails", mutex, func(a *all) { a.m.Lock() }, func(a *all) { a.m.TryLock() }, false},
		{"Unlock", mutex, func(a *all) { a.m.Lock() }, func(a *all) { a.m.Unlock() }, false},
		{"Lock of a writer", rw, nil, func(a *all) { a.rw.Lock() }, false},
		{"TryLock of a writer", rw, nil, func(a *all) { a.rw.TryLock() }, false},
		{"Unlock of a writer", rw, func(a *all) { a.rw.Lock() }, func(a *all) { a.rw.Unlock() }, false},
		{"RLock", rw, nil, func(a *all) { a.rw.RLock() }, false},
		{"TryRLock", rw, nil, func(a *all) { a.rw.TryRLock() }, false},
		{"RUnlock", rw, func(a *all) { a.rw.RLock() }, func(a *all) { a.rw.RUnlock() }, false},
		{"Lock of a RLocker", rw, nil, func(a *all) { a.rw.RLocker().Lock() }, false},
		{"Add", group, nil, func(a *all) { a.wg.Add(1) }, false},
		{"Done", group, func(a *all) { a.wg.Add(1) }, func(a *all) { a.wg.Done() }, false},
		{"Wait of a group", group, nil, func(a *all) { a.wg.Wait() }, false},
		{"Signal", cond, nil, func(a *all) { a.c.Signal() }, false},
		{"Broadcast", cond, nil, func(a *all) { a.c.Broadcast() }, false},
		{"Wait", cond, func(a *all) { a.c.L = &a.m; a.m.Lock() }, func(a *all) { a.c.Wait() }, false},
		{"Get", pool, nil, func(a *all) { a.pool.Get() }, false},
		{"Put", pool, nil, func(a *all) { a.pool.Put(a) }, false},
		{"Load", allKeys, nil, func(a *all) { a.all.Load(1) }, false},
		{"Store", allKeys, nil, func(a *all) { a.all.Store(1, 2) }, false},
		{"Swap", allKeys, nil, func(a *all) { a.all.Swap(1, 2) }, false},
		{"LoadOrStore", allKeys, nil, func(a *all) { a.all.LoadOrStore(1, 2) }, false},
		{"LoadAndDelete", allKeys, nil, func(a *all) { a.all.LoadAndDelete(1) }, false},
		{"Delete", allKeys, nil, func(a *all) { a.all.Delete(1) }, false},
		{"CompareAndSwap", allKeys, nil, func(a *all) { a.all.CompareAndSwap(1, 2, 3) }, false},
		{"CompareAndDelete", allKeys, nil, func(a *all) { a.all.CompareAndDelete(1, 2) }, false},
		{"Clear", allKeys, nil, func(a *all) { a.all.Clear() }, false},
		{"Range", allKeys, nil, func(a *all) { a.all.Range(nil) }, false},
		{"Get, beside New", func(a *all) (unsafe.Pointer, uintptr) { return unsafe.Pointer(&a.pool.New), 8 }, nil, func(a *all) { a.pool.Get() }, true},
		{"Signal, beside L", func(a *all) (unsafe.Pointer, uintptr) { return unsafe.Pointer(&a.c.L), 16 }, nil, func(a *all) { a.c.Signal() }, true},
	} {
		for _, last := range []bool{false, true} {
			_, f, err := engine.Explore(engine.Options{Strategy: engine.DFS, Executions: 1}, func(x *engine.Exec) {
				a := new(all)
				if p.setup != nil {
					p.setup(a)
				}
				x.Daemon("calls", func() { p.do(a) })
				x.Go("writes", func() {
					at, size := p.of(a)
					if last {
						at = unsafe.Add(at, size-1)
					}
					engine.Write(at, 1, 0)
				})
			})
			if err != nil || (f == nil) != p.free || f != nil && f.Kind != engine.DataRace {
				t.Errorf("%s, the last byte %v: %v, %v, expected a data race: %v", p.name, last, f, err, !p.free)
			}
		}
	}
}
