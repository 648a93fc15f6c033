package engine_test

// wordRaces has what operations on words order.
func wordRaces() []racePair {
	return []racePair{
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
	}
}
