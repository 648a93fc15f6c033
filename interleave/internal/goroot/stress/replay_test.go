package stress

//lint:file-ignore SA2001 it is how long a lock is held that matters

import (
	"iter"
	"runtime"
	"slices"
	"strings"
	stdsync "sync"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/sync"
)

// A program is explored once, and one of its schedules is replayed.
type program struct {
	name   string
	hosted bool               // it needs threads that are goroutines
	kind   engine.FailureKind // of the failure that each replay ends with, "" for none
	tso    bool
	body   func(x *engine.Exec)
}

// racy is what two threads write without order.
var racy int

var programs = []program{
	{name: "atomics", body: func(x *engine.Exec) {
		var a, b atomic.Int64
		x.Go("a", func() { a.Store(1); b.Load(); a.Add(2) })
		x.Go("b", func() { b.Store(1); a.Load(); b.Add(2) })
		x.Go("c", func() { a.CompareAndSwap(1, 7); b.Swap(3) })
	}},
	{name: "loop of a swap that compares", body: func(x *engine.Exec) {
		var n atomic.Int64
		for range 4 {
			x.Go("", func() {
				for {
					if v := n.Load(); n.CompareAndSwap(v, v+1) {
						return
					}
				}
			})
		}
	}},
	{name: "pointers", body: func(x *engine.Exec) {
		var p atomic.Pointer[int]
		for i := range 3 {
			x.Go("", func() { old := p.Load(); p.CompareAndSwap(old, new(i)); p.Swap(new(i)) })
		}
	}},
	{name: "lost update", kind: engine.Assertion, body: func(x *engine.Exec) {
		var n atomic.Int64
		for range 3 {
			x.Go("", func() { n.Store(n.Load() + 1) })
		}
		x.Finally(func() {
			if v := n.Load(); v != 3 {
				x.Fatalf("lost: %d", v)
			}
		})
	}},
	{name: "locks", body: func(x *engine.Exec) {
		var mu sync.Mutex
		var n atomic.Int64
		for range 4 {
			x.Go("", func() {
				mu.Lock()
				defer mu.Unlock()
				n.Store(n.Load() + 1)
			})
		}
		x.Go("tries", func() {
			if mu.TryLock() {
				mu.Unlock()
			}
		})
	}},
	{name: "deadlock", kind: engine.Deadlock, body: func(x *engine.Exec) {
		var a, b, c sync.Mutex
		x.Go("ab", func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
		x.Go("bc", func() { b.Lock(); c.Lock(); c.Unlock(); b.Unlock() })
		x.Go("ca", func() { c.Lock(); a.Lock(); a.Unlock(); c.Unlock() })
	}},
	{name: "RWMutex", body: func(x *engine.Exec) {
		var mu sync.RWMutex
		var n atomic.Int64
		for range 2 {
			x.Go("reads", func() { mu.RLock(); n.Load(); n.Load(); mu.RUnlock() })
			x.Go("writes", func() { mu.Lock(); n.Add(1); n.Add(1); mu.Unlock() })
		}
	}},
	{name: "Cond", body: func(x *engine.Exec) {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		n := 0
		for range 2 {
			x.Go("waits", func() {
				mu.Lock()
				for n == 0 {
					c.Wait()
				}
				n--
				mu.Unlock()
			})
			x.Go("signals", func() { mu.Lock(); n++; mu.Unlock(); c.Signal() })
		}
	}},
	{name: "WaitGroup", body: func(x *engine.Exec) {
		var wg sync.WaitGroup
		var n atomic.Int64
		wg.Add(3)
		for range 3 {
			x.Go("", func() { n.Add(1); wg.Done() })
		}
		x.Go("waits", func() { wg.Wait(); n.Add(1) })
		x.Go("waits, too", func() { wg.Wait(); n.Load() })
	}},
	{name: "Once, Map and Pool", body: func(x *engine.Exec) {
		var once sync.Once
		var m sync.Map
		p := sync.Pool{New: func() any { return new(int) }}
		for i := range 3 {
			x.Go("", func() {
				once.Do(func() { m.Store(0, 1) })
				v := p.Get()
				m.LoadOrStore(i, i)
				p.Put(v)
				m.Range(func(_, _ any) bool { return true })
			})
		}
	}},
	{name: "children", body: func(x *engine.Exec) {
		var n atomic.Int64
		var wg sync.WaitGroup
		for range 2 {
			x.Go("parent", func() {
				for range 2 {
					wg.Go(func() { n.Add(1); engine.Spawn(0, func() { n.Add(1) }) })
				}
				n.Load()
			})
		}
	}},
	{name: "daemons", body: func(x *engine.Exec) {
		var mu sync.Mutex
		var n atomic.Int64
		mu.Lock()
		x.Daemon("waits", func() { defer n.Add(1); n.Add(1); mu.Lock() })
		x.Daemon("recovers", func() { defer func() { recover() }(); n.Add(1); mu.Lock() })
		x.Go("ends", func() { n.Add(1); n.Add(1) })
	}},
	{name: "Goexit", body: func(x *engine.Exec) {
		var n atomic.Int64
		for range 2 {
			x.Go("leaves", func() {
				defer n.Add(1)
				defer func() { recover(); n.Load() }()
				n.Add(1)
				runtime.Goexit()
			})
			x.Go("stays", func() { n.Add(1); n.Load() })
		}
	}},
	{name: "a lock that Goexit leaves", kind: engine.Deadlock, body: func(x *engine.Exec) {
		var mu sync.Mutex
		x.Go("leaves", func() { mu.Lock(); runtime.Goexit(); mu.Unlock() })
		x.Go("waits", func() { mu.Lock(); mu.Unlock() })
	}},
	{name: "panic", kind: engine.Panic, body: func(x *engine.Exec) {
		var n atomic.Int64
		x.Go("panics", func() {
			defer n.Add(1)
			if n.Load() == 1 {
				panic("one")
			}
		})
		x.Go("stores", func() { n.Store(1); n.Store(2) })
		x.Go("loads", func() { n.Load() })
	}},
	{name: "recovered", body: func(x *engine.Exec) {
		var n atomic.Int64
		for range 3 {
			x.Go("", func() {
				defer func() { recover(); n.Add(1) }()
				n.Add(1)
				panic("recovered")
			})
		}
	}},
	{name: "data race", kind: engine.DataRace, body: func(x *engine.Exec) {
		var flag atomic.Int64
		x.Go("writes", func() { engine.Write(unsafe.Pointer(&racy), 8, 0); flag.Store(1) })
		x.Go("reads", func() {
			if flag.Load() == 0 {
				engine.Read(unsafe.Pointer(&racy), 8, 0)
			}
		})
	}},
	{name: "unlock of an unlocked mutex", kind: engine.Panic, body: func(x *engine.Exec) {
		var mu sync.Mutex
		for range 2 {
			x.Go("", func() {
				defer func() { recover() }()
				if !mu.TryLock() {
					mu.Unlock()
				}
				mu.Unlock()
			})
		}
	}},
	{name: "stacks", body: func(x *engine.Exec) {
		var n atomic.Int64
		for i := range 3 {
			x.Go("", func() { deep(1<<(4*i), func() { n.Add(1) }); n.Load(); deep(1000, func() { n.Add(1) }) })
		}
	}},
	{name: "iter.Pull", body: func(x *engine.Exec) {
		var n atomic.Int64
		for range 3 {
			x.Go("", func() {
				next, stop := iter.Pull(counts(&n))
				defer stop()
				next()
				n.Load()
				next()
			})
		}
	}},
	{name: "iter.Pull in iter.Pull", body: func(x *engine.Exec) {
		var n atomic.Int64
		for range 2 {
			x.Go("", func() {
				next, stop := iter.Pull(func(yield func(int64) bool) {
					next, stop := iter.Pull(counts(&n))
					defer stop()
					for v, ok := next(); ok && yield(v); v, ok = next() {
						n.Load()
					}
				})
				defer stop()
				next()
				next()
			})
		}
	}},
	{name: "stores that stay in a buffer", tso: true, body: func(x *engine.Exec) {
		var a, b atomic.Int64
		x.Go("a", func() { a.Store(1); b.Load() })
		x.Go("b", func() { b.Store(1); a.Load() })
		x.Go("c", func() { a.Add(1); b.Store(2) })
	}},
	{name: "goroutines of a dependency", hosted: true, body: func(x *engine.Exec) {
		var n atomic.Int64
		for range 2 {
			x.Go("", func() { go func() { n.Add(1); go n.Add(1) }(); n.Add(1) })
		}
	}},
	{name: "goroutines of the body", hosted: true, body: func(x *engine.Exec) {
		var n atomic.Int64
		var begin stdsync.WaitGroup
		a, b := make(chan int64), make(chan int64) // of one, who waits first is chance: they wait before the threads begin
		begin.Add(2)
		for _, c := range []chan int64{a, b} {
			go func() { begin.Done(); n.Add(<-c) }()
		}
		begin.Wait()
		x.Go("sends", func() { n.Add(1); a <- 1; n.Add(1); b <- 2 })
	}},
	{name: "channels of a dependency", hosted: true, body: func(x *engine.Exec) {
		var n atomic.Int64
		work := make(chan int64, 1)
		for range 2 {
			x.Daemon("receives", func() {
				for v := range work {
					n.Add(v)
				}
			})
			x.Go("sends", func() { work <- 1; n.Load(); work <- 2 })
		}
	}},
	{name: "a fatal error of package sync itself", hosted: true, kind: engine.Panic, body: func(x *engine.Exec) {
		var mu stdsync.Mutex
		var n atomic.Int64
		x.Go("a", func() {
			defer func() { recover() }()
			if n.Load() == 1 {
				mu.Unlock()
			}
		})
		x.Go("b", func() { n.Store(1); n.Store(2) })
	}},
	{name: "how many goroutines there are", hosted: true, kind: engine.Assertion, body: func(x *engine.Exec) {
		var n atomic.Int64
		x.Go("a", func() { n.Load(); go n.Add(1); n.Load() })
		x.Go("b", func() {
			if n.Load(); runtime.NumGoroutine() == 3 {
				x.Fatalf("three")
			}
		})
	}},
}

// counts yields what an operation says, twice.
func counts(n *atomic.Int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for range 2 {
			if !yield(n.Add(1)) {
				return
			}
		}
		n.Load()
	}
}

