package pools

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alitto/pond/v2"
	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc/pool"

	"github.com/spindle-go/spindle/impl/sched"
)

// Benchmarks of impl/sched beside goroutines and the three pools, with as many workers as processors. The last part of a name is what
// runs: see README.md for how to make a table.
//
//	SpawnJoin  from one task or thread: 1,000 empty tasks are started, and waited for; per task.
//	           sched1024 has rings that hold all of them. A ring of 256, as in the runtime, gives half of them to the global queue when it is full
//	ForkJoin   a tree of 1,023 tasks, each of which starts two; per task
//	PingPong   two tasks wake each other; per two wake-ups
//	FanOut     16 threads from outside start 64 tasks each; per task
//	Yield      16 tasks yield; per yield
//	Timers     64 tasks sleep for 100 µs again and again; per sleep
//
// A pool without a way to wait for tasks has a sync.WaitGroup; what a task of it cannot do is not measured. Tasks of the pools that submit
// do not wait for others, since a pool of this size would then stop.

// onSched runs f in a G of a scheduler.
func onSched(b *testing.B, c sched.Config, f func(g *sched.G)) {
	s, err := sched.New(c)
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan struct{})
	if err := s.Go(func(g *sched.G) { defer close(ended); f(g) }); err != nil {
		b.Fatal(err)
	}
	<-ended
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

// A join is a sync.WaitGroup for Gs: one of them waits.
type join struct {
	left  atomic.Int32
	waits *sched.G
}

func newJoin(g *sched.G, n int) *join {
	j := &join{waits: g}
	j.left.Store(int32(n) + 1)
	return j
}

func (j *join) done(g *sched.G) {
	if j.left.Add(-1) == 0 {
		g.Ready(j.waits)
	}
}

func (j *join) wait(g *sched.G) { g.Park("join", func() bool { return j.left.Add(-1) > 0 }) }

// submits are the pools: each starts a task.
func submits(b *testing.B, run func(b *testing.B, submit func(func()))) {
	n := runtime.GOMAXPROCS(0)
	b.Run("goroutines", func(b *testing.B) { run(b, func(f func()) { go f() }) })
	b.Run("ants", func(b *testing.B) {
		p, err := ants.NewPool(n)
		if err != nil {
			b.Fatal(err)
		}
		defer p.Release()
		run(b, func(f func()) {
			if err := p.Submit(f); err != nil {
				b.Error(err)
			}
		})
	})
	b.Run("pond", func(b *testing.B) {
		p := pond.NewPool(n)
		defer p.StopAndWait()
		run(b, func(f func()) {
			if err := p.Go(f); err != nil {
				b.Error(err)
			}
		})
	})
	b.Run("conc", func(b *testing.B) {
		p := pool.New().WithMaxGoroutines(n)
		defer p.Wait()
		run(b, p.Go)
	})
}

const spawned = 1000

func BenchmarkSpawnJoin(b *testing.B) {
	for _, c := range []struct {
		name string
		ring int
	}{{"sched", 0}, {"sched1024", 1024}} {
		b.Run(c.name, func(b *testing.B) {
			onSched(b, sched.Config{Ring: c.ring}, func(g *sched.G) {
				for i := 0; i < b.N; i += spawned {
					n := min(spawned, b.N-i)
					j := newJoin(g, n)
					done := j.done
					for range n {
						g.Go(done)
					}
					j.wait(g)
				}
			})
		})
	}
	submits(b, func(b *testing.B, submit func(func())) {
		for i := 0; i < b.N; i += spawned {
			n := min(spawned, b.N-i)
			var j sync.WaitGroup
			j.Add(n)
			done := j.Done
			for range n {
				submit(done)
			}
			j.Wait()
		}
	})
}

const levels = 10

func BenchmarkForkJoin(b *testing.B) {
	const tasks = 1<<levels - 1
	b.Run("sched", func(b *testing.B) {
		onSched(b, sched.Config{}, func(g *sched.G) {
			for i := 0; i < b.N; i += tasks {
				j := newJoin(g, tasks)
				forkG(g, j, levels)
				j.wait(g)
			}
		})
	})
	b.Run("goroutines", func(b *testing.B) {
		for i := 0; i < b.N; i += tasks {
			var j sync.WaitGroup
			j.Add(tasks)
			fork(func(f func()) { go f() }, &j, levels)
			j.Wait()
		}
	})
	b.Run("pond", func(b *testing.B) { // of the others, a task that submits waits for a worker, and so may all
		p := pond.NewPool(runtime.GOMAXPROCS(0))
		defer p.StopAndWait()
		submit := func(f func()) {
			if err := p.Go(f); err != nil {
				b.Error(err)
			}
		}
		for i := 0; i < b.N; i += tasks {
			var j sync.WaitGroup
			j.Add(tasks)
			fork(submit, &j, levels)
			j.Wait()
		}
	})
}

