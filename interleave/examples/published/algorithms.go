package published

import (
	"sync"
	"sync/atomic"
)

// lastzero: n threads store to an element what the one before it has and 1; one
// looks from the end for the last that is 0 (Abdulla and others 2014).
func lastzero(n int) []func() {
	elements := make([]atomic.Int32, n+1)
	search := func() {
		for i := n; elements[i].Load() != 0; i-- {
		}
	}
	return append([]func(){search}, numbered(n, func(i int) {
		elements[i+1].Store(elements[i].Load() + 1)
	})...)
}

// indexer: n threads put four entries each into a hash table. From twelve threads
// on, some meet (Flanagan and Godefroid, POPL 2005).
func indexer(n int) []func() {
	const size, entries = 128, 4
	table := make([]atomic.Int32, size)
	return numbered(n, func(thread int) {
		for i := range entries {
			w := i*11 + thread
			h := w * 7 % size
			for !table[h].CompareAndSwap(0, int32(w)) {
				h = (h + 1) % size
			}
		}
	})
}

// fibonacci: two threads add the other's number to their own, n times each, and a
// third holds that neither becomes larger than it can (fib_bench, SV-COMP).
func fibonacci(n int) []func() {
	var x, y atomic.Int32
	x.Store(1)
	y.Store(1)
	limit := int32(1) // the 2n+2nd Fibonacci number
	for i, before := 0, int32(1); i < 2*n; i++ {
		limit, before = limit+before, limit
	}
	return []func(){
		func() {
			for range n {
				x.Store(x.Load() + y.Load())
			}
		},
		func() {
			for range n {
				y.Store(x.Load() + y.Load())
			}
		},
		func() {
			if x.Load() > limit || y.Load() > limit {
				panic("published: a number larger than can be")
			}
		},
	}
}

// eratosthenes: two threads sieve the same n numbers.
func eratosthenes(n int) []func() {
	const prime, composite = 1, 2
	numbers := make([]atomic.Int32, n)
	return copies(2, func() {
		for i := range numbers {
			if numbers[i].Load() != 0 {
				continue
			}
			numbers[i].Store(prime)
			for j := 2*i + 2; j < n; j += i + 2 {
				numbers[j].Store(composite)
			}
		}
	})
}

// longThreads: two threads work n times on variables of their own and then meet
// once (par_length).
func longThreads(n int) []func() {
	var shared atomic.Int32
	own := make([]atomic.Int32, 2)
	return numbered(2, func(thread int) {
		for i := range n {
			own[thread].Store(int32(i))
			own[thread].Load()
		}
		shared.Store(int32(thread))
		shared.Load()
	})
}

// filesystem: n threads look for a free block for a file of their own, from 14
// threads on where another looks too (Flanagan and Godefroid, POPL 2005).
func filesystem(n int) []func() {
	const blocks, files = 26, 32
	type file struct {
		mu    sync.Mutex
		block int // and 1; 0 is none
	}
	type block struct {
		mu   sync.Mutex
		busy bool
	}
	var inodes [files]file
	var disk [blocks]block
	return numbered(n, func(thread int) {
		i := thread % files
		inodes[i].mu.Lock()
		defer inodes[i].mu.Unlock()
		if inodes[i].block != 0 {
			return
		}
		for b := i * 2 % blocks; ; b = (b + 1) % blocks {
			disk[b].mu.Lock()
			free := !disk[b].busy
			if free {
				disk[b].busy = true
				inodes[i].block = b + 1
			}
			disk[b].mu.Unlock()
			if free {
				return
			}
		}
	})
}

// A deque is Chase and Lev's (SPAA 2005), in a ring that does not grow.
type deque struct {
	bottom, top atomic.Int64
	ring        [10]int64 // plain: no order lets a thief read a slot that is written
}

// deques: the owner pushes five times, pops three times and pushes twice, against
// thieves of one steal each (chase-lev).
func deques(thieves int) []func() {
	d := new(deque)
	value := int64(0)
	push := func() {
		value++
		d.push(value)
	}
	owner := func() {
		for range 5 {
			push()
		}
		for range 3 {
			d.pop()
		}
		for range 2 {
			push()
		}
	}
	return append([]func(){owner}, copies(thieves, func() { d.steal() })...)
}

func (d *deque) slot(i int64) *int64 { return &d.ring[i%int64(len(d.ring))] }

func (d *deque) push(v int64) {
	b, t := d.bottom.Load(), d.top.Load()
	if b-t >= int64(len(d.ring)) {
		return
	}
	*d.slot(b) = v
	d.bottom.Store(b + 1)
}

func (d *deque) pop() (v int64, ok bool) {
	b := d.bottom.Load()
	d.bottom.Store(b - 1)
	t := d.top.Load()
	if b <= t {
		d.bottom.Store(b)
		return 0, false
	}
	v = *d.slot(b - 1)
	if b-t > 1 {
		return v, true
	}
	ok = d.top.CompareAndSwap(t, t+1) // the last one: against thieves
	d.bottom.Store(b)
	return v, ok
}

func (d *deque) steal() (v int64, ok bool) {
	t, b := d.top.Load(), d.bottom.Load()
	if b <= t {
		return 0, false
	}
	v = *d.slot(t)
	return v, d.top.CompareAndSwap(t, t+1)
}
