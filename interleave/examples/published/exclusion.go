package published

import "sync/atomic"

// Mutual exclusion by loads and stores alone.

// peterson: two threads give way to each other (Peterson 1981).
func peterson() []func() {
	var wants [2]atomic.Bool
	var turn, inside atomic.Int32
	return numbered(2, func(i int) {
		wants[i].Store(true)
		turn.Store(int32(1 - i))
		for wants[1-i].Load() && turn.Load() == int32(1-i) {
		}
		inside.Store(int32(i))
		inside.Load()
		wants[i].Store(false)
	})
}

// lamport: n threads, with a short way for one that is alone (Lamport, A Fast
// Mutual Exclusion Algorithm, 1987).
func lamport(n int) []func() {
	var x, y atomic.Int32 // numbers from 1; 0 is nobody
	wants := make([]atomic.Bool, n+1)
	free := func() {
		for y.Load() != 0 {
		}
	}
	lock := func(i int32) {
		for {
			wants[i].Store(true)
			x.Store(i)
			if y.Load() != 0 {
				wants[i].Store(false)
				free()
				continue
			}
			y.Store(i)
			if x.Load() == i {
				return
			}
			wants[i].Store(false)
			for j := 1; j <= n; j++ {
				for wants[j].Load() {
				}
			}
			if y.Load() == i {
				return
			}
			free()
		}
	}
	return numbered(n, func(number int) {
		i := int32(number + 1)
		lock(i)
		y.Store(0)
		wants[i].Store(false)
	})
}

// szymanski: two threads wait in a room until the door is shut (Szymanski, A
// Simple Solution to Lamport's Concurrent Programming Problem, 1988). The second
// lets the first go in before it. In the test suites each lets the other go first
// (polite), so that both may wait for ever in front of the critical section.
func szymanski(polite bool) []func() {
	const away, comes, waits, atDoor, inside = 0, 1, 2, 3, 4
	var flags [2]atomic.Int32
	var x atomic.Int32
	return numbered(2, func(i int) {
		mine, other := &flags[i], &flags[1-i]
		mine.Store(comes)
		for other.Load() >= atDoor {
		}
		mine.Store(atDoor)
		if other.Load() == comes {
			mine.Store(waits)
			for other.Load() != inside {
			}
		}
		mine.Store(inside)
		for (polite || i == 1) && other.Load() >= waits {
		}
		x.Store(int32(i))
		x.Load()
		if x.Load() != int32(i) {
			panic("published: two threads are in the critical section")
		}
		for other.Load() >= waits && other.Load() <= atDoor {
		}
		mine.Store(away)
	})
}
