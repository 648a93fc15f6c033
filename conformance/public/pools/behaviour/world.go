package main

import (
	"math"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alitto/pond/v2"

	"github.com/spindle-go/spindle/impl/sched"
)

func stopWorld(t *trial) {
	var run atomic.Int32
	for range t.procs {
		t.start(func(k task) {
			run.Add(1)
			for sum := 0; !t.stop.Load(); {
				for j := range 1000 {
					sum += j * sum
				}
				if k.g != nil {
					k.g.Checkpoint()
				}
			}
		})
	}
	t.until("the loops to begin", func() bool { return int(run.Load()) == t.procs })
	set := func(k task, n int) {
		if k.g == nil {
			runtime.GOMAXPROCS(n)
		} else if err := k.g.SetProcs(n); err != nil {
			panic(err) // Close returns it
		}
	}
	t.do("20 stops of the world", func(k task) {
		var took, clock []float64
		for range 20 {
			set(k, t.procs)
			k.sleep(time.Millisecond) // the loops have all Ps, until the caller takes one back
			before, began := pauses(), time.Now()
			set(k, t.procs-1)
			clock = append(clock, micro(time.Since(began)))
			took = append(took, 1e6*middle(before, pauses()))
		}
		t.value = median(clock)
		if t.s == nil {
			t.value, t.more["µs by its caller's clock"] = median(took), t.value
		}
	})
}

// pauses are the stops of the world so far that were not for the garbage collector.
func pauses() *metrics.Float64Histogram {
	s := []metrics.Sample{{Name: "/sched/pauses/total/other:seconds"}}
	metrics.Read(s)
	return s[0].Value.Float64Histogram()
}

// middle is the median of what came between two moments: the middle of its bucket.
func middle(before, after *metrics.Float64Histogram) float64 {
	total, seen := uint64(0), uint64(0)
	for i, n := range after.Counts {
		total += n - before.Counts[i]
	}
	for i, n := range after.Counts {
		if seen += n - before.Counts[i]; 2*seen >= total && total > 0 {
			return (after.Buckets[i] + after.Buckets[i+1]) / 2
		}
	}
	return math.NaN()
}

// submitter returns what starts a function from outside, and what is to be called at the end. Nothing is closed before, so it does not fail.
func (t *trial) submitter() (submit func(func()) error, end func()) {
	switch t.side {
	case onSched:
		return func(f func()) error { return t.s.Go(func(*sched.G) { f() }) }, func() {}
	case onPond:
		p := pond.NewPool(t.procs)
		return p.Go, p.StopAndWait
	}
	return func(f func()) error { go f(); return nil }, func() {}
}

// timed runs something, with a bound, and notes its time for each task.
func (t *trial) timed(tasks int, f func()) {
	ended := make(chan struct{})
	go func() {
		began := time.Now()
		f()
		t.value = float64(time.Since(began)) / float64(tasks)
		close(ended)
	}()
	t.wait("all tasks to end", ended)
}

// fanOut is FanOut of the benchmarks of package pools.
func fanOut(t *trial) {
	const batches, outside, each = 30, 16, 64
	submit, end := t.submitter()
	defer end()
	t.timed(batches*outside*each, func() {
		for range batches {
			var j sync.WaitGroup
			j.Add(outside * each)
			for range outside {
				go func() {
					for range each {
						if err := submit(j.Done); err != nil {
							panic(err)
						}
					}
				}()
			}
			j.Wait()
		}
	})
}

// spawnJoin is SpawnJoin of the benchmarks of package pools.
func spawnJoin(t *trial) {
	const batches, tasks = 50, 1000
	if t.s == nil {
		submit, end := t.submitter()
		defer end()
		t.timed(batches*tasks, func() {
			for range batches {
				var j sync.WaitGroup
				j.Add(tasks)
				for range tasks {
					if err := submit(j.Done); err != nil {
						panic(err)
					}
				}
				j.Wait()
			}
		})
		return
	}
	t.do("all tasks to end", func(k task) {
		began := time.Now()
		for range batches {
			var left atomic.Int32
			left.Store(tasks + 1)
			done := func(g *sched.G) {
				if left.Add(-1) == 0 {
					g.Ready(k.g)
				}
			}
			for range tasks {
				k.g.Go(done)
			}
			k.g.Park("join", func() bool { return left.Add(-1) > 0 })
		}
		t.value = float64(time.Since(began)) / (batches * tasks)
	})
}
