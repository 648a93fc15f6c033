package bad

import (
	"crypto/rand"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

func TestWrongByChance(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int64
		x.Go("", func() { n.Add(1) })
		x.Go("", func() { n.Add(1) })
		x.Finally(func() {
			var b [1]byte
			if rand.Read(b[:]); b[0] == 0 {
				x.Fatalf("now and then")
			}
		})
	}, interleave.Random(), interleave.Executions(20_000))
}
