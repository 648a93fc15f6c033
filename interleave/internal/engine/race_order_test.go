package engine_test

import (
	"fmt"
	"testing"
	"unsafe"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	. "github.com/spindle-go/spindle/interleave/internal/object"
)

// TestRacesOfOneExecution: one thread after the other, so that a race shows only if
// nothing orders what is there. In an exploration another execution would show it.
func TestRacesOfOneExecution(t *testing.T) {
	PlainAccesses = true
	defer func() { PlainAccesses = false }()
	type threads = []func(s *scene)
	release := func(s *scene) { s.part(func() { Release(unsafe.Pointer(&s.cells[0])) }) }
	acquire := func(s *scene) { s.part(func() { Acquire(unsafe.Pointer(&s.cells[0])) }) }
	for _, c := range []struct {
		name    string
		race    bool
		threads threads
	}{
		{"an operation before the last on a word", true, threads{
			func(s *scene) { s.v.store(1); s.w.load() },
			func(s *scene) { s.v.load(); s.w.load(); s.u.store(1) },
			func(s *scene) { s.u.load(); set(&s.w.v) },
		}},
		{"the last operations on a word", false, threads{
			func(s *scene) { s.w.load(); s.v.store(1) },
			func(s *scene) { s.v.load(); s.w.load(); s.u.store(1) },
			func(s *scene) { s.u.load(); set(&s.w.v) },
		}},
		{"an operation on other bytes than the one before", true, threads{
			func(s *scene) { s.w.load() },
			func(s *scene) {
				Begin(unsafe.Pointer(&s.w), Load, here)
				Touches(unsafe.Pointer(&s.x), unsafe.Sizeof(s.x))
				End(0, 0, false)
			},
			func(s *scene) { set(&s.x) },
		}},
		{"a store hides the store before", true, threads{
			func(s *scene) { set(&s.x); s.w.store(1) },
			func(s *scene) { s.w.store(2) },
			func(s *scene) { s.w.load(); get(&s.x) },
		}},
		{"a swap passes on what it read", false, threads{
			func(s *scene) { set(&s.x); s.w.store(1) },
			func(s *scene) { s.w.swap(2) },
			func(s *scene) { s.w.load(); get(&s.x) },
		}},
		{"what a store acquires", true, threads{
			func(s *scene) { set(&s.x); s.w.store(1) },
			func(s *scene) { s.w.store(2); get(&s.x) },
		}},
		{"what a load releases", true, threads{
			func(s *scene) { set(&s.x); s.w.load() },
			func(s *scene) { s.w.add(1); get(&s.x) },
		}},
		{"a failed swap acquires", false, threads{
			func(s *scene) { set(&s.x); s.w.store(1) },
			func(s *scene) { s.w.cas(5, 6); get(&s.x) },
		}},
		{"a failed swap releases nothing", true, threads{
			func(s *scene) { set(&s.x); s.w.cas(5, 6) },
			func(s *scene) { s.w.load(); get(&s.x) },
		}},
		{"after it has started another", true, threads{func(s *scene) {
			Spawn(0, func() { s.v.load(); set(&s.x) })
			set(&s.x)
		}}},
		{"a try that failed", true, threads{
			func(s *scene) { set(&s.x); s.m.lock(); s.m.unlock(); s.m.lock() },
			func(s *scene) { s.m.tryLock(); get(&s.x) },
		}},
		{"a reader's try that failed", true, threads{
			func(s *scene) { set(&s.x); s.rw.lock(); s.rw.unlock(); s.rw.lock() },
			func(s *scene) { s.rw.tryRLock(); get(&s.x) },
		}},
		{"a writer's try that failed", true, threads{
			func(s *scene) { set(&s.x); s.rw.lock(); s.rw.unlock(); s.rw.lock() },
			func(s *scene) { s.rw.tryLock(); get(&s.x) },
		}},
		{"a writer's try after a reader", false, threads{
			func(s *scene) { s.rw.rlock(); get(&s.x); s.rw.runlock() },
			func(s *scene) { s.rw.tryLock(); set(&s.x) },
		}},
		{"a reader's try after a writer", false, threads{
			func(s *scene) { s.rw.lock(); set(&s.x); s.rw.unlock() },
			func(s *scene) { s.rw.tryRLock(); get(&s.x) },
		}},
		{"reader after reader", true, threads{
			func(s *scene) { s.rw.rlock(); set(&s.x); s.rw.runlock() },
			func(s *scene) { s.rw.rlock(); get(&s.x); s.rw.runlock() },
		}},
		{"the unlock before the last", false, threads{
			func(s *scene) { set(&s.x); s.m.lock(); s.m.unlock(); s.m.lock() },
			func(s *scene) { s.m.unlock(); s.m.lock(); get(&s.x) },
		}},
		{"an add", true, threads{
			func(s *scene) { set(&s.x); s.g.add(1) },
			func(s *scene) { s.g.add(-3); s.g.wait(); get(&s.x) },
		}},
		{"a done sees no other", true, threads{
			func(s *scene) { set(&s.x); s.g.add(-1) },
			func(s *scene) { s.g.add(-1); get(&s.x) },
		}},
		{"a cell keeps the last release", true, threads{
			func(s *scene) { set(&s.x); release(s) },
			release,
			func(s *scene) { acquire(s); get(&s.x) },
		}},
		{"a cell", false, threads{
			func(s *scene) { set(&s.x); release(s) },
			func(s *scene) { acquire(s); get(&s.x) },
		}},
		{"after a release to a cell", true, threads{
			func(s *scene) { release(s); set(&s.x) },
			func(s *scene) { acquire(s); get(&s.x) },
		}},
		{"covered in part", true, threads{
			func(s *scene) { set(&s.x); set(&s.x[0]) },
			func(s *scene) { get(&s.x[1]) },
		}},
		{"a load of what was plain before it was stored", false, threads{
			func(s *scene) { set(&s.w); s.w.store(1) },
			func(s *scene) { s.w.load() },
		}},
		{"much, written and read", true, threads{
			func(s *scene) { set(&s.far); get(&s.far) },
			func(s *scene) { get(&s.far[9]) },
		}},
		{"much, covered in part", true, threads{
			func(s *scene) { set((*[1000]uint64)(s.far[0:])); set((*[1000]uint64)(s.far[500:])) },
			func(s *scene) { get(&s.far[9]) },
		}},
		{"an operation on a part of much", true, threads{
			func(s *scene) { set(&s.far) },
			func(s *scene) { (*word)(unsafe.Pointer(&s.far[9])).load() },
		}},
		{"the second word of a lock", true, threads{
			func(s *scene) { s.m.lock() },
			func(s *scene) { set((*uint64)(unsafe.Add(unsafe.Pointer(&s.m), 8))) },
		}},
		{"a read beside a read, after a write", true, threads{
			func(s *scene) { get(&s.x); s.w.store(1) },
			func(s *scene) { get(&s.x) },
			func(s *scene) { s.w.load(); set(&s.x) },
		}},
	} {
		_, f, err := Explore(Options{Strategy: DFS, Bound: 0, Executions: 1}, func(x *Exec) {
			s := new(scene)
			s.g.n = 2
			for i, th := range c.threads {
				x.Go(fmt.Sprint("t", i), func() { s.v.load(); th(s) }) // a step first, so that the accesses come in order
			}
		})
		if err != nil || (f != nil) != c.race || f != nil && f.Kind != DataRace {
			t.Errorf("%s: %v, %v, expected a race: %v", c.name, f, err, c.race)
		}
	}
}
