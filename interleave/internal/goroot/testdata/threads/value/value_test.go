package value

import (
	"testing"

	"example.com/pool/hidden"
	"github.com/spindle-go/spindle/interleave"
)

var set = hidden.Set

// want PASS: not seen: functions that say //go:norace of package example.com/pool/hidden, which may be called by way of a value
func TestHiddenValue(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		n := 0
		x.Go("a", func() { set(&n, 1) })
		x.Go("b", func() { set(&n, 2) })
	})
}
