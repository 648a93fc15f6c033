package interleave_test

import (
	"sync"
	"sync/atomic"

	"github.com/spindle-go/spindle/interleave"
)

// cache fills a map under a readers' lock, or under a writer's.
type cache struct {
	mu    sync.RWMutex
	table map[int]int
}

func (c *cache) get(k int, lock, unlock func(*sync.RWMutex)) int {
	lock(&c.mu)
	defer unlock(&c.mu)
	v, ok := c.table[k]
	if !ok {
		v = k * k
		c.table[k] = v
	}
	return v
}

// orders has a program for each way in which package sync and sync/atomic order what
// threads do besides.
func orders() []litmus {
	threads := func(list ...func(v *things)) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			v := newThings()
			for _, f := range list {
				x.Go("", func() { f(v) })
			}
		}
	}
	caches := func(lock, unlock func(*sync.RWMutex)) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			c := &cache{table: make(map[int]int)}
			x.Go("one", func() { c.get(1, lock, unlock) })
			x.Go("two", func() { c.get(2, lock, unlock) })
		}
	}
	published := func(early bool) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			var p atomic.Pointer[things]
			x.Go("writer", func() {
				v := newThings()
				if early {
					p.Store(v)
				}
				v.c.hits = atomic.Int64{}
				v.n = 1
				if !early {
					p.Store(v)
				}
			})
			x.Go("reader", func() {
				if v := p.Load(); v != nil {
					v.c.hits.Add(1)
					use(v.n)
				}
			})
		}
	}
	cond := func(before bool) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			v := newThings()
			c := sync.NewCond(&v.c.mu)
			waits := false
			x.Daemon("waits", func() {
				c.L.Lock()
				waits = true
				c.Wait()
				c.L.Unlock()
				use(v.n)
			})
			x.Go("signals", func() {
				c.L.Lock()
				sure := waits
				c.L.Unlock()
				if before && sure {
					v.n = 1 // after the unlock: the signal alone orders it
				}
				c.Signal()
				if !before && sure {
					v.n = 1
				}
			})
		}
	}
	once := func(inside bool) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			v, o := newThings(), new(sync.Once)
			f := func() {
				o.Do(func() {
					if inside {
						v.n = 1
					}
				})
				if !inside {
					v.n = 1
				}
				use(v.n)
			}
			x.Go("one", f)
			x.Go("two", f)
		}
	}
	maps := func(key any) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			v, m := newThings(), new(sync.Map)
			x.Go("writer", func() { v.n = 1; m.Store("a", 1); m.Store("b", 2); v.m = 1 })
			x.Go("reader", func() {
				if _, ok := m.Load(key); ok && key == "a" {
					use(v.n)
				} else if ok {
					m.Delete("a")
					use(v.m)
				}
			})
		}
	}
	overwritten := func(swap bool) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			v, m := newThings(), new(sync.Map)
			x.Go("first", func() { v.n = 1; m.Store("a", 1) })
			x.Go("second", func() {
				if swap {
					if old, _ := m.Swap("a", 2); old == 1 {
						use(v.n)
					}
				} else {
					_, seen := m.Load("b")
					if m.Store("a", 2); !seen {
						use(v.n)
					}
				}
			})
		}
	}
	pool := func(mine bool) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			var p sync.Pool
			other := newThings()
			x.Go("puts", func() { v := newThings(); v.n = 1; other.n = 1; p.Put(v) })
			x.Go("puts another", func() { p.Put(new(int)) })
			x.Go("gets", func() {
				switch v := p.Get().(type) {
				case *things:
					use(v.n)
				case *int:
					if !mine {
						use(other.n)
					}
				}
			})
		}
	}
	group := func(wait bool) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			v := newThings()
			x.Go("one", func() {
				var g sync.WaitGroup
				g.Go(func() { v.n = 1 })
				g.Go(func() { v.m = 1 })
				if wait {
					g.Wait()
				}
				use(v.n, v.m)
			})
		}
	}
	value := func(load bool) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			v, w := newThings(), new(atomic.Value)
			x.Go("stores", func() { v.n = 1; w.Store(1) })
			x.Go("loads", func() {
				if load && w.Load() == nil {
					return
				}
				use(v.n)
			})
		}
	}
	spin := func(inside bool) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			v, flag := newThings(), new(atomic.Bool)
			f := func() {
				if flag.CompareAndSwap(false, true) {
					if inside {
						v.n++
					}
					flag.Store(false)
					if !inside {
						v.n++
					}
				}
			}
			x.Go("one", f)
			x.Go("two", f)
		}
	}
	tries := func(got bool) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			v := newThings()
			f := func() {
				ok := v.c.mu.TryLock()
				if ok == got {
					v.n++
				}
				if ok {
					v.c.mu.Unlock()
				}
			}
			x.Go("one", f)
			x.Go("two", f)
			x.Go("three", f)
		}
	}
	lock, unlock := (*sync.RWMutex).Lock, (*sync.RWMutex).Unlock
	rlock, runlock := (*sync.RWMutex).RLock, (*sync.RWMutex).RUnlock
	rlocker := func(m *sync.RWMutex) { m.RLocker().Lock() }
	runlocker := func(m *sync.RWMutex) { m.RLocker().Unlock() }
	return []litmus{
		{"a cache under a lock of readers", caches(lock, unlock), caches(rlock, runlock)},
		{"a cache under a Locker of readers", caches(lock, unlock), caches(rlocker, runlocker)},
		{"initialised before it is published", published(false), published(true)},
		{"signal", cond(true), cond(false)},
		{"once", once(true), once(false)},
		{"map, by key", maps("a"), maps("b")},
		{"map, a store that is overwritten", overwritten(true), overwritten(false)},
		{"pool, by value", pool(true), pool(false)},
		{"group", group(true), group(false)},
		{"value", value(true), value(false)},
		{"spin lock", spin(true), spin(false)},
		{"try", tries(true), tries(false)},
		{
			"go",
			threads(func(v *things) { v.n = 1; go func() { v.n = 2 }() }),
			threads(func(v *things) { go func() { v.n = 2 }(); v.n = 1 }),
		},
		{
			"a writer after readers",
			threads(func(v *things) { v.c.rw.RLock(); use(v.n); v.c.rw.RUnlock() }, func(v *things) { v.c.rw.Lock(); v.n = 1; v.c.rw.Unlock() }),
			threads(func(v *things) { v.c.rw.RLock(); use(v.m); v.c.rw.RUnlock(); use(v.n) }, func(v *things) { v.c.rw.Lock(); v.n = 1; v.c.rw.Unlock() }),
		},
		{
			"an add that is seen",
			threads(func(v *things) { v.n = 1; v.c.hits.Add(1) }, func(v *things) {
				if v.c.hits.Add(1) == 2 {
					use(v.n)
				}
			}),
			threads(func(v *things) { v.n = 1; v.c.hits.Add(1) }, func(v *things) {
				if v.c.hits.Add(1) == 1 {
					use(v.n)
				}
			}),
		},
		{
			"a swap that fails sees",
			threads(func(v *things) { v.n = 1; v.c.hits.Store(1) }, func(v *things) {
				if !v.c.hits.CompareAndSwap(0, 2) {
					use(v.n)
				}
			}),
			threads(func(v *things) { v.n = 1; v.c.hits.CompareAndSwap(5, 6) }, func(v *things) {
				if !v.c.hits.CompareAndSwap(5, 6) {
					use(v.n)
				}
			}),
		},
	}
}
