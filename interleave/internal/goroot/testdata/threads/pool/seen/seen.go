// Package seen has what a dependency may do: what of it is seen is asked by the tests of talks.
package seen

import (
	"hash/maphash"
	"iter"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	_ "unsafe" // for go:linkname

	"example.com/pool/hidden"
	"example.com/pool/machine"
)

// Outer has the methods of a type that is not exported.
type Outer struct{ *inner }

type inner struct {
	mu sync.Mutex
	n  int
}

func NewOuter() Outer { return Outer{new(inner)} }

func (i *inner) Get() int { i.mu.Lock(); defer i.mu.Unlock(); return i.n }

// Add takes the lock twice.
func (i *inner) Add() {
	n := i.Get()
	i.mu.Lock()
	i.n = n + 1
	i.mu.Unlock()
}

// Do calls f under the lock.
func (i *inner) Do(f func()) { i.mu.Lock(); defer i.mu.Unlock(); f() }

// Each calls f with each key of a map.
func Each(f func(string)) {
	for k := range map[string]bool{"a": true, "b": true} {
		f(k)
	}
}

//go:linkname cheaprand runtime.cheaprand
func cheaprand() uint32

// A Striped is a counter with two words, of which each Add takes one by chance.
type Striped struct{ words [2]int64 }

func (s *Striped) Add() { atomic.AddInt64(&s.words[cheaprand()%2], 1) }
func (s *Striped) Sum() int64 {
	return atomic.LoadInt64(&s.words[0]) + atomic.LoadInt64(&s.words[1])
}

// Draw draws a number, by the default source.
func Draw() int { return rand.IntN(1000) }

var ids atomic.Int64

// ID returns 1, 2, ...
func ID() int64 { return ids.Add(1) }

var names sync.Map

// Name remembers a name, and says whether it was there.
func Name(s string) bool { _, was := names.LoadOrStore(s, true); return was }

var (
	once  sync.Once
	table map[int]int
)

// Square has a table that is made at its first use.
func Square(n int) int {
	once.Do(func() { table = map[int]int{1: 1, 2: 4} })
	return table[n]
}

// A Counter has no lock.
type Counter struct{ n int }

func (c *Counter) Add() { c.n++ }

// A Last has what was given last, without a lock.
type Last[T any] struct{ v T }

func (l *Last[T]) Set(v T) { l.v = v }

// Inner hands out its lock, and what it guards.
type Inner struct {
	Mu sync.Mutex
	N  int
}

// A Block is compared, copied and hashed by functions of the runtime.
type Block [64]byte

//go:noinline
func (b *Block) Same(other *Block) bool { return *b == *other }

//go:noinline
func (b *Block) Boxed() any { return *b }

//go:noinline
func (b *Block) In(m map[Block]int) int { return m[*b] }

//go:noinline
func (b *Block) Text() string { return string(b[:]) }

//go:noinline
func (b *Block) Send(c chan Block) { c <- *b }

//go:noinline
func Clear(m map[int]int) { clear(m) }

//go:noinline
func Len(m map[int]int) int { return len(m) }

// Put and Set call what is not seen.
//
//go:noinline
func Put(b []byte, v byte) { machine.Put(b, v) }

//go:noinline
func Set(n *int, to int) { hidden.Set(n, to) }

// Wipe clears.
//
//go:noinline
func Wipe(b []byte) { clear(b) }

// A Stop ends loops.
type Stop struct{ set atomic.Bool }

func (s *Stop) Set() { s.set.Store(true) }

// Put calls assembly in each round.
func (s *Stop) Put(b []byte) {
	for !s.set.Load() {
		Put(b, 1)
	}
}

// Wait waits, in a package that calls assembly elsewhere.
func (s *Stop) Wait() {
	for !s.set.Load() {
	}
}

// A Gate is waited at, by looking again and again.
type Gate struct {
	mu   sync.Mutex
	open bool
}

func (g *Gate) Open() { g.mu.Lock(); g.open = true; g.mu.Unlock() }

func (g *Gate) Wait() {
	for {
		g.mu.Lock()
		open := g.open
		g.mu.Unlock()
		if open {
			return
		}
	}
}

// A Count goes below zero, and never comes back.
type Count struct{ n atomic.Int32 }

func (c *Count) Give() { c.n.Add(10) }

func (c *Count) Take() {
	for c.n.Add(-1) < 0 {
		c.n.Add(1)
	}
}

// Seeded is a hash with a new seed.
func Seeded() uint64 { return maphash.Comparable(maphash.MakeSeed(), 1) }

// SetAround calls start, and then what is not seen. Before it lets an iterator do the same.
//
//go:noinline
func SetAround(n *int, start func()) {
	next, stop := iter.Pull(func(yield func(int) bool) {
		mine := 0
		Set(&mine, 1)
		yield(mine)
	})
	defer stop()
	next()
	start()
	hidden.Set(n, 1)
}

// An Adder adds.
type Adder interface{ Add() }

// An Embeds has the method of what is not seen.
type Embeds struct{ *hidden.Counter }

//go:noinline
func AddBy(a Adder) { a.Add() }
