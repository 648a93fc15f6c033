package sched

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/cputime"
)

// BenchmarkSpin has Gs come from outside to an idle scheduler, alone or eight at a time, each so long after the one before, and computes
// 2 µs in each. The thread outside keeps a processor, which is in the processor time. The variants differ in how long an M looks for work before it sleeps: none does not begin to spin at all. It
// reports, for each G, the time from the submission to the first step (median and 99th percentile), the processor time of the process,
// and how often an M was woken. docs/spinning.md has a table of it.
func BenchmarkSpin(b *testing.B) {
	for _, variant := range []struct {
		name   string
		passes int
		spins  bool
	}{{"none", 4, false}, {"0", 0, true}, {"4", 4, true}, {"16", 16, true}, {"256", 256, true}, {"4096", 4096, true}} {
		for _, load := range []struct {
			every time.Duration
			batch int
		}{{1000 * time.Microsecond, 1}, {100 * time.Microsecond, 1}, {10 * time.Microsecond, 1}, {100 * time.Microsecond, 8}} {
			b.Run(fmt.Sprintf("passes=%s/every=%v/batch=%d", variant.name, load.every, load.batch), func(b *testing.B) {
				s, err := New(Config{})
				if err != nil {
					b.Fatal(err)
				}
				s.stealTries, s.neverSpins = variant.passes, !variant.spins
				spinLoad(b, s, load.every, load.batch)
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

func spinLoad(b *testing.B, s *Scheduler, every time.Duration, batch int) {
	waits := make([]int64, b.N*batch)
	var left atomic.Int64
	left.Store(int64(len(waits)))
	done := make(chan bool)
	b.ResetTimer()
	before, wakes := cputime.Used(), s.Snapshot().Wakes
	began := time.Now()
	for i := range b.N {
		for time.Since(began) < time.Duration(i)*every {
			if every >= time.Millisecond { // less is not slept exactly: the thread outside keeps its processor
				time.Sleep(time.Duration(i)*every - time.Since(began))
			}
		}
		for k := range batch {
			at := &waits[i*batch+k]
			from := time.Now()
			if err := s.Go(func(*G) {
				*at = int64(time.Since(from))
				for time.Since(from) < time.Duration(*at)+2*time.Microsecond {
				}
				if left.Add(-1) == 0 {
					close(done)
				}
			}); err != nil {
				b.Fatal(err)
			}
		}
	}
	<-done
	n := float64(len(waits))
	b.ReportMetric(float64(cputime.Used()-before)/n, "cpu-ns/G")
	b.ReportMetric(float64(s.Snapshot().Wakes-wakes)/n, "wakes/G")
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)/2]), "p50-ns")
	b.ReportMetric(float64(waits[len(waits)*99/100]), "p99-ns")
}

// BenchmarkVainSearch is a thief that finds nothing, by the number of Ps: what a mask of idle Ps would save.
func BenchmarkVainSearch(b *testing.B) {
	for _, procs := range []int{2, 16, 64, 256} {
		b.Run(fmt.Sprintf("procs=%d", procs), func(b *testing.B) {
			st := newStage(procs, 1)
			for range b.N {
				st.ms[0].stealWork(0)
			}
		})
	}
}
