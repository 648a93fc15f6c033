// Package cgo has C and the network in its graph.
package cgo

import (
	"sync/atomic"
	"testing"

	"example.com/foreign"
	"github.com/spindle-go/spindle/interleave"
)

// What C computes is in doubt.
// want PASS: explored all orders of what was seen: 4 executions
func TestC(t *testing.T) { twice(t, func(n *atomic.Int32) { n.Store(foreign.Twice(n.Load())) }) }

// Go that C calls cannot hand over.
// want FAIL: thread T0 is called from C
func TestCalledFromC(t *testing.T) {
	twice(t, func(n *atomic.Int32) { foreign.Back(func() { n.Add(1) }) })
}

// The network may be used, and not waited for.
// want PASS: explored all orders of what was seen: 6 executions
func TestListen(t *testing.T) {
	twice(t, func(n *atomic.Int32) { n.Add(1); foreign.Listen(false); n.Add(1) })
}

// want FAIL: thread T0 waits for the network, or a file
func TestAccept(t *testing.T) {
	twice(t, func(n *atomic.Int32) { n.Add(1); foreign.Listen(true); n.Add(1) })
}

func twice(t *testing.T, f func(*atomic.Int32)) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		for range 2 {
			x.Go("", func() { f(&n) })
		}
	})
}
