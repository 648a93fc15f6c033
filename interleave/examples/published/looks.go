package published

import "sync/atomic"

// Loops that look at what others do. Some wait; some only look so many times, and
// then each look counts.

// doubleLoop: one waits for either of two stores, of which one is enough for the
// other thread to stay away.
func doubleLoop() []func() {
	var x, y atomic.Int32
	unless := func(seen, set *atomic.Int32) func() {
		return func() {
			if seen.Load() == 0 {
				set.Store(1)
			}
		}
	}
	wait := func() {
		for x.Load() == 0 && y.Load() == 0 {
		}
	}
	return []func(){wait, unless(&x, &y), unless(&y, &x)}
}

// readsInALoop: three store, and one looks four times (fr+w+w+w+reads).
func readsInALoop() []func() {
	var x atomic.Int32
	look := func() {
		for range 4 {
			x.Load()
		}
	}
	return append([]func(){look}, numbered(3, func(i int) { x.Store(int32(i + 1)) })...)
}

// publish: one stores and raises a flag, and one gives up after looking n times
// more for it.
func publish(n int) []func() {
	var x, flag atomic.Int32
	return []func(){
		func() {
			for looks := 0; flag.Load() != 1; {
				if looks++; looks > n {
					return
				}
			}
			if x.Load() != 42 {
				panic("published: the flag was there before the value")
			}
		},
		func() {
			x.Store(42)
			flag.Store(1)
		},
	}
}

// sharedPointer: two threads read a number n times and then add to the one that
// was last pointed to (SharedPtr).
func sharedPointer(n int) []func() {
	var x, y atomic.Int32
	var p atomic.Pointer[atomic.Int32]
	x.Store(3)
	y.Store(4)
	thread := func(points, reads *atomic.Int32) func() {
		return func() {
			p.Store(points)
			sum := int32(0)
			for range n {
				sum += reads.Load()
			}
			t := p.Load()
			t.Store(t.Load() + 3)
		}
	}
	return []func(){thread(&y, &x), thread(&x, &y)}
}

// countedLooks: one looks n times for what nobody stores (spin-counter).
func countedLooks(n int) []func() {
	var x atomic.Int32
	return []func(){
		func() {
			for range n {
				if x.Load() == 42 {
					break
				}
			}
			x.Load()
		},
		func() { x.Store(17) },
	}
}
