package interleave_test

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
)

// TestStoreBuffering: each of two threads says that it is there and looks for the
// other. Without a fence on both sides both may see nobody, if stores are
// buffered: the lost wake-up that the barriers of a scheduler are against.
func TestStoreBuffering(t *testing.T) {
	explore := func(fenceOne, fenceTwo bool, opts ...interleave.Option) bool {
		r, err := interleave.Explore(func(x *interleave.Exec) {
			var one, two atomic.Uint32
			seen := 0
			x.Go("one", func() {
				atomic.StoreRelease(&one, 1)
				if fenceOne {
					atomic.Fence()
				}
				seen += int(two.Load())
			})
			x.Go("two", func() {
				atomic.StoreRelease(&two, 1)
				if fenceTwo {
					atomic.Fence()
				}
				seen += int(one.Load())
			})
			x.Finally(func() {
				if seen == 0 {
					x.Fatalf("neither saw the other")
				}
			})
		}, opts...)
		if err != nil {
			t.Fatal(err)
		}
		return r.Failure != nil
	}
	for _, c := range []struct{ one, two, lost bool }{
		{false, false, true}, {true, false, true}, {false, true, true}, {true, true, false},
	} {
		if explore(c.one, c.two) {
			t.Errorf("fences %v and %v: lost without buffers", c.one, c.two)
		}
		if lost := explore(c.one, c.two, interleave.TSO()); lost != c.lost {
			t.Errorf("fences %v and %v: lost %v with buffers, want %v", c.one, c.two, lost, c.lost)
		}
	}
}
