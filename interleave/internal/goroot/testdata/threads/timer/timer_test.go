// Package timer has goroutines that a timer of the program starts. Each ends at once.
package timer

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
)

var fired int

func fires() {
	fired = 2
	time.AfterFunc(3*time.Millisecond, fires)
}

func init() { time.AfterFunc(3*time.Millisecond, fires) }

// It takes longer than such a goroutine needs to come and go.
// want PASS: not seen: goroutine example.com/threads/timer.fires, which runs beside the threads
func TestFires(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		for range 3 {
			x.Go("", func() { n.Add(1); n.Load(); n.Add(1) })
		}
		x.Go("f", func() { fired = 1; n.Load() })
	})
}
