package published

import (
	"sync"
	"sync/atomic"
)

// Threads that count, in more or less careful ways.

// ainc: each of n threads adds 1 to one variable. n! orders.
func ainc(n int) []func() {
	var x atomic.Int32
	return copies(n, func() { x.Add(1) })
}

// binc: the same with two variables, one after the other.
func binc(n int) []func() {
	var x, y atomic.Int32
	return copies(n, func() {
		x.Add(1)
		y.Add(1)
	})
}

// cinc: the same with three.
func cinc(n int) []func() {
	var x, y, z atomic.Int32
	return copies(n, func() {
		x.Add(1)
		y.Add(1)
		z.Add(1)
	})
}

// wainc: n threads add while one stores.
func wainc(n int) []func() {
	var x atomic.Int32
	store := func() { x.Store(42) }
	return append(copies(n, func() { x.Add(1) }), store)
}

// inc: each thread loads and stores the sum, so that some are lost.
func inc(n int) []func() {
	var x atomic.Int32
	return numbered(n, func(i int) { x.Store(x.Load() + 1<<i) })
}

// lockinc: the same under a lock, so that none is.
func lockinc(n int) []func() {
	var mu sync.Mutex
	var x atomic.Int32
	return copies(n, func() {
		mu.Lock()
		x.Store(x.Load() + 1)
		mu.Unlock()
	})
}

// lock2inc: the same with two variables under one lock.
func lock2inc(n int) []func() {
	var mu sync.Mutex
	var x, y atomic.Int32
	return copies(n, func() {
		mu.Lock()
		x.Store(x.Load() + 1)
		y.Store(y.Load() + 1)
		mu.Unlock()
	})
}

// rw: each thread loads and then stores its number.
func rw(n int) []func() {
	var x atomic.Int32
	return numbered(n, func(i int) {
		x.Load()
		x.Store(int32(i))
	})
}

// wrw: n threads load and store, and one more stores.
func wrw(n int) []func() {
	var x atomic.Int32
	store := func() { x.Store(1) }
	threads := numbered(n, func(i int) {
		x.Load()
		x.Store(int32(i))
	})
	return append([]func(){store}, threads...)
}
