package unseen

import (
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

// leaves explores two threads of which one changes what a package-level variable
// reaches.
func leaves(t *testing.T, change func()) {
	t.Helper()
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int64
		x.Go("one", func() { n.Add(1); change() })
		x.Go("two", func() { n.Add(1) })
	})
}

func TestStateSlice(t *testing.T)   { leaves(t, reg.count) }
func TestStateAtomic(t *testing.T)  { leaves(t, func() { reg.n.Add(1) }) }
func TestStateFar(t *testing.T)     { leaves(t, func() { far[1].by["x"].any = 1 }) }
func TestStateMap(t *testing.T)     { leaves(t, func() { byName["x"]++ }) }
func TestStateBoxed(t *testing.T)   { leaves(t, func() { boxed.(*registry).names = []string{"x"} }) }
func TestStatePointer(t *testing.T) { leaves(t, func() { head.Load().any = 7 }) }
func TestStateSyncMap(t *testing.T) {
	leaves(t, func() { v, _ := table.Load("x"); table.Store("x", v.(int)+1) })
}
func TestStateRing(t *testing.T)   { leaves(t, func() { loop.next.n++ }) }
func TestStateList(t *testing.T)   { leaves(t, func() { entries.PushBack(1) }) }
func TestCaptured(t *testing.T)    { leaves(t, func() { next() }) }
func TestNotCaptured(t *testing.T) { leaves(t, func() { less(1, 2) }) }
func TestStateUsed(t *testing.T) {
	leaves(t, func() {
		pool.Put(pool.Get())
		if words.MatchString("a") && less(1, 2) && errGone != nil {
			_ = squares[7]
		}
	})
}
