package bad

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
)

func TestMapOrder(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var words [8]atomic.Int32
		order := make(map[*atomic.Int32]bool)
		for i := range words {
			order[&words[i]] = true
		}
		for range 2 {
			x.Go("", func() {
				for n := range order {
					n.Add(1)
				}
			})
		}
	})
}

func TestTime(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int64
		for range 2 {
			x.Go("", func() { n.Store(time.Now().UnixNano()) })
		}
	})
}

func TestChance(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n, m atomic.Int64
		for range 2 {
			x.Go("", func() {
				for range 16 { // that two runs draw alike is out of the question
					if rand.IntN(2) == 0 {
						n.Add(1)
					} else {
						m.Add(1)
					}
				}
			})
		}
	})
}

func TestChanceInBody(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int64
		n.Store(rand.Int64())
		for range 3 {
			x.Go("", func() { n.Add(1) })
		}
	})
}

func TestWrongByChance(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int64
		x.Go("", func() { n.Add(1) })
		x.Go("", func() { n.Add(1) })
		x.Finally(func() {
			if rand.IntN(1000) == 0 {
				x.Fatalf("now and then")
			}
		})
	}, interleave.Random(), interleave.Executions(20_000))
}

func TestState(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.Mutex
		for range 2 {
			x.Go("", func() { mu.Lock(); count++; mu.Unlock() })
		}
	})
}
