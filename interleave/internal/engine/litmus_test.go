package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

// The litmus tests of the literature, each with the outcomes that it may have
// where every store is to memory, and where stores go through buffers.
func TestLitmus(t *testing.T) {
	type threads = []func(r []uint64, x, y *word)
	for _, c := range []struct {
		name    string
		threads threads
		sc, tso string // the outcomes, in order
	}{
		{
			"store buffering", threads{
				func(r []uint64, x, y *word) { x.release(1); r[0] = y.load() },
				func(r []uint64, x, y *word) { y.release(1); r[1] = x.load() },
			},
			"01 10 11", "00 01 10 11",
		},
		{
			"store buffering, a fence on one side", threads{
				func(r []uint64, x, y *word) { x.release(1); FenceNow(0); r[0] = y.load() },
				func(r []uint64, x, y *word) { y.release(1); r[1] = x.load() },
			},
			"01 10 11", "00 01 10 11",
		},
		{
			"store buffering, fences on both sides", threads{
				func(r []uint64, x, y *word) { x.release(1); FenceNow(0); r[0] = y.load() },
				func(r []uint64, x, y *word) { y.release(1); FenceNow(0); r[1] = x.load() },
			},
			"01 10 11", "01 10 11",
		},
		{
			"store buffering, ordinary stores", threads{
				func(r []uint64, x, y *word) { x.store(1); r[0] = y.load() },
				func(r []uint64, x, y *word) { y.store(1); r[1] = x.load() },
			},
			"01 10 11", "01 10 11",
		},
		{
			"store buffering, a swap elsewhere as the fence", threads{
				func(r []uint64, x, y *word) { x.release(1); new(word).swap(1); r[0] = y.load() },
				func(r []uint64, x, y *word) { y.release(1); new(word).add(1); r[1] = x.load() },
			},
			"01 10 11", "01 10 11",
		},
		{
			"message passing", threads{
				func(r []uint64, x, y *word) { x.release(1); y.release(1) },
				func(r []uint64, x, y *word) { r[0] = y.load(); r[1] = x.load() },
			},
			"00 01 11", "00 01 11",
		},
		{
			"load buffering", threads{
				func(r []uint64, x, y *word) { r[0] = x.load(); y.release(1) },
				func(r []uint64, x, y *word) { r[1] = y.load(); x.release(1) },
			},
			"00 01 10", "00 01 10",
		},
		{
			"own store first", threads{
				func(r []uint64, x, y *word) { x.release(1); r[0] = x.load() },
				func(r []uint64, x, y *word) { r[1] = x.load() },
			},
			"10 11", "10 11",
		},
		{
			"own stores, the last of them", threads{
				func(r []uint64, x, y *word) { x.release(1); x.release(2); r[0] = x.load() },
				func(r []uint64, x, y *word) { r[1] = x.load() },
			},
			"20 21 22", "20 21 22",
		},
		{
			"own store of another word", threads{
				func(r []uint64, x, y *word) { x.release(1); r[0] = y.load() },
				func(r []uint64, x, y *word) { y.release(2); r[1] = y.load() },
			},
			"02 22", "02 22",
		},
		{
			"store buffering, a lock elsewhere as the fence", threads{
				func(r []uint64, x, y *word) { x.release(1); new(mutex).lock(); r[0] = y.load() },
				func(r []uint64, x, y *word) { y.release(1); new(rwmutex).rlock(); r[1] = x.load() },
			},
			"01 10 11", "01 10 11",
		},
		{
			"store buffering, a swap that fails as the fence", threads{
				func(r []uint64, x, y *word) { x.release(1); new(word).cas(1, 2); r[0] = y.load() },
				func(r []uint64, x, y *word) { y.release(1); new(rwmutex).tryRLock(); r[1] = x.load() },
			},
			"01 10 11", "01 10 11",
		},
		{
			"independent reads of independent writes", threads{
				func(r []uint64, x, y *word) { x.release(1) },
				func(r []uint64, x, y *word) { y.release(1) },
				func(r []uint64, x, y *word) { r[0] = x.load(); r[1] = y.load() },
				func(r []uint64, x, y *word) { r[2] = y.load(); r[3] = x.load() },
			},
			"0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111",
			"0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, tso := range []bool{false, true} {
				want := c.sc
				if tso {
					want = c.tso
				}
				for _, st := range []Strategy{Exhaustive, DFS} {
					seen := map[string]bool{}
					var r []uint64
					o := Options{Strategy: st, Bound: -1, TSO: tso}
					o.Each = func(*View) bool {
						var b strings.Builder
						for _, v := range r {
							fmt.Fprint(&b, v)
						}
						seen[b.String()] = true
						return true
					}
					cert, _, err := Explore(o, func(x *Exec) {
						a, b := new(word), new(word)
						r = make([]uint64, max(2, len(c.threads)))
						if len(c.threads) < 4 {
							r = r[:2]
						}
						for i, th := range c.threads {
							x.Go(fmt.Sprint("t", i), func() { th(r, a, b) })
						}
					})
					got := strings.Join(slices.Sorted(maps.Keys(seen)), " ")
					if err != nil || !cert.Complete() || got != want {
						t.Errorf("tso %v, %s: outcomes %s, want %s (%v, %v)", tso, st, got, want, cert, err)
					}
				}
			}
		})
	}
}
