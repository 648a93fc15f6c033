package engine_test

import (
	"unsafe"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

// threadRaces has what groups, go statements and cells order.
func threadRaces() []racePair {
	return []racePair{
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
	}
}
