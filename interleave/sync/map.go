package sync

import (
	"sort"
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// A Map is a [sync.Map]. For the scheduler it is one object: a call that reads
// comes before or after one that writes, whatever their keys.
type Map struct{ m sync.Map }

type mapKey struct {
	m   *Map
	key any
	by  int // of all keys that thread by-1 changes, if it is not 0
}

// Load is [sync.Map.Load].
func (m *Map) Load(key any) (value any, ok bool) { return m.LoadAt(0, key) }

// LoadAt is Load at site.
func (m *Map) LoadAt(site Site, key any) (value any, ok bool) {
	if engine.Controlled() {
		words := *(*[2]unsafe.Pointer)(unsafe.Pointer(&key))
		engine.With(uint64(uintptr(words[0])), uint64(uintptr(words[1])))
	}
	return m.loadAt(site, key)
}

// loadAt is LoadAt, of a key that is not told.
func (m *Map) loadAt(site Site, key any) (value any, ok bool) {
	if engine.Controlled() {
		engine.Begin(unsafe.Pointer(m), object.MapRead, site)
		engine.Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
		// Deferred, here and below, because a key that cannot be hashed and an old
		// value that cannot be compared make the original panic.
		defer func() { engine.EndPointer(data(value), nil, false) }()
	}
	value, ok = m.m.Load(key)
	m.order(site, key, true, false)
	return value, ok
}

// Store is [sync.Map.Store].
func (m *Map) Store(key, value any) { m.StoreAt(0, key, value) }

// StoreAt is Store at site.
func (m *Map) StoreAt(site Site, key, value any) { m.put(site, key, value, false) }

// Swap is [sync.Map.Swap].
func (m *Map) Swap(key, value any) (previous any, loaded bool) { return m.SwapAt(0, key, value) }

// SwapAt is Swap at site.
func (m *Map) SwapAt(site Site, key, value any) (previous any, loaded bool) {
	return m.put(site, key, value, true)
}

// put is Swap, and if reads is false Store, which does not look at what was there.
func (m *Map) put(site Site, key, value any, reads bool) (previous any, loaded bool) {
	if engine.Controlled() {
		engine.Begin(unsafe.Pointer(m), object.MapWrite, site)
		engine.Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
		defer func() { engine.EndPointer(data(previous), data(value), true) }()
	}
	previous, loaded = m.m.Swap(key, value)
	m.order(site, key, reads, true)
	m.came(key, !loaded)
	return previous, loaded
}

// LoadOrStore is [sync.Map.LoadOrStore].
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	return m.LoadOrStoreAt(0, key, value)
}

// LoadOrStoreAt is LoadOrStore at site.
func (m *Map) LoadOrStoreAt(site Site, key, value any) (actual any, loaded bool) {
	if engine.Controlled() {
		engine.Begin(unsafe.Pointer(m), object.MapWrite, site)
		engine.Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
		defer func() {
			var before unsafe.Pointer
			if loaded {
				before = data(actual)
			}
			engine.EndPointer(before, data(actual), !loaded)
		}()
	}
	actual, loaded = m.m.LoadOrStore(key, value)
	m.order(site, key, true, !loaded)
	m.came(key, !loaded)
	return actual, loaded
}

// LoadAndDelete is [sync.Map.LoadAndDelete].
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) { return m.LoadAndDeleteAt(0, key) }

// LoadAndDeleteAt is LoadAndDelete at site.
func (m *Map) LoadAndDeleteAt(site Site, key any) (value any, loaded bool) {
	return m.remove(site, key, true)
}

// remove is LoadAndDelete, and if reads is false Delete.
func (m *Map) remove(site Site, key any, reads bool) (value any, loaded bool) {
	if engine.Controlled() {
		engine.Begin(unsafe.Pointer(m), object.MapWrite, site)
		engine.Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
		defer func() { engine.EndPointer(data(value), nil, loaded) }()
	}
	value, loaded = m.m.LoadAndDelete(key)
	// What is not there still shows who took it away, whatever this call does.
	m.order(site, key, reads || !loaded, true)
	return value, loaded
}

// Delete is [sync.Map.Delete].
func (m *Map) Delete(key any) { m.DeleteAt(0, key) }

// DeleteAt is Delete at site.
func (m *Map) DeleteAt(site Site, key any) { m.remove(site, key, false) }

// CompareAndSwap is [sync.Map.CompareAndSwap].
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	return m.CompareAndSwapAt(0, key, old, new)
}

// CompareAndSwapAt is CompareAndSwap at site.
func (m *Map) CompareAndSwapAt(site Site, key, old, new any) (swapped bool) {
	if engine.Controlled() {
		defer m.compare(site, key, &swapped)()
	}
	swapped = m.m.CompareAndSwap(key, old, new)
	m.order(site, key, true, swapped)
	return swapped
}

// CompareAndDelete is [sync.Map.CompareAndDelete].
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	return m.CompareAndDeleteAt(0, key, old)
}

