package sched

import (
	"iter"
	"sync"
	"sync/atomic"
)

// A stack is a coroutine on which one G after another runs. A G that has not begun has none, so that there are as
// few as Gs that have begun and not ended.
type stack struct {
	g     *G
	next  func() (struct{}, bool) // runs the G until it stops
	stop  func()                  // ends it where it has stopped
	yield func(struct{}) bool     // stops it
}

func newStack() *stack {
	c := new(stack)
	c.next, c.stop = iter.Pull(c.body)
	return c
}

// body is what runs on the coroutine: the function of a G. When it has ended its M looks for the next G
// here. One that has not begun runs here, too, which saves two switches; for another the M goes back to its
// own stack.
func (c *stack) body(yield func(struct{}) bool) {
	c.yield = yield
	for {
		c.g.run()
		m := c.g.m
		m.gdestroy(c.g)
		if m.chosen = m.choose(); m.chosen && m.curg.stack == nil {
			m.chosen = false
			m.begins(c)
			continue
		}
		if !yield(struct{}{}) {
			return
		}
	}
}

// stackalloc returns a stack for a G that begins. It is made by an M, and by none of a locked G, since a coroutine
// that was made by a goroutine with a thread of its own runs there alone.
func (m *M) stackalloc() *stack {
	if c, ok := m.p.stacks.get(&m.s.stacks); ok {
		return c
	}
	return newStack()
}

// stackfree puts a stack on which no G runs where the next one is taken from.
func (m *M) stackfree(c *stack) {
	c.g = nil
	if m.p == nil { // the scheduler has ended
		m.s.stacks.put([]*stack{c})
		return
	}
	m.p.stacks.put(c, &m.s.stacks)
}

// A free list of a P holds what has ended, to be used again. (gfree)
type free[T any] []T

// A freeAll is that of the scheduler.
type freeAll[T any] struct {
	mu   sync.Mutex
	list []T
	some atomic.Bool
}

// freeBatch is how many go between a P and the scheduler at a time.
const freeBatch = 32

// put puts x on the list, and half of a long list on that of all.
func (f *free[T]) put(x T, all *freeAll[T]) {
	*f = append(*f, x)
	if len(*f) == 2*freeBatch {
		all.put((*f)[freeBatch:])
		clear((*f)[freeBatch:])
		*f = (*f)[:freeBatch]
	}
}

// get takes one from the list, which is filled from that of all.
func (f *free[T]) get(all *freeAll[T]) (x T, ok bool) {
	if len(*f) == 0 {
		*f = all.take(*f, freeBatch)
	}
	n := len(*f)
	if n == 0 {
		return x, false
	}
	x, (*f)[n-1] = (*f)[n-1], x
	*f = (*f)[:n-1]
	return x, true
}

func (all *freeAll[T]) put(list []T) {
	all.mu.Lock() // outside: free lists
	all.list = append(all.list, list...)
	all.some.Store(len(all.list) > 0) // outside: free lists
	all.mu.Unlock()                   // outside: free lists
}

// take appends up to n of them.
func (all *freeAll[T]) take(to []T, n int) []T {
	if !all.some.Load() { // outside: free lists
		return to
	}
	all.mu.Lock() // outside: free lists
	left := max(0, len(all.list)-n)
	to = append(to, all.list[left:]...)
	clear(all.list[left:])
	all.list = all.list[:left]
	all.some.Store(left > 0) // outside: free lists
	all.mu.Unlock()          // outside: free lists
	return to
}

// endStacks ends the coroutines on which no G runs. All Ms have ended.
func (s *Scheduler) endStacks() {
	for _, p := range s.everyp {
		s.stacks.put(p.stacks)
		p.stacks = nil
	}
	for _, c := range s.stacks.list {
		c.stop()
	}
	s.stacks.list = nil
}
