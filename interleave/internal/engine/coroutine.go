package engine

import "iter"

// How threads take turns.
//
// A switch of coroutines costs 30 ns, or 80 where the processor did not see it
// coming: more than all else in a step. So as few as can be are made. A coroutine can only be resumed, by anybody, and yield
// to who resumed it. So those that are active form a chain: each has resumed the
// next and waits for it, and the last is running. A thread that is not active is
// resumed by the one that is running, directly; where one is chosen that is
// further down the chain, those above it yield. Between two threads a change is
// one switch. At the bottom of the chain is the coroutine that explores, and the
// first thread does without one of its own: it runs on that.

// A coroutine calls a function, again each time it is resumed.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	run   func()
	left  bool // runtime.Goexit ends what it runs, and so its goroutine: it cannot be used again
}

func newCoroutine(run func()) *coroutine {
	c := &coroutine{run: run}
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		for {
			c.run()
			if !yield(struct{}{}) {
				return
			}
		}
	})
	return c
}

// resume runs c until it yields. One that is left is ended by another goroutine, since stop hands the Goexit on to who calls it.
func (c *coroutine) resume() {
	c.next()
	if c.left {
		go c.stop()
	}
}

// pass waits until it is t's turn, which is called by t, or until t is to end.
func (s *scheduler) pass(t *thread) {
	for s.turn != t {
		switch next := s.turn; {
		case next != nil && !next.active:
			s.resume(next)
		case next == nil && t.co == s.host:
			s.beginUnwinding()
			return
		default:
			t.co.yield(struct{}{})
			if s.unwinding {
				return
			}
		}
	}
	s.running = t
}

// resume runs t until somebody is to go on who is not above t in the chain.
func (s *scheduler) resume(t *thread) {
	s.running = t
	t.active = true
	t.co.resume()
	t.active = false
}
