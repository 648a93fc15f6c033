package sync

import (
	"github.com/spindle-go/spindle/interleave/atomic"
)

// A Once is a [sync.Once], and is built as that is: of a word and a Mutex, whose
// operations are the steps of a thread.
type Once struct {
	done atomic.Bool // f has returned
	m    Mutex
}

// Do is [sync.Once.Do].
func (o *Once) Do(f func()) { o.DoAt(0, f) }

// DoAt is Do at site.
func (o *Once) DoAt(site Site, f func()) {
	if !o.done.LoadAt(site) {
		o.slow(site, f)
	}
}

func (o *Once) slow(site Site, f func()) {
	o.m.LockAt(site)
	defer o.m.UnlockAt(site)
	if !o.done.LoadAt(site) {
		defer o.done.StoreAt(site, true)
		f()
	}
}

// OnceFunc is [sync.OnceFunc].
func OnceFunc(f func()) func() {
	do := OnceValue(func() struct{} { f(); return struct{}{} })
	return func() { do() }
}

// OnceValue is [sync.OnceValue].
func OnceValue[T any](f func() T) func() T {
	do := OnceValues(func() (T, struct{}) { return f(), struct{}{} })
	return func() T {
		v, _ := do()
		return v
	}
}

// OnceValues is [sync.OnceValues].
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var (
		once     Once
		v1       T1
		v2       T2
		returned bool
		panicked any
	)
	run := func() {
		defer func() {
			f = nil // may hold much
			if panicked = recover(); !returned {
				panic(panicked) // here, so that the stack is that of f
			}
		}()
		v1, v2 = f()
		returned = true
	}
	return func() (T1, T2) {
		once.Do(run)
		if !returned {
			panic(panicked)
		}
		return v1, v2
	}
}
