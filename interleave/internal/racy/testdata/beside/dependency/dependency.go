// Package dependency is not explored.
package dependency

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// Under calls f with a lock held.
func Under(l sync.Locker, f func()) { l.Lock(); defer l.Unlock(); f() }

// Go starts a goroutine.
func Go(f func()) { go f() }

// A Plain has no locks.
type Plain struct {
	N, M  int
	small [3]int8
	words []string
	by    map[string]int
	log   bytes.Buffer
	next  *Plain
	any   any
}

// NewPlain returns one.
func NewPlain() *Plain {
	return &Plain{words: []string{"c", "a", "b"}, by: map[string]int{"a": 1}, next: new(Plain), any: 1}
}

func (p *Plain) Get() int { return p.N } // it is made part of its callers

//go:noinline
func (p *Plain) Both() (int, int) { return p.N, p.M }

func (p Plain) Copied() int { return p.M + len(p.words) }

func (p *Plain) Small(i int) int8 { return p.small[i] }

func (p *Plain) Words() string { return fmt.Sprint(p.words) }

func (p *Plain) Sorted() []string { return slices.Sorted(slices.Values(p.words)) }

func (p *Plain) Look(key string) int { return p.by[key] }

func (p *Plain) Log() string { return p.log.String() }

func (p *Plain) Last() (n int) {
	for q := p; q != nil; q = q.next {
		n = q.N
	}
	return n
}

func (p *Plain) Is() bool { _, ok := p.any.(int); return ok }

// Each calls f with what it has.
func (p *Plain) Each(f func(word string)) {
	for _, w := range p.words {
		f(w)
	}
}

func (p *Plain) Set(n int) { p.N = n }

//go:noinline
func (p *Plain) Swap() { p.N, p.M = p.M, p.N }

func (p *Plain) SetSmall(i int) { p.small[i]++ }

func (p *Plain) Sort() { sort.Strings(p.words); p.words[0] = "z" }

func (p *Plain) Add(word string) { p.words = append(p.words, word) }

func (p *Plain) Put(key string) { p.by[key]++ }

func (p *Plain) Drop(key string) { delete(p.by, key) }

func (p *Plain) Say(n int) { fmt.Fprintf(&p.log, "%d\n", n) }

func (p *Plain) Link() { p.next = &Plain{N: p.N} }

func (p *Plain) Reset() { *p = *NewPlain() }

func (p *Plain) Clear() { clear(p.by); p.any = "a" }

// Change has f change it.
func (p *Plain) Change(f func(n, m *int)) { f(&p.N, &p.M) }

// A Box is generic.
type Box[T any] struct {
	V   T
	all []T
}

func (b *Box[T]) Get() T { return b.V }

func (b *Box[T]) Len() int { return len(b.all) }

func (b *Box[T]) Set(v T) { b.V = v }

//go:noinline
func (b *Box[T]) Push(v T) { b.all = append(b.all, v) }

// Max is generic, too.
func Max[S ~[]int](s S) (m int) {
	for _, v := range s {
		m = max(m, v)
	}
	return m
}

// Fill writes each.
func Fill[S ~[]T, T any](s S, v T) {
	for i := range s {
		s[i] = v
	}
}

// A Counter has a lock. N is to be used under it.
type Counter struct {
	mu sync.Mutex
	N  int
}

func (c *Counter) Add() { c.mu.Lock(); c.N++; c.mu.Unlock() }

func (c *Counter) Get() int { c.mu.Lock(); defer c.mu.Unlock(); return c.N }

// Do calls f under the lock.
func (c *Counter) Do(f func(n *int)) { c.mu.Lock(); defer c.mu.Unlock(); f(&c.N) }

func (c *Counter) Try() bool {
	if !c.mu.TryLock() {
		return false
	}
	defer c.mu.Unlock()
	c.N--
	return true
}

// A Cache has a lock for readers.
type Cache struct {
	mu  sync.RWMutex
	all map[string]*int
}

func (c *Cache) Get(key string, made func() int) int {
	c.mu.RLock()
	p := c.all[key]
	c.mu.RUnlock()
	if p != nil {
		return *p
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = make(map[string]*int)
	}
	if c.all[key] == nil {
		n := made()
		c.all[key] = &n
	}
	return *c.all[key]
}

// Size takes no lock.
func (c *Cache) Size() int { return len(c.all) }

// A Latest is published by a pointer.
type Latest struct{ p atomic.Pointer[Plain] }

func (l *Latest) Publish(n int) { l.p.Store(&Plain{N: n, M: n}) }

func (l *Latest) Get() int {
	if p := l.p.Load(); p != nil {
		return p.N + p.M
	}
	return 0
}

// Spoil writes to what is published.
func (l *Latest) Spoil() {
	if p := l.p.Load(); p != nil {
		p.M++
	}
}

// A Mailbox passes on what nobody else has.
type Mailbox struct{ c chan *Plain }

func NewMailbox() *Mailbox { return &Mailbox{make(chan *Plain, 2)} }

func (m *Mailbox) Post(n int) {
	p := NewPlain()
	p.N = n
	select {
	case m.c <- p:
	default:
	}
}

func (m *Mailbox) Take() int {
	select {
	case p := <-m.c:
		p.N++
		return p.N
	default:
		return 0
	}
}

// A Lazy is made at its first use.
type Lazy struct {
	once sync.Once
	P    *Plain
}

func (l *Lazy) Get() int { l.once.Do(func() { l.P = NewPlain() }); return l.P.N }

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Pooled takes a buffer from a pool, and puts it back.
func Pooled(n int) string {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	fmt.Fprint(b, n)
	return b.String()
}

// Parallel calls f twice at once, with parts of what it returns.
func Parallel(f func(p *int)) int {
	var all [2]int
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() { f(&all[i]) })
	}
	wg.Wait()
	return all[0] + all[1]
}
