package published

import "sync/atomic"

// Small programs that show what a memory model allows (litmus tests). Here their
// number of executions under sequential consistency is of interest.

// readers: n threads load what one stores.
func readers(n int) []func() {
	var x atomic.Int32
	store := func() { x.Store(42) }
	return append([]func(){store}, copies(n, func() { x.Load() })...)
}

// writers: n+1 threads store and one loads.
func writers(n int) []func() {
	var x atomic.Int32
	load := func() { x.Load() }
	return append([]func(){load}, numbered(n+1, func(i int) { x.Store(int32(i)) })...)
}

// coherence: two threads store to x and look what became of it, n-1 others store
// to what they look at in between (CoA).
func coherence(n int) []func() {
	var x, y, z atomic.Int32
	threads := []func(){
		func() { x.Store(1); y.Load(); x.Load() },
		func() { x.Store(2); z.Load(); x.Load() },
	}
	return append(threads, numbered(n-1, func(i int) {
		y.Store(int32(i))
		z.Store(int32(i))
	})...)
}

// crossedStores: two threads store to two variables in opposite orders (2+2W).
func crossedStores() []func() {
	var x, y atomic.Int32
	return []func(){
		func() { x.Store(1); y.Store(2) },
		func() { y.Store(1); x.Store(2) },
	}
}

// loadBuffering: each of three threads loads what the one before it stores (LB3).
func loadBuffering() []func() {
	var a, b, c atomic.Int32
	return []func(){
		func() { a.Load(); b.Store(1) },
		func() { b.Load(); c.Store(1) },
		func() { c.Load(); a.Store(1) },
	}
}

// independentReads: two stores that are independent, and two who look at both in
// opposite orders (IRIW).
func independentReads() []func() {
	var x, y atomic.Int32
	return []func(){
		func() { x.Store(1) },
		func() { x.Load(); y.Load() },
		func() { y.Load(); x.Load() },
		func() { y.Store(1) },
	}
}

// passedOn: the same, but the second store passes on what the first stored
// (IRIWish).
func passedOn() []func() {
	var x, y atomic.Int32
	return []func(){
		func() { x.Store(1) },
		func() { y.Store(x.Load()) },
		func() { x.Load(); y.Load() },
		func() { y.Load(); x.Load() },
	}
}

// releaseSequence: a swap comes between two stores to y (relseq).
func releaseSequence() []func() {
	var x, y atomic.Int32
	return []func(){
		func() { x.Store(1); y.Store(1); y.Store(2) },
		func() { y.Swap(3) },
		func() { y.Load(); x.Load() },
	}
}

// longReleaseSequence: six times somebody adds (viktor-relseq).
func longReleaseSequence() []func() {
	var x atomic.Int32
	once := func() { x.Add(1) }
	twice := func() { x.Add(1); x.Add(1) }
	return []func(){twice, twice, once, once}
}

// readTwice: two store, and two look twice (CoRR2).
func readTwice() []func() {
	var x atomic.Int32
	twice := func() { x.Load(); x.Load() }
	return []func(){
		func() { x.Store(1) },
		func() { x.Store(2) },
		twice,
		twice,
	}
}

// readThrice: two store, and one looks three times (W+RRR+W).
func readThrice() []func() {
	var x atomic.Int32
	return []func(){
		func() { x.Store(1) },
		func() {
			if a, b, c := x.Load(), x.Load(), x.Load(); a == 1 && b == 2 && c == 1 {
				panic("published: the first store was seen again behind the second")
			}
		},
		func() { x.Store(2) },
	}
}

// addsAndReads: two add, one stores and two look twice (inc+inc+RR+W+RR).
func addsAndReads() []func() {
	var x atomic.Int32
	add := func() { x.Add(1) }
	twice := func() { x.Load(); x.Load() }
	return []func(){add, add, twice, func() { x.Store(42) }, twice}
}

// readFourTimes: three store, and one looks four times, not in a loop
// (fr+w+w+w+reads; readsInALoop has the loop).
func readFourTimes() []func() {
	var x atomic.Int32
	return []func(){
		func() { x.Store(1) },
		func() { x.Store(2) },
		func() { x.Store(3) },
		func() { x.Load(); x.Load(); x.Load(); x.Load() },
	}
}

// big0: two load four variables in turn, and two store to them.
func big0() []func() {
	var x, y, z, w atomic.Int32
	return []func(){
		func() {
			x.Load()
			y.Load()
			z.Load()
			w.Load()
			x.Load()
			y.Load()
			z.Load()
		},
		func() { x.Load(); y.Load(); z.Load() },
		func() {
			x.Store(1)
			y.Store(1)
			x.Store(2)
			y.Store(2)
			x.Store(3)
			y.Store(3)
		},
		func() {
			z.Store(1)
			w.Store(1)
			z.Store(2)
			w.Store(2)
			z.Store(3)
			w.Store(3)
		},
	}
}

// dekker: each of two threads says that it comes, looks whether the other does,
// and if not goes in. Both may stay out (dekker_f).
func dekker() []func() {
	var x, y, inside atomic.Int32
	enter := func(mine, other *atomic.Int32, number int32) func() {
		return func() {
			mine.Store(1)
			if other.Load() == 0 {
				inside.Store(number)
				if inside.Load() != number {
					panic("published: two threads are in the critical section")
				}
			}
		}
	}
	return []func(){enter(&x, &y, 1), enter(&y, &x, 2)}
}

// nested: whether b is read, and whether something is stored, depends on what was
// read before (conditional_nested).
func nested() []func() {
	var b, c, ok atomic.Int32
	return []func(){
		func() { b.Store(1) },
		func() { c.Store(1); b.Store(2) },
		func() {
			if c.Load() == 0 && b.Load() == 0 {
				ok.Store(1)
			}
		},
	}
}

// sleepSetBlocking: source sets alone begin executions here that lead nowhere
// (figure 2 of Abdulla and others 2014; conditional_ssb).
func sleepSetBlocking() []func() {
	var x, y, z atomic.Int32
	return []func(){
		func() { x.Load() },
		func() { y.Store(1) },
		func() {
			if y.Load() == 0 {
				z.Store(1)
			}
		},
		func() {
			if n, l := z.Load(), y.Load(); n == 1 && l == 0 {
				x.Store(1)
			}
		},
	}
}
