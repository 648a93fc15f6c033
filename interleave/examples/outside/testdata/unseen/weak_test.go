package unseen

import (
	"runtime"
	"sync/atomic"
	"testing"
	"unique"
	"weak"

	"github.com/spindle-go/spindle/interleave"
)

func TestChanceWeak(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int64
		p := new(int)
		w := weak.Make(p)
		x.Go("one", func() {
			if w.Value() != nil {
				n.Add(1)
			}
		})
		x.Go("two", func() { n.Add(2) })
		x.Finally(func() { runtime.KeepAlive(p) })
	})
}

func TestChanceMemory(t *testing.T) {
	drawn(t, func() int { var m runtime.MemStats; runtime.ReadMemStats(&m); return int(m.Mallocs) })
}

func TestRightUnique(t *testing.T) {
	drawn(t, func() int { return unique.Make(7).Value() })
}
