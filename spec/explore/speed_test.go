package explore

import (
	"context"
	"fmt"
	"testing"
	"unsafe"
)

// BenchmarkExplore gives distinct states per second of the processor, with
// invariants judged and counterexamples kept.
func BenchmarkExplore(b *testing.B) {
	for _, c := range []struct {
		name string
		m    ring
	}{
		{"1M", ring{thieves: 3, puts: 4, gets: 1, goes: 2}},
		{"20M", ring{thieves: 3, puts: 6, gets: 3, goes: 2}},
	} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", c.name, workers), func(b *testing.B) {
				var r Result
				var distinct, cpu, wall float64
				for b.Loop() {
					var err error
					r, err = Explore(context.Background(), c.m, Options[ringState]{Invariants: once(), NoSymmetry: true, Workers: workers})
					if err != nil || !r.Holds() {
						b.Fatalf("%+v, %v", r, err)
					}
					distinct += float64(r.Distinct)
					cpu += r.CPU.Seconds()
					wall += r.Elapsed.Seconds()
				}
				b.ReportMetric(float64(r.Distinct), "states")
				b.ReportMetric(float64(r.Edges)/float64(r.Distinct), "steps/state")
				b.ReportMetric(distinct/cpu/1e6, "Mstates/cpu-s")
				b.ReportMetric(distinct/wall/1e6, "Mstates/s")
			})
		}
	}
}

// BenchmarkFingerprint hashes 40 bytes.
func BenchmarkFingerprint(b *testing.B) {
	if n := unsafe.Sizeof(ringState{}); n != 40 {
		b.Fatalf("%d bytes", n)
	}
	k := newHasher(0)
	s := ringState{}
	sum := uint64(0)
	for b.Loop() {
		s.Out++
		sum += fingerprint(k, &s)
	}
	if sum == 0 {
		b.Fatal("no hash")
	}
}
