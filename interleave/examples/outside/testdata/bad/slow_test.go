package bad

import (
	"io"
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

func TestSlowBlocks(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		r, _ := io.Pipe()
		x.Go("blocks", func() { r.Read(make([]byte, 1)) })
	})
}
