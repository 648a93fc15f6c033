package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	. "github.com/spindle-go/spindle/interleave/internal/object"
)

// scene is what the threads of TestRaces share.
type scene struct {
	x, y  [2]uint32 // plain
	far   [4096]uint64
	w, v  word
	m     mutex
	rw    rwmutex
	g     group
	cells [2]byte
}

func get[T any](p *T) { Read(unsafe.Pointer(p), unsafe.Sizeof(*p), 0) }
func set[T any](p *T) { Write(unsafe.Pointer(p), unsafe.Sizeof(*p), 0) }

// part is an operation on w that is ordered by a cell alone.
func (s *scene) part(do func()) {
	Begin(unsafe.Pointer(&s.w), MapWrite, 0)
	do()
	End(0, 1, true)
}

// TestRaces has pairs of programs: what orders two accesses in one is not there,
// or comes from elsewhere, in the other.
func TestRaces(t *testing.T) {
	PlainAccesses = true
	defer func() { PlainAccesses = false }()
	type threads = []func(s *scene)
	for _, c := range []struct {
		name         string
		right, wrong threads
	}{
		{
			"store, load",
			threads{
				func(s *scene) { set(&s.x); s.w.store(1) },
				func(s *scene) {
					if s.w.load() == 1 {
						set(&s.x)
					}
				},
			},
			threads{
				func(s *scene) { s.w.store(1); set(&s.x) },
				func(s *scene) {
					if s.w.load() == 1 {
						set(&s.x)
					}
				},
			},
		},
		{
			"another word",
			threads{
				func(s *scene) { set(&s.x); s.w.store(1); s.v.store(1) },
				func(s *scene) {
					if s.v.load() == 1 {
						get(&s.x)
					}
				},
			},
			threads{
				func(s *scene) { s.v.store(1); set(&s.x); s.w.store(1) },
				func(s *scene) {
					if s.v.load() == 1 && s.w.load() == 0 {
						get(&s.x)
					}
				},
			},
		},
		{
			"a store hides the store before",
			threads{
				func(s *scene) { set(&s.x); s.w.store(1) },
				func(s *scene) {
					if s.w.cas(1, 2) {
						return
					}
				},
				func(s *scene) {
					if s.w.load() == 2 {
						get(&s.x)
					}
				},
			},
			threads{
				func(s *scene) { set(&s.x); s.w.store(1) },
				func(s *scene) { s.w.store(2) },
				func(s *scene) {
					if s.w.load() == 2 {
						get(&s.x)
					}
				},
			},
		},
		{
			"a store acquires nothing",
			threads{
				func(s *scene) { set(&s.x); s.w.store(1) },
				func(s *scene) {
					if s.w.swap(2) == 1 {
						get(&s.x)
					}
				},
			},
			threads{
				func(s *scene) { set(&s.x); s.w.store(1) },
				func(s *scene) {
					old := s.v.load()
					s.w.store(2)
					if old == 0 {
						get(&s.x)
					}
				},
			},
		},
		{
			"a load releases nothing",
			threads{
				func(s *scene) { set(&s.x); s.w.add(1) },
				func(s *scene) {
					if s.w.add(1) == 2 {
						get(&s.x)
					}
				},
			},
			threads{
				func(s *scene) { set(&s.x); s.w.load() },
				func(s *scene) { s.w.add(1); get(&s.x) },
			},
		},
		{
			"a swap that failed acquires",
			threads{
				func(s *scene) { set(&s.x); s.w.store(1) },
				func(s *scene) {
					if s.w.cas(0, 1); s.v.load() == 0 && s.w.load() == 1 {
						get(&s.y)
					}
				},
			},
			threads{
				func(s *scene) { set(&s.x); s.w.store(1) },
				func(s *scene) { s.w.cas(0, 2); get(&s.x) },
			},
		},
		{
			"a swap that failed releases nothing",
			threads{
				func(s *scene) { set(&s.x); s.w.cas(0, 1) },
				func(s *scene) {
					if s.w.load() == 1 {
						set(&s.x)
					}
				},
			},
			threads{
				func(s *scene) { set(&s.x); s.w.cas(5, 6); s.v.load() },
				func(s *scene) {
					if s.w.load() == 0 {
						set(&s.x)
					}
				},
			},
		},
		{
			"mutex",
			threads{
				func(s *scene) { s.m.lock(); set(&s.x); s.m.unlock() },
				func(s *scene) { s.m.lock(); set(&s.x); s.m.unlock() },
			},
			threads{
				func(s *scene) { s.m.lock(); set(&s.x); s.m.unlock() },
				func(s *scene) { s.m.lock(); s.m.unlock(); set(&s.x) },
			},
		},
		{
			"try that failed",
			threads{
				func(s *scene) { s.m.lock(); set(&s.x); s.m.unlock() },
				func(s *scene) {
					if s.m.tryLock() {
						get(&s.x)
						s.m.unlock()
					}
				},
			},
			threads{
				func(s *scene) { set(&s.x); s.m.lock(); s.m.unlock() },
				func(s *scene) {
					if !s.m.tryLock() {
						get(&s.x)
					}
				},
			},
		},
		{
			"two readers",
			threads{
				func(s *scene) { s.rw.rlock(); get(&s.x); s.rw.runlock() },
				func(s *scene) { s.rw.rlock(); get(&s.x); s.rw.runlock() },
			},
			threads{
				func(s *scene) { s.rw.rlock(); get(&s.x); s.rw.runlock() },
				func(s *scene) { s.rw.rlock(); set(&s.x); s.rw.runlock() },
			},
		},
		{
			"reader and writer",
			threads{
				func(s *scene) { s.rw.rlock(); get(&s.x); s.rw.runlock() },
				func(s *scene) { s.rw.lock(); set(&s.x); s.rw.unlock() },
				func(s *scene) { s.rw.lock(); set(&s.x); s.rw.unlock() },
			},
			threads{
				func(s *scene) { s.rw.rlock(); s.rw.runlock(); get(&s.x) },
				func(s *scene) { s.rw.lock(); set(&s.x); s.rw.unlock() },
			},
		},
		{
			"readers and writers that try",
			threads{
				func(s *scene) {
					if s.rw.tryRLock() {
						get(&s.x)
						s.rw.runlock()
					}
				},
				func(s *scene) {
					if s.rw.tryLock() {
						set(&s.x)
						s.rw.unlock()
					}
				},
			},
			threads{
				func(s *scene) {
					if !s.rw.tryRLock() {
						get(&s.x)
						return
					}
					s.rw.runlock()
				},
				func(s *scene) { set(&s.x); s.rw.lock(); s.rw.unlock() },
			},
		},
		{
			"a writer's try that failed",
			threads{
				func(s *scene) { set(&s.x); s.rw.lock(); s.rw.unlock() },
				func(s *scene) {
					if s.rw.tryLock() {
						s.rw.unlock()
					}
				},
			},
			threads{
				func(s *scene) { set(&s.x); s.rw.lock(); s.rw.unlock() },
				func(s *scene) {
					if !s.rw.tryLock() {
						get(&s.x)
						return
					}
					s.rw.unlock()
				},
			},
		},
		{
			"a writer waits for readers",
			threads{
				func(s *scene) { s.rw.rlock(); s.w.store(1); set(&s.x); s.rw.runlock() },
				func(s *scene) {
					if s.w.load() == 1 {
						s.rw.lock()
						set(&s.x)
						s.rw.unlock()
					}
				},
			},
			threads{
				func(s *scene) { s.rw.rlock(); s.w.store(1); s.rw.runlock(); set(&s.x) },
				func(s *scene) {
					if s.w.load() == 1 {
						s.rw.lock()
						set(&s.x)
						s.rw.unlock()
					}
				},
			},
		},
		{
			"group",
			threads{
				func(s *scene) { set(&s.x); s.g.add(-1) },
				func(s *scene) { set(&s.y); s.g.add(-1) },
				func(s *scene) { s.g.wait(); set(&s.x); set(&s.y) },
			},
			threads{
				func(s *scene) { set(&s.x); s.g.add(-1) },
				func(s *scene) { s.g.add(-1); set(&s.x) },
			},
		},
		{
			"done does not see done",
			threads{
				func(s *scene) { set(&s.x); s.g.add(-1) },
				func(s *scene) { s.g.add(-1); s.g.wait(); get(&s.x) },
			},
			threads{
				func(s *scene) { set(&s.x); s.g.add(-1) },
				func(s *scene) { s.g.add(-1); get(&s.x) },
			},
		},
		{
			"an add releases nothing",
			threads{
				func(s *scene) { set(&s.x); s.g.add(1); s.g.add(-3) },
				func(s *scene) { s.g.wait(); get(&s.x) },
			},
			threads{
				func(s *scene) { s.g.add(-1); set(&s.x); s.g.add(1); s.w.store(1); s.g.add(-2) },
				func(s *scene) {
					if s.w.load() == 0 {
						return
					}
					s.g.wait()
				},
				func(s *scene) { s.g.add(1); s.g.add(-1); get(&s.x) },
			},
		},
		{
			"an add of an empty group beside a wait",
			threads{
				func(s *scene) { s.g.add(-2); s.g.add(1); s.w.store(1); s.g.add(-1) },
				func(s *scene) {
					if s.w.load() == 1 {
						s.g.wait()
					}
				},
			},
			threads{
				func(s *scene) { s.g.add(-2); s.g.add(1); s.g.add(-1) },
				func(s *scene) { s.g.wait() },
			},
		},
		{
			"go",
			threads{func(s *scene) {
				set(&s.x)
				Spawn(0, func() { set(&s.x) })
			}},
			threads{func(s *scene) {
				Spawn(0, func() { set(&s.x) })
				set(&s.x)
			}},
		},
		{
			"two that one started",
			threads{func(s *scene) {
				Spawn(0, func() { get(&s.x) })
				Spawn(0, func() { get(&s.x) })
			}},
			threads{func(s *scene) {
				Spawn(0, func() { s.w.load(); set(&s.x) })
				Spawn(0, func() { get(&s.x) })
			}},
		},
		{
			"bytes of one word",
			threads{
				func(s *scene) { set(&s.x[0]) },
				func(s *scene) { set(&s.x[1]) },
			},
			threads{
				func(s *scene) { set(&s.x) },
				func(s *scene) { set(&s.x[1]) },
			},
		},
		{
			"reads",
			threads{
				func(s *scene) { get(&s.x) },
				func(s *scene) { get(&s.x) },
			},
			threads{
				func(s *scene) { get(&s.x) },
				func(s *scene) { set(&s.x) },
			},
		},
		{
			"a cell that a later one covers in part",
			threads{
				func(s *scene) { set(&s.x[1]); set(&s.x[0]) },
				func(s *scene) { get(&s.y) },
			},
			threads{
				func(s *scene) { set(&s.x); s.w.store(1); set(&s.x[0]) },
				func(s *scene) { get(&s.x[1]) },
			},
		},
		{
			"a read after a write of its own",
			threads{
				func(s *scene) { set(&s.x); get(&s.x); s.w.store(1) },
				func(s *scene) {
					if s.w.load() == 1 {
						get(&s.x)
					}
				},
			},
			threads{
				func(s *scene) { set(&s.x); get(&s.x); s.w.load() },
				func(s *scene) { s.w.load(); get(&s.x) },
			},
		},
		{
			"much",
			threads{
				func(s *scene) { set(&s.far); s.w.store(1) },
				func(s *scene) {
					if s.w.load() == 1 {
						get(&s.far[4000])
						set(&s.far)
					}
				},
			},
			threads{
				func(s *scene) { set(&s.far) },
				func(s *scene) { get(&s.far[4000]) },
			},
		},
		{
			"much and much",
			threads{
				func(s *scene) { get((*[1000]uint64)(s.far[0:])) },
				func(s *scene) { set((*[1000]uint64)(s.far[1000:])) },
			},
			threads{
				func(s *scene) { get((*[1001]uint64)(s.far[0:])) },
				func(s *scene) { set((*[1000]uint64)(s.far[1000:])) },
			},
		},
		{
			"little after much",
			threads{
				func(s *scene) { set(&s.far[999]) },
				func(s *scene) { get((*[1000]uint64)(s.far[1000:])) },
			},
			threads{
				func(s *scene) { set(&s.far[1999]) },
				func(s *scene) { get((*[1000]uint64)(s.far[1000:])) },
			},
		},
		{
			"atomic beside plain",
			threads{
				func(s *scene) { s.w.load() },
				func(s *scene) { get(&s.w) },
			},
			threads{
				func(s *scene) { s.w.load() },
				func(s *scene) { set(&s.w) },
			},
		},
		{
			"a plain read beside a store",
			threads{
				func(s *scene) { s.v.store(1) },
				func(s *scene) { get(&s.w) },
			},
			threads{
				func(s *scene) { s.w.store(1) },
				func(s *scene) { get(&s.w) },
			},
		},
		{
			"a plain read beside a swap that fails",
			threads{
				func(s *scene) { s.w.cas(5, 6) },
				func(s *scene) { s.w.cas(5, 6) },
			},
			threads{
				func(s *scene) { s.w.cas(5, 6) },
				func(s *scene) { get(&s.w) },
			},
		},
		{
			"plain before it is shared",
			threads{
				func(s *scene) { set(&s.w); s.v.store(1); s.w.store(2) },
				func(s *scene) {
					if s.v.load() == 1 {
						s.w.add(1)
					}
				},
			},
			threads{
				func(s *scene) { s.v.store(1); set(&s.w) },
				func(s *scene) {
					if s.v.load() == 1 {
						s.w.add(1)
					}
				},
			},
		},
		{
			"half of an atomic word",
			threads{
				func(s *scene) { s.w.store(1) },
				func(s *scene) { set(&s.y[0]) },
			},
			threads{
				func(s *scene) { s.w.store(1) },
				func(s *scene) { set((*uint32)(unsafe.Add(unsafe.Pointer(&s.w), 4))) },
			},
		},
		{
			"a lock that is written over",
			threads{
				func(s *scene) { s.m.lock(); set(&s.x); s.m.unlock() },
				func(s *scene) { s.m.lock(); set(&s.x); s.m.unlock() },
			},
			threads{
				func(s *scene) { s.m.lock(); s.m.unlock() },
				func(s *scene) { set(&s.m) },
			},
		},
		{
			"cells",
			threads{
				func(s *scene) {
					set(&s.x)
					s.part(func() { Release(unsafe.Pointer(&s.cells[0])) })
					s.v.store(1)
				},
				func(s *scene) {
					if s.v.load() == 1 {
						return
					}
					s.part(func() { Acquire(unsafe.Pointer(&s.cells[0])) })
				},
			},
			threads{
				func(s *scene) { set(&s.x); s.part(func() { Release(unsafe.Pointer(&s.cells[0])) }) },
				func(s *scene) { s.part(func() { Acquire(unsafe.Pointer(&s.cells[1])) }); get(&s.x) },
			},
		},
		{
			"cells whose content is replaced",
			threads{
				func(s *scene) { set(&s.x); s.part(func() { Release(unsafe.Pointer(&s.cells[0])) }) },
				func(s *scene) { s.part(func() { Acquire(unsafe.Pointer(&s.cells[0])) }) },
			},
			threads{
				func(s *scene) { set(&s.x); s.part(func() { Release(unsafe.Pointer(&s.cells[0])) }); s.v.store(1) },
				func(s *scene) {
					s.part(func() { Release(unsafe.Pointer(&s.cells[0])) })
					s.part(func() { Acquire(unsafe.Pointer(&s.cells[0])) })
					set(&s.x)
				},
			},
		},
	} {
		for _, st := range []Strategy{Exhaustive, DFS} {
			for _, wrong := range []bool{false, true} {
				all := c.right
				if wrong {
					all = c.wrong
				}
				cert, f, err := Explore(Options{Strategy: st, Bound: -1}, func(x *Exec) {
					s := new(scene)
					s.g.n = 2
					for i, th := range all {
						x.Go(fmt.Sprint("t", i), func() { th(s) })
					}
				})
				switch {
				case err != nil:
					t.Errorf("%s, wrong %v, %v: %v", c.name, wrong, st, err)
				case wrong && (f == nil || f.Kind != DataRace):
					t.Errorf("%s, %v: %v, %v, expected a data race", c.name, st, cert, f)
				case !wrong && (f != nil || cert.Steps > 0 && !cert.Complete()):
					t.Errorf("%s, %v: %v, %v, expected no failure", c.name, st, cert, f)
				}
			}
		}
	}
}

