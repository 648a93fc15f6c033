package engine_test

import (
	"fmt"
	"testing"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

type ring struct {
	head, tail word
	slots      []word
}

func (r *ring) put(v uint64) bool {
	h := r.head.load()
	t := r.tail.load()
	if t-h >= uint64(len(r.slots)) {
		return false
	}
	r.slots[t%uint64(len(r.slots))].store(v)
	r.tail.store(t + 1)
	return true
}

func (r *ring) get() uint64 {
	for {
		h := r.head.load()
		t := r.tail.load()
		if t == h {
			return 0
		}
		v := r.slots[h%uint64(len(r.slots))].load()
		if r.head.cas(h, h+1) {
			return v
		}
	}
}

func (r *ring) steal(batch []uint64) int {
	for {
		h := r.head.load()
		t := r.tail.load()
		n := t - h
		n -= n / 2
		if n == 0 {
			return 0
		}
		if n > uint64(len(r.slots)/2) {
			continue
		}
		for i := range n {
			batch[i] = r.slots[(h+i)%uint64(len(r.slots))].load()
		}
		if r.head.cas(h, h+n) {
			return int(n)
		}
	}
}

func ringBody(script string, thieves, steals int) func(x *Exec) {
	return func(x *Exec) {
		r := &ring{slots: make([]word, 4)}
		x.Go("owner", func() {
			id := uint64(0)
			for _, c := range script {
				if c == 'P' {
					id++
					r.put(id)
				} else {
					r.get()
				}
			}
		})
		for range thieves {
			x.Go("thief", func() {
				var b [4]uint64
				for range steals {
					r.steal(b[:])
				}
			})
		}
	}
}

// speeds are of the smallest scripts and of one that has some size.
var speeds = []struct {
	script          string
	thieves, steals int
}{{"PG", 1, 1}, {"PPGPG", 1, 1}, {"PPGPG", 1, 2}, {"PPG", 2, 1}, {"PPGPG", 2, 1}}

// speed runs o on each of them. Executions and steps per second are what counts:
// how much there is to do is the matter of other tests.
func speed(b *testing.B, o Options) {
	for _, c := range speeds {
		b.Run(fmt.Sprintf("%s_%dx%d", c.script, c.thieves, c.steals), func(b *testing.B) {
			body := ringBody(c.script, c.thieves, c.steals)
			n, steps := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				cert, f, err := Explore(o, body)
				if f != nil || err != nil {
					b.Fatal(f, err)
				}
				n += cert.Executions
				steps += cert.Steps
			}
			b.ReportMetric(float64(n)/float64(b.N), "execs")
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "execs/s")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
		})
	}
}

func BenchmarkExhaust(b *testing.B) { speed(b, Options{Strategy: Exhaustive}) }
func BenchmarkRandom(b *testing.B)  { speed(b, Options{Strategy: Random, Executions: 1000}) }
func BenchmarkPCT(b *testing.B)     { speed(b, Options{Strategy: PCT, Executions: 1000}) }
