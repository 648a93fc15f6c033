package published

import "sync/atomic"

// Threads that swap if they find what they expect. A swap that fails only reads,
// so that the number of classes depends on the values.

// cas: the first of n threads succeeds, the others fail.
func cas(n int) []func() {
	var x atomic.Int32
	return numbered(n, func(i int) { x.CompareAndSwap(0, int32(i+1)) })
}

// casw: each thread stores behind its swap.
func casw(n int) []func() {
	var x atomic.Int32
	return numbered(n, func(i int) {
		x.CompareAndSwap(0, 1)
		x.Store(int32(i + 3))
	})
}

// casrot: each thread can succeed only behind the one before it.
func casrot(n int) []func() {
	var x atomic.Int32
	return numbered(n, func(i int) { x.CompareAndSwap(int32(i), int32(i+1)) })
}

// wcas: n threads swap, and the first behind the store succeeds.
func wcas(n int) []func() {
	var x atomic.Int32
	store := func() { x.Store(2) }
	return append([]func(){store}, copies(n, func() { x.CompareAndSwap(2, 3) })...)
}

// wcii: a store, a swap, and two who add.
func wcii() []func() {
	var x atomic.Int32
	return []func(){
		func() { x.Store(5) },
		func() { x.CompareAndSwap(1, 2) },
		func() { x.Add(1) },
		func() { x.Add(1) },
	}
}