// An execution is what is compared.
type execution struct {
	steps   []engine.Step
	threads []string
	kind    engine.FailureKind
	message string
	thread  string
}

func of(v *engine.View) execution {
	e := execution{steps: v.Steps(), threads: v.Threads()}
	if f := v.Failure(); f != nil {
		e.kind, e.message, e.thread = f.Kind, f.Message, f.Thread
	}
	return e
}

func (e execution) same(o execution) bool {
	return slices.Equal(e.steps, o.steps) && slices.Equal(e.threads, o.threads) && e.kind == o.kind && e.message == o.message && e.thread == o.thread
}

// TestReplays replays a schedule of each program: the steps with what they read and wrote, the threads and the outcome are the same each
// time.
func TestReplays(t *testing.T) {
	replays := 20
	if engine.Hosted {
		replays = 1000
	}
	defer func(was bool) { engine.PlainAccesses = was }(engine.PlainAccesses)
	engine.PlainAccesses = true
	for _, p := range programs {
		if p.hosted && !engine.Hosted {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			var want execution
			schedule := ""
			_, _, err := engine.Explore(engine.Options{Strategy: engine.Random, Seed: 1, Executions: 2000, TSO: p.tso, Each: func(v *engine.View) bool {
				if e := of(v); e.kind == p.kind && (len(e.steps) > len(want.steps) || schedule == "") {
					want, schedule = e, v.Schedule()
				}
				return p.kind == "" && v.Failure() == nil || schedule == ""
			}}, p.body)
			if err != nil || schedule == "" || p.kind == "" && !strings.Contains(schedule, ".") {
				t.Fatalf("expected an execution with a switch and the outcome %q, saw %q, %v", p.kind, schedule, err)
			}
			for i := range replays {
				seen := 0
				_, _, err := engine.Explore(engine.Options{Strategy: engine.Replay, Schedule: schedule, TSO: p.tso, Each: func(v *engine.View) bool {
					seen++
					if got := of(v); !got.same(want) {
						t.Errorf("replay %d of %s: expected\n%+v\nsaw\n%+v", i, schedule, want, got)
					}
					return true
				}}, p.body)
				if err != nil || seen != 1 {
					t.Errorf("replay %d of %s: expected one execution, saw %d, %v", i, schedule, seen, err)
				}
				if t.Failed() {
					return
				}
			}
		})
	}
}
