// Package beside has a goroutine that runs beside the threads.
package beside

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

// A goroutine that init has started comes to operations: it is no thread, and it is named.
var ticks atomic.Int64

// notice has plain accesses.
func notice(n *int64) { *n++ }

func init() {
	go func() {
		n := new(int64)
		for {
			ticks.Add(1)
			notice(n)
			runtime.Gosched()
		}
	}()
}

// want PASS: which runs beside the threads
func TestGoOfInit(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		for range 2 {
			x.Go("", func() { n.Add(1); n.Add(1) })
		}
	})
}