// TestBufferedAccess: a store in a buffer is an access of the thread that stored.
func TestBufferedAccess(t *testing.T) {
	PlainAccesses = true
	defer func() { PlainAccesses = false }()
	for _, c := range []struct {
		name    string
		race    bool
		threads []func(s *scene)
	}{
		{"its own word", false, []func(s *scene){func(s *scene) { set(&s.w); s.w.release(1); s.v.load(); get(&s.w) }}},
		{"published", false, []func(s *scene){
			func(s *scene) { set(&s.x); s.w.release(1); set(&s.y) },
			func(s *scene) {
				if s.w.load() == 1 {
					get(&s.x)
				}
			},
		}},
		{"after it was published", true, []func(s *scene){
			func(s *scene) { s.w.release(1); set(&s.x); s.v.load() },
			func(s *scene) {
				if s.w.load() == 1 {
					get(&s.x)
				}
			},
		}},
		{"beside plain", true, []func(s *scene){
			func(s *scene) { s.w.release(1) },
			func(s *scene) { get(&s.w) },
		}},
		{"beside plain that is seen later", true, []func(s *scene){
			func(s *scene) { s.w.release(1); s.v.load() },
			func(s *scene) { set(&s.w); s.v.store(1) },
		}},
	} {
		cert, f, err := Explore(Options{Strategy: Exhaustive, Bound: -1, TSO: true}, func(x *Exec) {
			s := new(scene)
			for i, th := range c.threads {
				x.Go(fmt.Sprint("t", i), func() { th(s) })
			}
		})
		if err != nil || (f != nil) != c.race || f != nil && f.Kind != DataRace {
			t.Errorf("%s: %v, %v, %v", c.name, cert, f, err)
		}
	}
}

