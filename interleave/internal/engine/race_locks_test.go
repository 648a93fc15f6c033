package engine_test

// lockRaces has what locks order.
func lockRaces() []racePair {
	return []racePair{
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
	}
}
