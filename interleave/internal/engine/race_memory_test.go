package engine_test

import (
	"unsafe"
)

// memoryRaces has which bytes two accesses share, and what their roles are.
func memoryRaces() []racePair {
	return []racePair{
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
	}
}