// TestOverlap: atomics of which bytes are the same, but not all, are refused, and
// both places are named.
func TestOverlap(t *testing.T) {
	PlainAccesses = true
	defer func() { PlainAccesses = false }()
	Register(1000, []Place{{File: "a.go", Line: 7, Expr: "s.whole"}, {File: "b.go", Line: 8, Expr: "s.half"}})
	at := func(p unsafe.Pointer, size uintptr, site Site) {
		Begin(p, Store, site)
		Touches(p, size)
		End(0, 1, true)
	}
	for _, c := range []struct {
		offset  int
		size    uintptr
		refused bool
	}{{4, 4, true}, {0, 4, false}, {8, 4, false}} {
		_, f, err := Explore(Options{Strategy: Exhaustive, Bound: -1}, func(x *Exec) {
			s := new(scene)
			x.Go("a", func() { at(unsafe.Pointer(&s.far), 8, 1000) })
			x.Go("b", func() { at(unsafe.Add(unsafe.Pointer(&s.far), c.offset), c.size, 1001) })
		})
		if f != nil || errors.Is(err, ErrUncontrolled) != c.refused {
			t.Errorf("at %d: %v, %v", c.offset, f, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "s.whole at a.go:7") || !strings.Contains(err.Error(), "s.half at b.go:8")) {
			t.Errorf("which words? %v", err)
		}
	}
}
