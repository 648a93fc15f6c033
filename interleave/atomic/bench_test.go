package atomic

import (
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// What the drop-ins cost outside of an exploration, each beside its original.

func BenchmarkInt64(b *testing.B) {
	var original atomic.Int64
	var ours Int64
	var n int64
	b.Run("Load/original", func(b *testing.B) {
		for b.Loop() {
			n += original.Load()
		}
	})
	b.Run("Load/ours", func(b *testing.B) {
		for b.Loop() {
			n += ours.Load()
		}
	})
	b.Run("Store/original", func(b *testing.B) {
		for b.Loop() {
			original.Store(n)
		}
	})
	b.Run("Store/ours", func(b *testing.B) {
		for b.Loop() {
			ours.Store(n)
		}
	})
	b.Run("Add/original", func(b *testing.B) {
		for b.Loop() {
			n += original.Add(1)
		}
	})
	b.Run("Add/ours", func(b *testing.B) {
		for b.Loop() {
			n += ours.Add(1)
		}
	})
	b.Run("CompareAndSwap/original", func(b *testing.B) {
		for b.Loop() {
			original.CompareAndSwap(n, n)
		}
	})
	b.Run("CompareAndSwap/ours", func(b *testing.B) {
		for b.Loop() {
			ours.CompareAndSwap(n, n)
		}
	})
}

func BenchmarkFunctions(b *testing.B) {
	var x, n uint32
	b.Run("AddUint32/original", func(b *testing.B) {
		for b.Loop() {
			n += atomic.AddUint32(&x, 1)
		}
	})
	b.Run("AddUint32/ours", func(b *testing.B) {
		for b.Loop() {
			n += AddUint32(&x, 1)
		}
	})
}

func BenchmarkBool(b *testing.B) {
	var original atomic.Bool
	var ours Bool
	b.Run("Swap/original", func(b *testing.B) {
		for b.Loop() {
			original.Swap(true)
		}
	})
	b.Run("Swap/ours", func(b *testing.B) {
		for b.Loop() {
			ours.Swap(true)
		}
	})
}

func BenchmarkPointer(b *testing.B) {
	var original atomic.Pointer[int]
	var ours Pointer[int]
	n := new(int)
	b.Run("Load/original", func(b *testing.B) {
		for b.Loop() {
			n = original.Load()
		}
	})
	b.Run("Load/ours", func(b *testing.B) {
		for b.Loop() {
			n = ours.Load()
		}
	})
	b.Run("CompareAndSwap/original", func(b *testing.B) {
		for b.Loop() {
			original.CompareAndSwap(n, n)
		}
	})
	b.Run("CompareAndSwap/ours", func(b *testing.B) {
		for b.Loop() {
			ours.CompareAndSwap(n, n)
		}
	})
}

func BenchmarkValue(b *testing.B) {
	var original atomic.Value
	var ours Value
	original.Store(b)
	ours.Store(b)
	b.Run("Load/original", func(b *testing.B) {
		for b.Loop() {
			original.Load()
		}
	})
	b.Run("Load/ours", func(b *testing.B) {
		for b.Loop() {
			ours.Load()
		}
	})
	b.Run("Store/original", func(b *testing.B) {
		for b.Loop() {
			original.Store(b)
		}
	})
	b.Run("Store/ours", func(b *testing.B) {
		for b.Loop() {
			ours.Store(b)
		}
	})
}

// BenchmarkThread is what an operation costs a thread that is alone, in
// executions of a hundred.
func BenchmarkThread(b *testing.B) {
	o := engine.Options{Strategy: engine.Random, Executions: b.N/100 + 1}
	_, failure, err := engine.Explore(o, func(x *engine.Exec) {
		x.Go("a", func() {
			var n Int64
			for range 100 {
				n.Add(1)
			}
		})
	})
	if failure != nil || err != nil {
		b.Fatal(failure, err)
	}
}