func forkG(g *sched.G, j *join, deep int) {
	g.Go(func(g *sched.G) {
		if deep > 1 {
			forkG(g, j, deep-1)
			forkG(g, j, deep-1)
		}
		j.done(g)
	})
}

func fork(submit func(func()), j *sync.WaitGroup, deep int) {
	submit(func() {
		if deep > 1 {
			fork(submit, j, deep-1)
			fork(submit, j, deep-1)
		}
		j.Done()
	})
}

func BenchmarkPingPong(b *testing.B) {
	b.Run("sched", func(b *testing.B) {
		onSched(b, sched.Config{}, func(g *sched.G) {
			var ping, pong baton
			j := newJoin(g, 2)
			g.Go(func(g *sched.G) {
				for range b.N {
					ping.take(g)
					pong.hand(g)
				}
				j.done(g)
			})
			g.Go(func(g *sched.G) {
				for range b.N {
					ping.hand(g)
					pong.take(g)
				}
				j.done(g)
			})
			j.wait(g)
		})
	})
	b.Run("goroutines", func(b *testing.B) { // by channels, which hand over directly as Ready does
		ping, pong, end := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			for range b.N {
				<-ping
				pong <- struct{}{}
			}
			close(end)
		}()
		for range b.N {
			ping <- struct{}{}
			<-pong
		}
		<-end
	})
}

// A baton is handed from one G to another.
type baton struct {
	mu    sync.Mutex
	here  bool
	waits *sched.G
}

func (b *baton) take(g *sched.G) {
	b.mu.Lock()
	if b.here {
		b.here = false
		b.mu.Unlock()
		return
	}
	b.waits = g
	g.Park("baton", func() bool { b.mu.Unlock(); return true })
}

func (b *baton) hand(g *sched.G) {
	b.mu.Lock()
	waits := b.waits
	b.waits, b.here = nil, waits == nil
	b.mu.Unlock()
	if waits != nil {
		g.Ready(waits)
	}
}

const (
	threads   = 16
	perThread = 64
)

func BenchmarkFanOut(b *testing.B) {
	all := func(b *testing.B, submit func(func())) {
		for i := 0; i < b.N; i += threads * perThread {
			var j sync.WaitGroup
			j.Add(threads * perThread)
			done := j.Done
			for range threads {
				go func() {
					for range perThread {
						submit(done)
					}
				}()
			}
			j.Wait()
		}
	}
	b.Run("sched", func(b *testing.B) {
		s, err := sched.New(sched.Config{})
		if err != nil {
			b.Fatal(err)
		}
		all(b, func(f func()) {
			if err := s.Go(func(*sched.G) { f() }); err != nil {
				b.Error(err)
			}
		})
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	submits(b, all)
}

const yielders = 16

func BenchmarkYield(b *testing.B) {
	b.Run("sched", func(b *testing.B) {
		onSched(b, sched.Config{}, func(g *sched.G) {
			j := newJoin(g, yielders)
			for range yielders {
				g.Go(func(g *sched.G) {
					for range b.N/yielders + 1 {
						g.Yield()
					}
					j.done(g)
				})
			}
			j.wait(g)
		})
	})
	b.Run("goroutines", func(b *testing.B) {
		var j sync.WaitGroup
		for range yielders {
			j.Go(func() {
				for range b.N/yielders + 1 {
					runtime.Gosched()
				}
			})
		}
		j.Wait()
	})
}

const sleepers = 64

func BenchmarkTimers(b *testing.B) {
	b.Run("sched", func(b *testing.B) {
		onSched(b, sched.Config{}, func(g *sched.G) {
			j := newJoin(g, sleepers)
			for range sleepers {
				g.Go(func(g *sched.G) {
					for range b.N/sleepers + 1 {
						g.Sleep(100 * time.Microsecond)
					}
					j.done(g)
				})
			}
			j.wait(g)
		})
	})
	b.Run("goroutines", func(b *testing.B) {
		var j sync.WaitGroup
		for range sleepers {
			j.Go(func() {
				for range b.N/sleepers + 1 {
					time.Sleep(100 * time.Microsecond)
				}
			})
		}
		j.Wait()
	})
}
