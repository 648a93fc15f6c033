// Package loops has loops that wait.
package loops

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// Flags are waited for, in loops of several kinds.
type Flags struct {
	f, g atomic.Bool
	mu   sync.Mutex
	a, b bool // under mu
	left atomic.Pointer[node]
	n    int // the waiting thread's, or under mu
	keys map[int]struct{}
}

// WithSet returns flags with a set that has 0.
func WithSet() *Flags { return &Flags{keys: map[int]struct{}{0: {}}} }

// Set sets the flag.
func (x *Flags) Set() { x.f.Store(true) }

// Wait waits for the flag.
func (x *Flags) Wait() int {
	for !x.f.Load() {
		runtime.Gosched()
	}
	return 0
}

// WaitOnce waits, and counts once. It returns what it has counted.
func (x *Flags) WaitOnce() (n int) {
	var once sync.Once
	for !x.f.Load() {
		once.Do(func() { n++ })
	}
	return n
}

// WaitCounting waits, and returns how often in vain.
func (x *Flags) WaitCounting() (n int) {
	for !x.f.Load() {
		n++
	}
	return n
}

// GivesUp looks at the flag 9000 times, and gives up.
func (x *Flags) GivesUp() {
	for range 9000 {
		if x.f.Load() {
			return
		}
	}
}

// Thrice tries three times to take the flag, and returns how often it failed.
func (x *Flags) Thrice() (n int) {
	for range 3 {
		if !x.f.CompareAndSwap(true, false) {
			n++
		}
	}
	return n
}

// A node is made in a round.
type node struct {
	n    int
	next *node
}

//go:noinline
func use(n *node) int { return n.n }

// kept makes a node that lies in the heap.
//
//go:noinline
func kept(n int, next *node) *node { return &node{n, next} }

// WaitMaking waits, and makes a node in each round.
func (x *Flags) WaitMaking() (n int) {
	for !x.f.Load() {
		n = use(kept(1, kept(2, nil)))
	}
	return n
}

// WaitCopying waits, and copies a node in each round.
func (x *Flags) WaitCopying() int {
	p := kept(1, nil)
	for !x.f.Load() {
		p = kept(p.n, nil)
	}
	return p.n
}

// WaitTurning waits, and makes a node that is unlike the one before.
func (x *Flags) WaitTurning() int {
	p := kept(0, nil)
	for !x.f.Load() {
		p = kept(1-p.n, nil)
	}
	return p.n
}

// WaitClimbing waits, and makes a node in each round that is one more, up to 3.
func (x *Flags) WaitClimbing() int {
	p := kept(0, nil)
	for !x.f.Load() {
		p = kept(min(p.n+1, 3), nil)
	}
	return p.n
}

// WaitListing waits, and makes a list. It returns how long that is, up to 3.
func (x *Flags) WaitListing() (n int) {
	var p *node
	for !x.f.Load() {
		p = kept(0, p)
	}
	for ; p != nil && n < 3; p = p.next {
		n++
	}
	return n
}

// WaitFilling waits, and counts in a node that it has made before, up to 3.
func (x *Flags) WaitFilling() int {
	p := kept(0, nil)
	for !x.f.Load() {
		kept(0, p).next.n = min(p.n+1, 3)
	}
	return p.n
}

// WaitHiding waits, and counts up to 3 in a node to which only a function points that the one before made.
func (x *Flags) WaitHiding() int {
	next := func() *node { return kept(0, nil) }
	for !x.f.Load() {
		p := next()
		next = func() *node { return kept(min(p.n+1, 3), nil) }
	}
	return next().n
}

// WaitDeferring waits, and counts up to 3 in functions that are to be called.
func (x *Flags) WaitDeferring() (n int) {
	for done := false; !done; {
		func() {
			for range 1 {
				k := n
				defer func() { n = min(k+1, 3) }()
			}
			done = x.f.Load()
		}()
	}
	return n - 1
}

// WaitLeaving waits, and leaves a node in each round where others see it.
func (x *Flags) WaitLeaving() (n int) {
	for !x.f.Load() {
		x.left.Store(kept(n, nil))
		n = min(n+1, 3)
	}
	return n
}

// Left returns what is in the node that WaitLeaving has left.
func (x *Flags) Left() int {
	if p := x.left.Load(); p != nil {
		return p.n
	}
	return -1
}

