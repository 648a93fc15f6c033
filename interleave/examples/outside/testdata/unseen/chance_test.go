package unseen

import (
	crand "crypto/rand"
	"hash/maphash"
	"maps"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"example.com/counter"

	"github.com/spindle-go/spindle/interleave"
)

// drawn explores two threads of which one draws; what comes out changes nothing.
func drawn(t *testing.T, draw func() int) {
	t.Helper()
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int64
		x.Go("one", func() { n.Add(1); _ = draw() })
		x.Go("two", func() { n.Add(1) })
	})
}

func TestChanceRand(t *testing.T)   { drawn(t, func() int { return rand.Intn(5) }) }
func TestChanceRandV2(t *testing.T) { drawn(t, func() int { return randv2.N(5) }) }
func TestChanceTime(t *testing.T)   { drawn(t, func() int { return time.Now().Second() }) }
func TestChancePid(t *testing.T)    { drawn(t, os.Getpid) }
func TestChanceCrypto(t *testing.T) {
	drawn(t, func() int { b := make([]byte, 1); crand.Read(b); return int(b[0]) })
}
func TestChanceHash(t *testing.T) {
	drawn(t, func() int { var h maphash.Hash; return int(h.Sum64()) })
}
func TestChanceFar(t *testing.T) { drawn(t, counter.Dice) }

var now = time.Now

func TestChanceValue(t *testing.T) { drawn(t, func() int { return now().Second() }) }

func TestChanceBody(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int64
		_ = rand.Int63()
		x.Go("one", func() { n.Add(1) })
		x.Go("two", func() {})
	})
}

func TestChanceMap(t *testing.T) {
	m := map[*int]int{new(int): 1, new(int): 2}
	drawn(t, func() (sum int) {
		for _, v := range m {
			sum += v
		}
		return sum
	})
}

func TestChanceKeys(t *testing.T) {
	m := map[int]int{1: 1, 2: 2}
	drawn(t, func() (sum int) {
		for k := range maps.Keys(m) {
			sum += k
		}
		return sum
	})
}

func TestRightSeeded(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int64
		r, s := rand.New(rand.NewSource(1)), randv2.New(randv2.NewPCG(1, 2))
		x.Go("one", func() { n.Add(int64(r.Intn(5))) })
		x.Go("two", func() { n.Add(int64(s.IntN(5))) })
	})
}

func TestSeededShared(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		r := rand.New(rand.NewSource(1))
		return func() { r.Intn(5) }
	})
}

func TestRightMap(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var words [3]atomic.Int32
		m := map[string]int{"a": 0, "b": 1, "c": 2}
		for range 2 {
			x.Go("", func() {
				for k, i := range m {
					if k == "b" {
						continue
					}
					words[i].Add(1)
				}
			})
		}
		x.Finally(func() {
			for i := range slices.Values(slices.Sorted(maps.Keys(m))) {
				_ = i
			}
		})
	})
}

func TestRightTimes(t *testing.T) {
	drawn(t, func() int { return time.Unix(5, 0).Add(3 * time.Second).Second() })
}
