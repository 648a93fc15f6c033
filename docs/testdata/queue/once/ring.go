// Package ring is a run queue of 256 ids without a lock.
package ring

import "sync/atomic"

type Ring struct {
	head, tail atomic.Uint32 // ids[head] to ids[tail-1], modulo 256, are queued
	ids        [256]atomic.Uint64
}

func New() *Ring { return new(Ring) }

func (r *Ring) Put(id uint64) bool {
	t := r.tail.Load()
	if t-r.head.Load() == 256 {
		return false
	}
	r.ids[t%256].Store(id)
	r.tail.Store(t + 1)
	return true
}

func (r *Ring) Get() (uint64, bool) {
	for {
		h := r.head.Load()
		if h == r.tail.Load() {
			return 0, false
		}
		id := r.ids[h%256].Load()
		if r.head.CompareAndSwap(h, h+1) {
			return id, true
		}
	}
}

// Steal tries once. It gives up if it loses the race for an id.
func (r *Ring) Steal() (uint64, bool) {
	h := r.head.Load()
	if h == r.tail.Load() {
		return 0, false
	}
	id := r.ids[h%256].Load()
	return id, r.head.CompareAndSwap(h, h+1)
}

func (r *Ring) Empty() bool { return r.head.Load() == r.tail.Load() }