// WaitMarking waits, and changes a number for as long as it looks.
func (x *Flags) WaitMarking() int {
	for done := false; !done; {
		x.n++
		done = x.f.Load()
		x.n--
	}
	return x.n
}

// WaitToggling waits, and changes a number in each round, and back in the next.
func (x *Flags) WaitToggling() int {
	for !x.f.Load() {
		x.n = 1 - x.n
	}
	return x.n
}

// WaitAdding waits, and adds 1 in each round, up to 3.
func (x *Flags) WaitAdding() int {
	for !x.f.Load() {
		x.n = min(x.n+1, 3)
	}
	return x.n
}

// WaitSwapping waits, and has the set have 0 and 1 in turn. It returns which it has.
func (x *Flags) WaitSwapping() int {
	for !x.f.Load() {
		if _, ok := x.keys[0]; ok {
			delete(x.keys, 0)
			x.keys[1] = struct{}{}
		} else {
			delete(x.keys, 1)
			x.keys[0] = struct{}{}
		}
	}
	if _, ok := x.keys[0]; ok {
		return 0
	}
	return 1
}

// WaitTelling waits, and changes a number that others may see before it has changed back.
func (x *Flags) WaitTelling() int {
	for !x.f.Load() {
		x.mu.Lock()
		x.n = 1
		x.mu.Unlock()
		x.mu.Lock()
		x.n = 0
		x.mu.Unlock()
	}
	return x.n
}

// Told returns what WaitTelling has changed.
func (x *Flags) Told() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.n
}

// WaitPulling waits, and has an iterator count up to 3 meanwhile, which gives what it has counted only at the end.
func (x *Flags) WaitPulling() int {
	last := false
	next, stop := iter.Pull(func(yield func(int) bool) {
		for n := 0; ; n = min(n+1, 3) {
			if last {
				yield(n)
				return
			} else if !yield(0) {
				return
			}
		}
	})
	defer stop()
	for !x.f.Load() {
		next()
	}
	last = true
	n, _ := next()
	return n
}

// WaitInside waits inside of an iterator.
func (x *Flags) WaitInside() int {
	next, stop := iter.Pull(func(yield func(int) bool) {
		for !x.f.Load() {
			runtime.Gosched()
		}
		yield(0)
	})
	defer stop()
	n, _ := next()
	return n
}

// WaitInsideCounting waits inside of an iterator, and counts there up to 3.
func (x *Flags) WaitInsideCounting() int {
	next, stop := iter.Pull(func(yield func(int) bool) {
		n := 0
		for !x.f.Load() {
			n = min(n+1, 3)
		}
		yield(n)
	})
	defer stop()
	n, _ := next()
	return n
}

// WaitThrough waits by a function to which it gives a variable of its own.
func (x *Flags) WaitThrough() (n int) {
	look := func() bool { n++; n--; return x.f.Load() }
	for !asks(look) {
	}
	return n
}

//go:noinline
func asks(f func() bool) bool { return f() }

// Locked waits until it has the flag to itself, as a lock is taken, and gives it back.
func (x *Flags) Locked(f func()) {
	for x.g.Swap(true) {
	}
	f()
	x.g.Store(false)
}

// Swapped is Locked by another operation.
func (x *Flags) Swapped(f func()) {
	for !x.g.CompareAndSwap(false, true) {
	}
	f()
	x.g.Store(false)
}

// Polls waits for a channel without waiting.
func Polls(c, d chan int) int {
	for {
		select {
		case v := <-c:
			return v
		case v := <-d:
			return v + 1
		default:
		}
	}
}

// PollsOne is Polls for one channel.
func PollsOne(c chan int) int {
	for {
		select {
		case v := <-c:
			return v
		default:
		}
	}
}

// Offers offers what the flag was, until somebody takes it. It returns whether it was false first.
func (x *Flags) Offers(c chan bool) {
	for {
		v := x.f.Load()
		select {
		case c <- v:
			return
		default:
		}
	}
}

// A rounds is one round of a loop. It returns the next one, how many were before it, and whether it was the last.
type rounds func() (next rounds, n int, done bool)

// WaitChaining waits, and counts up to 3 in functions that make each other, as they end.
func (x *Flags) WaitChaining() (n int) {
	next := x.from(0)
	for done := false; !done; {
		next, n, done = next()
	}
	return n
}

