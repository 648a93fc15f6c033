package unseen

import (
	"iter"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"sync"
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

func TestRangeStored(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var m sync.Map
		var ready, done atomic.Bool
		m.Store(1, 1)
		x.Go("ranges", func() {
			m.Range(func(k, v any) bool {
				ready.Store(true)
				for !done.Load() {
				}
				return true
			})
		})
		x.Go("stores", func() {
			for !ready.Load() {
			}
			m.Store(2, 1)
			done.Store(true)
		})
	})
}

func TestMapsClone(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		m := map[int]int{1: 1}
		x.Go("one", func() { m[2] = 2 })
		x.Go("two", func() { maps.Clone(m) })
	})
}

func TestSlicesDelete(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		s := []int{1, 2, 3}
		x.Go("one", func() { slices.Delete(s, 0, 1) })
		x.Go("two", func() { _ = s[2] })
	})
}

func TestReflectClear(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		s := []int{1, 2, 3}
		x.Go("one", func() { reflect.ValueOf(s).Clear() })
		x.Go("two", func() { _ = s[2] })
	})
}

func TestReflectSetZero(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var s struct{ a, b, c int }
		x.Go("one", func() { reflect.ValueOf(&s).Elem().SetZero() })
		x.Go("two", func() { _ = s.c })
	})
}

// The body makes a coroutine, and a thread runs it: what it does is the thread's.
func TestPullOfBody(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int64
		next, stop := iter.Pull(func(yield func(int) bool) {
			for {
				v := n.Load()
				n.Store(v + 1)
				if !yield(0) {
					return
				}
			}
		})
		x.Go("one", func() { next() })
		x.Go("two", func() { n.Add(1) })
		x.Finally(func() {
			if got := n.Load(); got != 2 {
				x.Fatalf("%d", got)
			}
			stop()
		})
	})
}
