package sched

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
	seeds "github.com/spindle-go/spindle/spec/record"
)

// TestEndurance runs tasks that spawn, park, block, sleep, yield, have the number of Ps changed and have each P call a
// function, by chance: each ends once, and Gs, Ms and memory stay few. There are 200,000 of them, and 10^8 in the full tier; SPINDLE_SEED is the seed. It
// prints what there is after each tenth.
func TestEndurance(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	leaks(t)
	tasks := uint64(tier.N(t, 200_000, 100_000_000))
	seed, err := seeds.SeedFromEnv(1)
	if err != nil {
		t.Fatal(err)
	}
	s := begin(t, Config{Procs: runtime.GOMAXPROCS(0)})
	e := &endurance{s: s, t: t, tasks: tasks, seen: make([]atomic.Uint32, (tasks+31)/32)}
	began := time.Now()
	var after [10]runtime.MemStats
	const chains = 64 // tasks at a time, and what they spawn
	for i := range uint64(chains) {
		start(t, s, func(g *G) { e.chain(g, rand.New(rand.NewPCG(uint64(seed), i))) })
	}
	for i := range after {
		for goal := tasks * uint64(i+1) / uint64(len(after)); e.ended.Load() < goal; time.Sleep(time.Millisecond) {
			if time.Since(began) > 10*time.Minute {
				t.Fatalf("%d of %d tasks ended in 10 minutes: %v", e.ended.Load(), tasks, s.Snapshot().Gs)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after[i])
		c := s.Snapshot()
		t.Logf("%v: %d tasks ended, %d Ps, %d Ms, %d goroutines, %d Gs made, %d MiB of heap in use, %d MiB of stacks",
			time.Since(began).Round(time.Millisecond), e.ended.Load(), c.Procs, c.Ms, runtime.NumGoroutine(), s.gsMade(), after[i].HeapInuse>>20, after[i].StackInuse>>20)
	}
	if err := end(t, s); err != nil {
		t.Error(err)
	}
	if n := e.ended.Load(); n != tasks {
		t.Errorf("expected %d tasks to end, saw %d", tasks, n)
	}
	for i := range e.seen {
		expected := ^uint32(0)
		if rest := tasks - uint64(i)*32; rest < 32 {
			expected >>= 32 - rest
		}
		if saw := e.seen[i].Load(); saw != expected {
			t.Fatalf("tasks %d to %d: expected each to run, saw %032b", i*32, i*32+31, saw)
		}
	}
	if first, last := &after[2], &after[9]; last.HeapInuse > 2*first.HeapInuse+16<<20 {
		t.Errorf("the heap grows: %d bytes after three tenths, %d at the end", first.HeapInuse, last.HeapInuse)
	}
	t.Logf("seed %d: %d tasks in %v, %.0f a second: %d spawned, %d parked, %d in Block, %d slept, %d yielded, %d changes of the number of Ps, %d calls by each P",
		seed, tasks, time.Since(began).Round(time.Millisecond), float64(tasks)/time.Since(began).Seconds(),
		e.spawned.Load(), e.parked.Load(), e.blocked.Load(), e.slept.Load(), e.yielded.Load(), e.resized.Load(), e.eachP.Load())
}

// gsMade is how many Gs have been made.
func (s *Scheduler) gsMade() int {
	s.allg.mu.Lock()
	defer s.allg.mu.Unlock()
	return len(s.allg.list)
}

type endurance struct {
	s     *Scheduler
	t     *testing.T
	tasks uint64
	next  atomic.Uint64   // the number of the next task
	ended atomic.Uint64   // how many have ended
	seen  []atomic.Uint32 // a bit for each that has run

	spawned, parked, blocked, slept, yielded, resized, eachP atomic.Uint64
}

// task takes a number, and reports whether there is one more.
func (e *endurance) task() (n uint64, ok bool) {
	n = e.next.Add(1) - 1
	return n, n < e.tasks
}

// did: task n has run.
func (e *endurance) did(n uint64) {
	if bit := uint32(1) << (n % 32); e.seen[n/32].Or(bit)&bit != 0 {
		e.t.Errorf("task %d has run twice", n)
	}
	e.ended.Add(1)
}

// chain does tasks until there are none: some itself, the others by Gs that it starts.
func (e *endurance) chain(g *G, chance *rand.Rand) {
	for {
		n, ok := e.task()
		if !ok {
			return
		}
		what := chance.IntN(1000)
		switch {
		case what < 900: // several, as Gs of their own; this one waits for the last
			e.spawned.Add(1)
			all := new(join)
			all.left.Store(1)
			for more := chance.IntN(20); more > 0; more-- {
				m, ok := e.task()
				if !ok {
					break
				}
				all.left.Add(1)
				g.Go(func(g *G) {
					e.did(m)
					all.done(g)
				})
			}
			e.did(n)
			e.parked.Add(1)
			all.wait(g)
			continue
		case what < 930:
			e.blocked.Add(1)
			g.Block(runtime.Gosched)
		case what < 940:
			e.blocked.Add(1)
			g.BlockLong(runtime.Gosched)
		case what < 945:
			e.slept.Add(1)
			g.Sleep(time.Duration(1+chance.IntN(100)) * time.Microsecond)
		case what < 998:
			e.yielded.Add(1)
			g.Yield()
		case what < 999:
			e.eachP.Add(1)
			var calls atomic.Int32
			most := max(4, runtime.GOMAXPROCS(0)) // as many as there are at first, or as SetProcs has below
			if g.ForEachP(func(int) { calls.Add(1) }); calls.Load() < 1 || int(calls.Load()) > most {
				e.t.Errorf("ForEachP: expected a call by each of 1 to %d Ps, saw %d", most, calls.Load())
			}
		default:
			e.resized.Add(1)
			if err := g.SetProcs(1 + chance.IntN(4)); err != nil {
				e.t.Error(err)
			}
		}
		e.did(n)
		g.Checkpoint()
	}
}

// A join is for one G to wait until others are done.
type join struct {
	left  atomic.Int32
	event event
}

func (j *join) done(g *G) {
	if j.left.Add(-1) == 0 {
		j.event.happen(g)
	}
}

func (j *join) wait(g *G) {
	j.done(g)
	j.event.wait(g)
}
