package bad

import (
	"log"
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

func TestSlowSpins(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("spins", func() {
			for i := 0; ; i++ {
				_ = i
			}
		})
	})
}

type stuck struct{}

func (stuck) Write([]byte) (int, error) { select {} }

func TestSlowBlocks(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		l := log.New(stuck{}, "", 0)
		for range 2 { // the second waits for a lock of package log
			x.Go("", func() { l.Print() })
		}
	})
}