//go:noinline
func (x *Flags) from(k int) rounds {
	return func() (next rounds, n int, done bool) {
		for range 1 {
			defer func() { next, n = x.from(min(k+1, 3)), k }()
		}
		done = x.f.Load()
		return
	}
}

// WaitThrowing waits, and counts up to 3 in panics of functions that are called as others end.
func (x *Flags) WaitThrowing() (n int) {
	for k, done := 0, false; !done; {
		done = true
		n = k
		k, done = x.caught(k)
	}
	return n
}

func (x *Flags) caught(k int) (n int, done bool) {
	defer func() { n = recover().(int) }()
	for range 1 {
		defer func() { panic(min(k+1, 3)) }()
	}
	done = x.f.Load()
	return
}

// SetA and SetB set two flags, for which Both waits: it takes the lock, and gives it back.
func (x *Flags) SetA() { x.set(&x.a) }
func (x *Flags) SetB() { x.set(&x.b) }

func (x *Flags) set(flag *bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	*flag = true
}

func (x *Flags) Both() {
	for {
		x.mu.Lock()
		done := x.a && x.b
		x.mu.Unlock()
		if done {
			return
		}
	}
}

// One and Other wait for each other, for ever.
func (x *Flags) One() {
	for !x.g.Load() {
	}
	x.f.Store(true)
}

func (x *Flags) Other() {
	for !x.f.Load() {
	}
	x.g.Store(true)
}

// A Try waits for a flag, and reports whether it was set.
type Try struct {
	Name string
	Wait func(x *Flags) bool
}

// Tries wait for a flag, and give up in the fourth round. Each counts in another way.
var Tries = []Try{
	{"a float", func(x *Flags) bool {
		for n := 0.5; !x.f.Load(); n += 0.5 {
			if n > 1.6 {
				return false
			}
		}
		return true
	}},
	{"a byte", func(x *Flags) bool {
		for n := int8(125); !x.f.Load(); n++ {
			if n < 0 {
				return false
			}
		}
		return true
	}},
	{"two flags", func(x *Flags) bool {
		var a, b bool
		for !x.f.Load() {
			if a && b {
				return false
			}
			a, b = !a, a != b
		}
		return true
	}},
	{"an array", func(x *Flags) bool {
		var seen [4]int
		for i := 0; !x.f.Load(); i = (i + 3) & 3 {
			if seen[i]++; seen[i] == 2 {
				return false
			}
		}
		return true
	}},
	{"a table of jumps", func(x *Flags) bool {
		for state := 7; !x.f.Load(); {
			switch state {
			case 0:
				return false
			case 1:
				state = 4
			case 2:
				state = 1
			case 3:
				state = 6
			case 4:
				state = 0
			case 5:
				state = 3
			case 6:
				state = 2
			case 7:
				state = 1
			case 8:
				state = 5
			}
		}
		return true
	}},
	{"a large argument", func(x *Flags) bool {
		var b large
		for !x.f.Load() {
			if b = more(b); b[40] == 3 {
				return false
			}
		}
		return true
	}},
	{"what Once calls", func(x *Flags) bool {
		for n := 0; ; n = min(n+1, 3) {
			done := false
			new(sync.Once).Do(func() { done = x.f.Load() || n == 3 })
			if done {
				return n < 3
			}
		}
	}},
	{"two words at once", func(x *Flags) bool {
		var p [2]uint64
		for !x.f.Load() {
			if p = [2]uint64{p[1] + 1, p[0]}; p[0]+p[1] == 3 {
				return false
			}
		}
		return true
	}},
	{"a deferred call", func(x *Flags) (done bool) {
		n := 0
		defer func() { done = n < 3 }()
		for !x.f.Load() {
			if n++; n == 3 {
				return
			}
		}
		return
	}},
	{"a result", func(x *Flags) bool { return x.down(3) }},
}

type large [64]int

//go:noinline
func more(b large) large {
	b[40]++
	return b
}

// down is a loop of its own in each call, as deep as there are rounds left.
func (x *Flags) down(n int) bool {
	for m := n; !x.f.Load(); {
		if m = min(m, n) - 1; m == 0 {
			return false
		}
		n = m
	}
	return true
}