// CompareAndDeleteAt is CompareAndDelete at site.
func (m *Map) CompareAndDeleteAt(site Site, key, old any) (deleted bool) {
	if engine.Controlled() {
		defer m.compare(site, key, &deleted)()
	}
	deleted = m.m.CompareAndDelete(key, old)
	m.order(site, key, true, deleted)
	return deleted
}

// compare begins an operation that depends on the value of key, and returns what
// ends it.
func (m *Map) compare(site Site, key any, changed *bool) func() {
	engine.Begin(unsafe.Pointer(m), object.MapWrite, site)
	engine.Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	before := m.word(key)
	return func() { engine.EndPointer(before, m.word(key), *changed) }
}

// word returns the data word of the value of key.
func (m *Map) word(key any) unsafe.Pointer {
	defer func() { recover() }() // the key cannot be hashed: the operation will say so
	v, _ := m.m.Load(key)
	return data(v)
}

// Clear is [sync.Map.Clear].
func (m *Map) Clear() { m.ClearAt(0) }

// ClearAt is Clear at site.
func (m *Map) ClearAt(site Site) {
	if engine.Controlled() {
		engine.Begin(unsafe.Pointer(m), object.MapWrite, site)
		engine.Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
		keys := m.inOrder()
		defer engine.End(uint64(len(keys)), 0, len(keys) > 0)
		for _, key := range keys {
			m.order(site, key, false, true)
		}
	}
	m.m.Clear()
}

// Range is [sync.Map.Range].
func (m *Map) Range(f func(key, value any) bool) { m.RangeAt(0, f) }

// RangeAt is Range at site. A thread sees the keys that there were at one step,
// and the value of each at one step of its own, or none if it is gone. The keys
// come in the order in which they were first stored, so that two runs of one
// schedule are alike; those stored outside of any execution come first. The original
// may see the second of two keys that are stored meanwhile, and not the first: where
// nothing orders a Range and a call that changes the map, that is a doubt.
func (m *Map) RangeAt(site Site, f func(key, value any) bool) {
	if engine.Execution() == 0 {
		m.m.Range(f)
		return
	}
	if engine.Controlled() {
		engine.Begin(unsafe.Pointer(m), object.MapRead, site)
		engine.Touches(unsafe.Pointer(m), unsafe.Sizeof(*m))
	}
	keys := m.inOrder()
	if engine.Controlled() {
		engine.End(uint64(len(keys)), 0, false)
		if engine.PlainAccesses {
			m.meets(site)
		} else if !engine.Alone() { // it is not known whether something orders them
			engine.Overlooked(site, certificate.DuringRange)
		}
	}
	fresh := current().fresh[m]
	for len(keys) > 0 {
		var key any
		key, keys = engine.TakeAt(site, engine.MapRange, keys)
		v, ok := m.loadAt(site, key)
		goesOn := !ok || f(key, v)
		if engine.Controlled() && current().fresh[m] != fresh { // f has waited for that, or done it
			engine.Overlooked(site, certificate.DuringRange)
		}
		if !goesOn {
			return
		}
	}
}

// order orders what threads do beside the map: a call that changes a key is before
// one that reads it and sees the change. What a Store overwrites, nobody sees.
func (m *Map) order(site Site, key any, reads, writes bool) {
	if !engine.PlainAccesses || !engine.Controlled() {
		return
	}
	if writes {
		engine.Changes(unsafe.Pointer(cell(mapKey{m: m, by: engine.Running() + 1})), site)
	}
	c := cell(mapKey{m: m, key: key})
	if reads {
		engine.Acquire(unsafe.Pointer(c))
	}
	if writes {
		engine.Release(unsafe.Pointer(c))
	}
}

// meets has a Range meet the threads that have changed the map. Each has a place of its
// own, since two changes do not meet so. Of a change that comes after the Range there is
// an execution in which it comes before.
func (m *Map) meets(site Site) {
	for by := range order.MaxThreads {
		if c := current().cells[mapKey{m: m, by: by + 1}]; c != nil {
			engine.Ranges(unsafe.Pointer(c), site)
		}
	}
}

// cell returns the place that stands for a key, or for what a thread changes.
func cell(k mapKey) *byte {
	x := current()
	c := x.cells[k]
	if c == nil {
		if x.cells == nil {
			x.cells = make(map[mapKey]*byte)
		}
		c = new(byte)
		x.cells[k] = c
	}
	return c
}

// came notes that key is new.
func (m *Map) came(key any, isNew bool) {
	if !isNew || engine.Execution() == 0 {
		return
	}
	x := current()
	if x.keys == nil {
		x.keys = make(map[mapKey]int)
	}
	if x.fresh == nil {
		x.fresh = make(map[*Map]int)
	}
	x.came++
	x.fresh[m]++
	x.keys[mapKey{m: m, key: key}] = x.came
}

func (m *Map) inOrder() []any {
	var keys []any
	m.m.Range(func(key, _ any) bool {
		keys = append(keys, key)
		return true
	})
	came := current().keys
	sort.SliceStable(keys, func(i, j int) bool {
		return came[mapKey{m: m, key: keys[i]}] < came[mapKey{m: m, key: keys[j]}]
	})
	return keys
}
