package interleave_test

import (
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
)

type stopped struct{}

// lastBefore returns what data was when it was looked at last before flag was set.
func lastBefore(flag, data *atomic.Int32) (v int32) {
	defer func() {
		if _, ok := recover().(stopped); !ok {
			panic("something else")
		}
	}()
	for {
		if flag.Load() == 1 {
			panic(stopped{})
		}
		v = data.Load()
	}
}

// lastIndex is lastBefore that leaves its loop by an index out of range.
func lastIndex(flag, data *atomic.Int32) (v int32) {
	defer func() { recover() }()
	one := make([]int, 1)
	for {
		_ = one[flag.Load()]
		v = data.Load()
	}
}

// carried are programs in which an iteration of a loop that waits leaves something for
// later: each returns what it is, for the thread that waits.
var carried = map[string]func(flag, data *atomic.Int32) int32{
	"a result, by a panic":               lastBefore,
	"a result, by an index out of range": lastIndex,
	"the init statement of the loop": func(flag, data *atomic.Int32) int32 {
		seen, began := int32(0), int32(0)
		for range 2 {
			for began = seen; flag.Load() == 0; {
				seen = data.Load()
			}
		}
		return began
	},
	"the init statement, with a variable of its own": func(flag, data *atomic.Int32) int32 {
		v, last := int32(0), int32(0)
		for k := 0; k < 2; k++ {
			for i := v; ; {
				last = i
				if flag.Load() == 1 {
					break
				}
				v = data.Load()
			}
		}
		return last
	},
	"the sign of zero": func(flag, _ *atomic.Int32) int32 {
		f := 0.0
		for flag.Load() == 0 {
			f = -f
		}
		return sign(f)
	},
	"the sign of a zero in a struct": func(flag, _ *atomic.Int32) int32 {
		p := struct{ at [2]complex64 }{}
		for flag.Load() == 0 {
			p.at[1] = complex(-real(p.at[1]), 0)
		}
		return sign(float64(real(p.at[1])))
	},
	"the sign of a zero in an interface": func(flag, _ *atomic.Int32) int32 {
		var v any = float32(0)
		for flag.Load() == 0 {
			v = -v.(float32)
		}
		return sign(float64(v.(float32)))
	},
}

func sign(f float64) int32 {
	if math.Signbit(f) {
		return 1
	}
	return 0
}

// TestCarried: an iteration that leaves something for later is not in vain.
func TestCarried(t *testing.T) {
	tier.NotShort(t)
	var names []string
	var programs []func(*interleave.Exec)
	for _, name := range slices.Sorted(maps.Keys(carried)) { // in the instrumented binary as here
		names = append(names, name)
		programs = append(programs, func(x *interleave.Exec) {
			var flag, data atomic.Int32
			x.Go("sets", func() { data.Store(1); flag.Store(1) })
			x.Go("waits", func() {
				if carried[name](&flag, &data) == 1 {
					x.Fatalf("reached")
				}
			})
		})
	}
	for i, r := range explored(t, programs) {
		if r.Failure == nil || r.Failure.Kind != interleave.Assertion {
			t.Errorf("%s: expected that 1 is carried on, saw %s", names[i], r.Text(""))
		}
	}
}
